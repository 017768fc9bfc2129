import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { useEngine } from "../support/engineTest.js";
import { assertHoldsNone } from "../support/leakSearch.js";
import { type Project, resultOf, run } from "../support/workbench.js";

describe("commands, installed from the packed tarball, with the real CLI", () => {
  const engine = useEngine({ sandboxFor: "suite" });
  let project: Project;
  before(async () => {
    project = await engine.workbench.project("audited", { program: "" });
    await project.succeed("stack", "select");
    await project.configure(engine.sandbox);
  });

  /** Runs a command with a Pulumi CLI on PATH and the backend of the project, by default in its folder. */
  function runCommand(args: string[], changes: Record<string, string> = {}, selected = project) {
    const bin = join(engine.workbench.directory, "node_modules/.bin/pulumi-project-service");
    const env = { ...process.env, ...selected.environment, ...changes };
    const isElsewhere = args.includes("--cwd");
    const cwd = isElsewhere ? engine.workbench.directory : selected.directory;
    return resultOf(run(bin, args, { cwd, env }));
  }

  it("read the settings of the selected stack, decrypt the password, and print no secret", async () => {
    const { code, stdout, stderr } = await runCommand(["audit"]);
    assert.deepEqual([code, stderr], [1, ""]);
    assert.match(
      stdout,
      /12 projects audited, \d without findings. Findings: \d+ violated, 1 undecided\./,
    );
    assertHoldsNone("stdout", stdout, engine.secrets());
  });

  it("read a named stack and another config namespace from elsewhere", async () => {
    const second = await engine.workbench.project("second", { program: "" });
    await second.configure(engine.sandbox, {}, "second");
    const place = ["--stack", "test", "--cwd", second.directory, "--connection", "second"];
    const { code, stdout, stderr } = await runCommand(["check", ...place], {}, second);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /12 projects/);
  });

  it("show the error of Pulumi if the config cannot be read, and send nothing", async () => {
    const grants = engine.sandbox.counters.passwordGrants;
    const wrong = { PULUMI_CONFIG_PASSPHRASE: "another passphrase" };
    const other = await runCommand(["audit"], wrong);
    assert.deepEqual([other.code, other.stdout], [2, ""]);
    assert.match(
      other.stderr,
      /^pulumi config in .* failed: Pulumi says ".*passphrase"\. Check PULUMI_CONFIG_PASSPHRASE/,
    );
    const none = await runCommand(["audit", "--stack", "none"]);
    assert.deepEqual([none.code, none.stdout], [2, ""]);
    assert.match(none.stderr, /^pulumi config --stack none in .*no stack named 'none' found/);
    assert.doesNotMatch(other.stderr + none.stderr, /^ +at /m);
    assert.equal(engine.sandbox.counters.passwordGrants, grants);
  });

  it("do not quote an error of Pulumi that can contain a secret: the backend, a broken stack file", async () => {
    const secret = "c4nary-passw0rd-s3cret";
    const assertNotQuoted = async (command: string, changes: Record<string, string> = {}) => {
      const { code, stdout, stderr } = await runCommand([command], changes);
      assert.equal(code, command === "check" ? 1 : 2);
      assertHoldsNone(command, stdout + stderr, [secret]);
      assert.match(
        stdout + stderr,
        /pulumi (config|stack export) in \S+ failed: it exited with 255\. Its output /,
      );
    };
    const backend = { PULUMI_BACKEND_URL: `postgres://u:${secret}@127.0.0.1:1/db` };
    const commands = ["check", "audit", "export", "drift"];
    await Promise.all(commands.map((command) => assertNotQuoted(command, backend)));

    const file = join(project.directory, "Pulumi.test.yaml");
    const salt = (await readFile(file, "utf8")).replace(/config:[^]*/, "");
    await writeFile(file, `${salt}config:\n  project-service:password: *${secret}\n`);
    await assertNotQuoted("audit");
  });
});
