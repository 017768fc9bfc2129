import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import Ajv from "ajv";
import type { RecordScope } from "../../../provider/snapshot/record.js";
import { projectSnapshotType } from "../../../provider/snapshot/resources.js";
import { secretSignature, signatureKey } from "../../../provider/wire/pulumiSafeJson.js";
import { startFleetServer } from "../../support/fleetServer.js";
import { LeakSearch } from "../../support/leakSearch.js";
import { repository } from "../../support/paths.js";
import { recordOf, snapshotResource, stateWith } from "../../support/recordedState.js";
import { sampleProjects } from "../../support/testSandbox.js";
import { assertFailed, useCommandProcess } from "../commandProcess.js";

describe("pulumi-project-service drift", () => {
  const command = useCommandProcess();

  /** Runs the command with a Pulumi CLI that prints one text, or another with --show-secrets, and ends with this code. */
  async function drift(
    {
      state = "",
      secrets,
      stderr = "",
      code = 0,
    }: { state?: string; secrets?: string; stderr?: string; code?: number },
    args: readonly string[] = [],
    variables: Readonly<Record<string, string | undefined>> = {},
  ) {
    await mkdir(command.pathOf("bin"), { recursive: true });
    await writeFile(command.pathOf("bin/state"), state);
    await writeFile(command.pathOf("bin/secrets"), secrets ?? state);
    await writeFile(command.pathOf("bin/stderr"), stderr);
    const script = `#!/bin/sh
bin=$(dirname "$0")
echo "$PWD: $@ $(env | grep -ic PULUMI_OPTION_)" >>"$bin/called"
cat "$bin/stderr" >&2
case "$*" in *--show-secrets*) cat "$bin/secrets";; *) cat "$bin/state";; esac
exit ${code}
`;
    await writeFile(command.pathOf("bin/pulumi"), script, { mode: 0o755 });
    const PATH = `${command.pathOf("bin")}${delimiter}${process.env["PATH"]}`;
    return command.run(["drift", ...args], { PATH, ...variables });
  }

  /** Returns the JSON report of the command, which fits its schema. */
  async function reportOf(...[files, variables]: [object, Readonly<Record<string, string>>?]) {
    const { stdout } = await drift(files, ["--format", "json"], variables);
    return checkReport(stdout);
  }

  async function checkReport(text: string): Promise<{ drift: boolean | null }> {
    const schema = await readFile(join(repository, "schemas/drift-report.schema.json"), "utf8");
    const validate = new Ajv({ strict: true }).compile(JSON.parse(schema) as object);
    const report = JSON.parse(text) as { drift: boolean | null };
    assert.ok(validate(report), JSON.stringify(validate.errors));
    return report;
  }

  const record = (scope?: RecordScope) => recordOf(command.sandbox.connection, scope);
  const secret = (value: object) => ({ [signatureKey]: secretSignature, ...value });

  it("exports the state in its folder and without options of others, and prints no line of Pulumi", async () => {
    await mkdir(command.pathOf("stack"));
    const state = stateWith(snapshotResource(await record())) + " ".repeat(2 ** 20);
    const stderr = "warning: a new version at postgres://u:c4nary@host/db\n";
    const result = await drift({ state, stderr }, ["--cwd", "stack"], {
      PULUMI_OPTION_TARGET: "urn",
      Pulumi_Option_Refresh: "true",
    });
    assert.deepEqual([result.code, result.stderr], [0, ""]);
    assert.match(result.stdout, /\n\nNo drift: 12 projects are as recorded\.\n$/);
    const called = await readFile(command.pathOf("bin/called"), "utf8");
    assert.match(called, /^\S+\/stack: stack export --non-interactive 0\n$/);
  });

  it("tells what became of each project", async () => {
    const filters = [{ key: "hasCode" as const, values: [true] }];
    const recorded = await record({ filters, onInaccessible: "keep" });
    const [shop, blog, intranet] = command.sandbox.projects;
    command.sandbox.forbiddenProjectIds.add(shop!._id);
    Object.assign(blog!, { codeRepository: "none" });
    intranet!.hasCode = false;
    command.sandbox.projects = command.sandbox.projects.filter(({ _id }) => _id !== "p-4");
    const { code, stdout, stderr } = await drift({ state: stateWith(snapshotResource(recorded)) });
    assert.equal(code, 7, stderr);
    assert.deepEqual(stdout.split("\n").slice(3, 8), [
      "intranet (p-3)  no longer matching",
      "careers (p-4)   removed",
      "blog (p-2)      inaccessible (RESPONSE_INVALID)",
      "shop (p-1)      inaccessible (FORBIDDEN)",
      "",
    ]);
  });

  it("compares the others if one snapshot cannot be compared, and ends with 2", async () => {
    const good = await record();
    command.sandbox.projects[0]!.domain = "other.example.com";
    const state = stateWith(
      snapshotResource(good),
      snapshotResource({ ...good, connection: "staging" }, { name: "staging" }),
      snapshotResource(good, { name: "old", delete: true }),
      snapshotResource(good, { name: "older", pendingReplacement: true }),
    );
    const { code, stdout, stderr } = await drift({ state });
    assert.equal(code, 2);
    assert.match(stdout, /^shop \(p-1\) {2}domain {2}\S+ → other\.example\.com$/m);
    assert.match(stdout, /^ProjectsSnapshot staging: [^]*baseUrl is missing/m);
    assert.doesNotMatch(stdout, /old/);
    assert.match(stderr, /^Not compared: ProjectsSnapshot staging: [^]*baseUrl is missing/m);
    assert.equal((await reportOf({ state })).drift, true);
  });

  it("ends with 2 if the list omits a project that can be read, unless it is ignored", async () => {
    const { connection, variables, unlisted } = await startFleetServer(3);
    const recorded = await recordOf(connection);
    unlisted.add("p-2");
    const options = { ignoreChanges: ['projects["p-2"]'] };
    const ignoring = { state: stateWith(snapshotResource(recorded, options)) };
    assert.equal((await drift(ignoring, [], variables)).code, 0);
    const state = stateWith(snapshotResource(recorded));
    const { code, stdout } = await drift({ state }, [], variables);
    assert.equal(code, 2);
    assert.match(
      stdout,
      /^ProjectsSnapshot fleet: The new record lacks 1 of 3 recorded projects, which may still exist: p-2 \(its own read succeeds\)\./m,
    );
    assert.match(stdout, /^Cannot check for drift: at least one snapshot was not compared\.$/m);
    assert.equal((await reportOf({ state }, variables)).drift, null);
  });

  it("tells of many removed projects, because it deletes nothing", async () => {
    const state = stateWith(snapshotResource(await record()));
    command.sandbox.projects = command.sandbox.projects.slice(0, 2);
    const { code, stdout, stderr } = await drift({ state });
    assert.equal(code, 7, stderr);
    assert.equal(stdout.match(/ {2}removed$/gm)?.length, 10);
    assert.match(stdout, /\n\nDrift: 10 changes in 10 projects\. pulumi up can also delete /);
  });

  it("tells that the project of a ProjectSnapshot was removed, although it was made anew", async () => {
    const { service, account } = await record();
    const outputs = { projectId: "p-1", name: "shop", service, account };
    const state = stateWith(snapshotResource(outputs, { type: projectSnapshotType, id: "p-1" }));
    command.sandbox.projects[0]!._id = "p-99";
    const { code, stdout, stderr } = await drift({ state });
    assert.equal(code, 7, stderr + stdout);
    assert.match(stdout, /^shop \(p-1\) {2}removed$/m);
    assert.match(
      stdout,
      /\n\nDrift: 1 change in 1 project\. pulumi up can also delete .* first\.\n$/,
    );
  });

  it("decrypts secrets only if a snapshot has some, and prints none", async () => {
    const recorded = await record({ includeCredentials: true });
    const { credentials, ...plain } = recorded;
    const encrypted = snapshotResource({
      ...plain,
      credentials: secret({ ciphertext: "c4nary-cipher" }),
    });
    const value = JSON.stringify(credentials);
    const other = {
      urn: "urn:pulumi:dev::hosting::a::b",
      type: "a",
      outputs: { x: secret({ plaintext: '"c4nary-other"' }) },
    };
    const decrypted = snapshotResource({ ...plain, credentials: secret({ plaintext: value }) });
    const states = { state: stateWith(encrypted, other), secrets: stateWith(decrypted, other) };
    assert.match((await drift(states)).stdout, /^No drift: 12 /m);
    command.sandbox.projects[0]!.projectEnvironments[0]!.projectEnvironmentDatabases.databases[0]!.password =
      "r0tated-p4ssword";
    for (const format of ["table", "json", "markdown"]) {
      const result = await drift(states, ["--format", format]);
      assert.equal(result.code, 7, result.stderr);
      assert.match(result.stdout, /credentials/);
      const search = new LeakSearch([
        ...["c4nary-cipher", "c4nary-other", "r0tated-p4ssword"],
        ...(value.match(/(?<=password\\":\\")[^\\]+/g) ?? []),
      ]);
      search.text(format, result.stdout + result.stderr);
    }
    const undecrypted = snapshotResource({ ...plain, credentials: secret({ plaintext: "null" }) });
    assertFailed(
      await drift({ ...states, secrets: stateWith(undecrypted) }),
      /did not decrypt the secrets of ProjectsSnapshot fleet\. Check PULUMI_CONFIG_PASSPHRASE/,
    );
  });

  it("does not compare a snapshot with a secret argument, and prints nothing of it", async () => {
    const canary = "c4nary-name";
    Object.assign(command.sandbox.projects[0]!, { name: canary, _id: "c4nary-id" });
    const recorded = await record({ filters: [{ key: "name", values: [canary] }] });
    const hidden = Object.entries(recorded).map(([key, value]) => [
      key,
      value === undefined ? value : secret({ plaintext: JSON.stringify(value) }),
    ]);
    const state = stateWith(snapshotResource(Object.fromEntries(hidden) as typeof recorded));
    const variables = { NODE_DEBUG: "pulumi-project-service" };
    const { code, stdout, stderr } = await drift({ state }, ["--format", "json"], variables);
    assert.equal(code, 2, stderr);
    assert.match(
      stdout,
      /an argument or additionalSecretOutputs makes these values secret: filters, projects, inaccessible, service, account\./,
    );
    new LeakSearch([canary, "c4nary-id", "127.0.0.1"]).text("the output", stdout + stderr);
  });

  it("compares an exported state without a Pulumi CLI, from a file or standard input", async () => {
    const state = stateWith(snapshotResource(await record()));
    await writeFile(command.pathOf("state.json"), state);
    // PowerShell 5 writes a BOM.
    for (const [file, input] of [
      ["state.json", ""],
      ["-", `\ufeff${state}`],
    ] as const) {
      const args = ["drift", "--state", file];
      const { code, stdout, stderr } = await command.run(args, { PATH: "/nowhere" }, input);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /\n\nNo drift: 12 projects are as recorded\.\n$/);
    }
    assertFailed(
      await command.run(["drift", "--state", "none.json"]),
      /Reading --state none\.json failed: ENOENT\./,
    );
  });

  it("does not compare a snapshot with encrypted values in an exported state, but the others", async () => {
    const { credentials, ...plain } = await record({ includeCredentials: true });
    const ciphertext = String(credentials).slice(0, 5);
    const encrypted = snapshotResource({ ...plain, credentials: secret({ ciphertext }) });
    const other = snapshotResource(await record(), { name: "plain" });
    await writeFile(command.pathOf("state.json"), stateWith(encrypted, other));
    const { code, stdout } = await command.run(["drift", "--state", "state.json"]);
    assert.equal(code, 2, stdout);
    assert.match(
      stdout,
      /^ProjectsSnapshot fleet: Cannot check for drift: this state encrypts the credentials\. Run drift in the Pulumi project, without --state\.\n\nCannot check for drift: at least one snapshot was not compared\.\n$/m,
    );
  });

  it("reads each form of a record that a version has written", async () => {
    for (const file of await readdir(join(repository, "test/command/drift/states"))) {
      const json = await readFile(join(repository, "test/command/drift/states", file), "utf8");
      const { baseUrl } = command.sandbox.connection;
      await writeFile(command.pathOf(file), json.replaceAll("http://127.0.0.1:4000", baseUrl));
      const [shop, blog] = (command.sandbox.projects = sampleProjects().slice(0, 3));
      const ended = await command.run(["drift", "--state", file]);
      assert.equal(ended.code, 0, file + ended.stdout + ended.stderr);
      shop!.status = "CHANGED";
      for (const each of [shop, blog]) {
        const [environment] = each!.projectEnvironments;
        environment!.projectEnvironmentDatabases.databases[0]!.password = "r0tated";
      }
      blog!.domain = "new.example.com";
      const { stdout } = await command.run(["drift", "--state", file]);
      assert.match(stdout, /^By field: credentials 2, domain 2, status 2\.$/m);
      assert.match(stdout, /^Drift: 6 changes in 2 projects\./m);
    }
  });

  it("writes reports, whose JSON its schema describes", async () => {
    const state = stateWith(snapshotResource(await record()));
    command.sandbox.projects[0]!.domain = "other.example.com";
    const result = await drift({ state }, ["--output", "a.md", "--output", "b.json"]);
    assert.equal(result.code, 7, result.stderr);
    assert.deepEqual(
      [result.stdout, result.stderr],
      [
        "",
        "Drift: 1 change in 1 project. Run pulumi preview, then pulumi up. The reports are in a.md, b.json.\n",
      ],
    );
    const markdown = await readFile(command.pathOf("a.md"), "utf8");
    assert.match(markdown, /^### Project Service drift\n[^]*\n\| shop \(p-1\) \|  \| domain \| `/);
    await checkReport(await readFile(command.pathOf("b.json"), "utf8"));
  });

  for (const [problem, states, message] of [
    [
      "Pulumi fails",
      { stderr: "error: postgres://u:c4nary@host/db\n", code: 3 },
      /^pulumi stack export in \S+ failed: it exited with 3\. Its output can contain secrets: run it there to see why\. Check --stack, PULUMI_STACK and --cwd, or pass --state\.\n$/,
    ],
    [
      "there is no Pulumi.yaml",
      { code: 255 },
      /^There is no Pulumi\.yaml .* Either pass --state, or/,
    ],
    ["it is empty", { state: stateWith() }, /: the state has no ProjectsSnapshot or ProjectSn/],
    ["it has no deployment", { state: "{}" }, /: the JSON is not the state of a stack\. Pass/],
  ] as const) {
    it(`ends with 2 and the reason if there is no state to compare: ${problem}`, async () => {
      if (problem === "Pulumi fails") await writeFile(command.pathOf("Pulumi.yaml"), "");
      const result = await drift(states);
      assertFailed(result, message);
      assert.doesNotMatch(result.stderr, /c4nary/);
    });
  }

  for (const [args, message] of Object.entries({
    "-- --target": /Unexpected argument '--target'/,
    "--state a.json --output a.json": /would replace the file of another option/,
    "--state a.json --stack dev": /--state replaces --stack and --cwd/,
  })) {
    it(`refuses ${args}`, async () => {
      assertFailed(await command.run(["drift", ...args.split(" ")]), message);
    });
  }
});
