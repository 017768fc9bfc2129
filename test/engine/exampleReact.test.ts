import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { useEngine } from "../support/engineTest.js";
import { LeakSearch } from "../support/leakSearch.js";
import { codeBlocks } from "../support/markdown.js";
import { compiled } from "../support/paths.js";
import { type Project, resultOf, run } from "../support/workbench.js";

describe("the example react, with the real engine", () => {
  const engine = useEngine({ sandboxFor: "suite" });
  let project: Project;
  let printed = "";
  before(async () => {
    project = await engine.example("react");
    await project.configure(engine.sandbox);
    await providePlugin();
    const log = ">> commands.log";
    const commands = {
      deploy: `echo "deploy $TAG" ${log}`,
      restart: `echo restart ${log}; echo "$DATABASE_URL"`,
    };
    for (const [name, command] of Object.entries(commands)) {
      const script = `#!/bin/sh\n${command}\n`;
      await writeFile(join(project.directory, `${name}.sh`), script, { mode: 0o755 });
      await project.setConfig({ [name]: { value: `./${name}.sh` } });
    }
    await project.setConfig({ project: { value: "shop" }, database: { value: "shop_live" } });
    printed = await project.up();
  });

  /** Installs the plugin of @pulumi/command. Without the network, a plugin on PATH takes its place. */
  async function providePlugin(): Promise<void> {
    const { environment } = project;
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- the installed version
    const { version } = require("@pulumi/command/package.json") as { version: string };
    const install = ["plugin", "install", "resource", "command", version];
    const env = { ...process.env, ...environment };
    if ((await resultOf(run("pulumi", install, { env }))).code === 0) return;
    const bin = join(project.directory, ".bin");
    await mkdir(bin);
    const standIn = compiled("test/engine/standInCommand.ts");
    const script = `#!/bin/sh\nexec "${process.execPath}" "${standIn}" "$@"\n`;
    await writeFile(join(bin, "pulumi-resource-command"), script, { mode: 0o755 });
    environment["PATH"] = `${bin}:${environment["PATH"]}`;
  }

  const password = "c4nary-of-the-next-day";

  /** Updates, and returns the commands that it ran. */
  async function commandsOfUpdate(): Promise<string> {
    await writeFile(join(project.directory, "commands.log"), "");
    printed += await project.up();
    return readFile(join(project.directory, "commands.log"), "utf8");
  }

  function setTag(tag: string): void {
    engine.environment().projectEnvironmentCode.currentTag = tag;
  }

  it("previews the tag but no password as in its README, and deploys before it restarts", async () => {
    setTag("v2.2.0");
    engine.liveDatabase().password = password;
    const preview = await project.succeed("preview", "--diff");
    printed += preview;
    const [block] = codeBlocks(await readFile(join(project.directory, "README.md"), "utf8"));
    // The plugin that takes the place does not say which part of an argument has changed.
    const values = (text: string) => text.replace(/^ +(~ )?/gm, "").replaceAll(" => [secret]", "");
    const [, ...shown] = values(block?.text ?? "").split("…\n");
    assert.equal(shown.length, 5);
    for (const change of shown) assert.ok(values(preview).includes(change), preview);
    assert.equal(await commandsOfUpdate(), "deploy v2.2.0\nrestart\n");
  });

  it("only deploys when the tag changes, and only restarts when the password changes", async () => {
    setTag("v2.3.0");
    assert.equal(await commandsOfUpdate(), "deploy v2.3.0\n");
    engine.liveDatabase().password = `${password}-2`;
    assert.equal(await commandsOfUpdate(), "restart\n");
    await project.succeed("preview", "--expect-no-changes");
  });

  it("leaves no password in state, history and what Pulumi prints", async () => {
    const search = new LeakSearch([password, ...engine.secrets()]);
    const restart = (await project.resources()).find(({ urn }) => urn.endsWith("::restart"));
    const { triggers, environment, stdout } = restart?.outputs as Record<string, object>;
    // The command prints its environment.
    for (const output of [triggers, environment, stdout]) {
      assert.ok(JSON.stringify(output).includes('"ciphertext"'), JSON.stringify(output));
    }
    for (const [path, text] of await project.backendFiles()) search.text(path, text || "nothing");
    search.text("what Pulumi printed", printed);
  });
});
