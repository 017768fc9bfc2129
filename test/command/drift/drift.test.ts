import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import Ajv from "ajv";
import { sampleProjects } from "../../../sandbox/index.js";
import { LeakSearch } from "../../support/leakSearch.js";
import { repository } from "../../support/paths.js";
import { useCommandProcess } from "../commandProcess.js";
import { previewJson } from "./previewJson.js";

/** Returns a preview that a CLI printed, without parts that the command does not read. */
const recorded = (version: string) =>
  readFile(join(repository, `test/command/drift/previews/${version}.json`), "utf8");

describe("pulumi-project-service drift", () => {
  const command = useCommandProcess();

  /** Runs the command with a Pulumi CLI that prints these texts and ends with this code. */
  async function drift(
    { stdout = "", stderr = "", code = 0 },
    args: readonly string[] = [],
    variables: Readonly<Record<string, string | undefined>> = {},
  ) {
    const folder = join(command.directory, "bin");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "stdout"), stdout);
    await writeFile(join(folder, "stderr"), stderr);
    const script = `#!/bin/sh
{ echo "$PWD: $@"; env | grep -c PULUMI_OPTION_; } >"${folder}/called"
cat "${folder}/stderr" >&2
cat "${folder}/stdout"
exit ${code}
`;
    await writeFile(join(folder, "pulumi"), script, { mode: 0o755 });
    const PATH = `${folder}${delimiter}${process.env["PATH"]}`;
    return command.run(["drift", ...args], { PATH, ...variables });
  }

  const changes = (shop: string, others: string) => `ProjectsSnapshot fleet
blog (p-2)  removed
${shop}${others}
ProjectSnapshot shop
${shop}shop (p-1)  credentials changed

`;
  const printed: Readonly<Record<string, string>> = {
    "3.220.0": `${changes(
      `shop (p-1)  live  order  0 → 1
shop (p-1)  live  webroot  /var/www/a → /var/www/b
shop (p-1)  first  added
`,
      "wiki (p-4)  added\n",
    )}Drift: 9 changes in 3 projects. If this is all right, pulumi up records it.
`,
    "3.259.0": `${changes(
      `shop (p-1)  live  webroot  /var/www/shop/live/current/public → /var/www/b
shop (p-1)  first  added
`,
      "",
    )}Drift: 6 changes in 2 projects. If this is all right, pulumi up records it.
`,
  };

  for (const [version, table] of Object.entries(printed)) {
    it(`reads a preview of CLI ${version}, and reads the project that the list omits`, async () => {
      command.sandbox.projects = sampleProjects().filter(({ _id }) => _id !== "p-2");
      const stdout = await previewOfSandbox(version);
      const result = await drift({ stdout });
      assert.deepEqual([result.code, result.stdout], [7, table], result.stderr);
    });
  }

  /** Returns a recorded preview, as if the sandbox had been read. */
  async function previewOfSandbox(version = "3.220.0"): Promise<string> {
    const { baseUrl } = command.sandbox.connection;
    return (await recorded(version)).replaceAll(/http[^"]*(?=\/api\/project\/v5")/g, baseUrl);
  }

  it("says that the list omits a project that can be read, and that it cannot tell", async () => {
    const stdout = await previewOfSandbox();
    const omitted = await drift({ stdout });
    assert.deepEqual([omitted.code, omitted.stdout], [2, ""]);
    assert.match(
      omitted.stderr,
      /the list omits project p-2 of ProjectsSnapshot fleet, which can be read/,
    );
    for (const [variables, message] of [
      [
        { PROJECT_SERVICE_REALM: undefined },
        /cannot tell whether they were removed\.[^]*realm is missing/,
      ],
      [
        { PROJECT_SERVICE_BASE_URL: "https://other.example.com" },
        /cannot tell .* name another service/,
      ],
    ] as const) {
      const signIns = command.sandbox.issuedTokens.length;
      const { code, stderr } = await drift({ stdout }, [], variables);
      assert.equal(code, 2);
      assert.match(stderr, message);
      assert.equal(command.sandbox.issuedTokens.length, signIns);
    }
  });

  it("tells no longer matching and inaccessible projects from removed ones", async () => {
    const service = `${command.sandbox.connection.baseUrl}/api/project/v5`;
    const filters = [{ key: "type", values: ["NOTHING"] }];
    const recordOf = (ids: string[], onInaccessible: string | undefined) => ({
      ...{ service, filters, onInaccessible, inaccessible: [] },
      projects: Object.fromEntries(ids.map((id) => [id, { projectId: id, name: id }])),
    });
    command.sandbox.forbiddenProjectIds.add("p-2");
    const missing = (onInaccessible: string | undefined) =>
      drift({
        stdout: previewJson([
          {
            before: recordOf(["p-1", "p-2", "p-404"], onInaccessible),
            after: recordOf([], onInaccessible),
          },
        ]),
      });
    const { code, stdout, stderr } = await missing("skip");
    assert.equal(code, 7, stderr);
    assert.match(
      stdout,
      /^p-1 \(p-1\) {6}no longer matching\np-2 \(p-2\) {6}inaccessible \(FORBIDDEN\)\np-404 \(p-404\) {2}removed\n/,
    );
    const failed = await missing(undefined);
    assert.deepEqual([failed.code, failed.stdout], [2, ""]);
    assert.match(failed.stderr, /Could not look for drift: Reading project p-2 failed/);
  });

  it("never shows credentials, also not of a preview that shows secrets", async () => {
    const canary = (name: string) => `c4nary-${name}`;
    const texts = ["old", "new"].map(canary);
    command.sandbox.projects = sampleProjects().filter(({ _id }) => _id !== "p-2");
    const stdout = (await previewOfSandbox())
      .replace(/"credentials": "\[secret\]"/g, () => `"credentials": {"a": "${texts.shift()}"}`)
      .replaceAll(
        '"databaseType"',
        `"username": "${canary("user")}", "password": "${canary("password")}", "databaseType"`,
      );
    for (const format of ["table", "json", "markdown"]) {
      const result = await drift({ stdout }, ["--format", format]);
      assert.equal(result.code, 7, result.stderr);
      assert.match(result.stdout, /credentials/);
      const search = new LeakSearch(["old", "new", "user", "password"].map(canary));
      search.text(format, result.stdout + result.stderr);
    }
  });

  it("prints the table and writes reports, whose JSON its schema describes", async () => {
    command.sandbox.projects = sampleProjects().filter(({ _id }) => _id !== "p-2");
    const stdout = await previewOfSandbox();
    const files = ["a.md", "b.json"].map((name) => join(command.directory, name));
    const [markdown = "", json = ""] = files;
    const result = await drift({ stdout }, ["--output", markdown, "--output", json]);
    assert.deepEqual([result.code, result.stdout], [7, printed["3.220.0"]]);
    assert.match(result.stderr, /\nDrift: 9 changes .* The reports are in .*a\.md, .*b\.json\.\n$/);
    assert.match(
      await readFile(markdown, "utf8"),
      /^### Project Service drift\n\n#### ProjectsSnapshot fleet\n\n[^]*\n\| shop \(p-1\) \| live \| webroot \| \/var\/www\/a → \/var\/www\/b \|\n/,
    );
    const schema = await readFile(join(repository, "schemas/drift-report.schema.json"), "utf8");
    const validate = new Ajv({ strict: true }).compile(JSON.parse(schema) as object);
    const report = JSON.parse(await readFile(json, "utf8")) as Record<string, unknown>;
    assert.ok(validate(report), JSON.stringify(validate.errors));
    assert.equal(report["drift"], true);

    const failed = await drift({ code: 255 }, ["--output", markdown]);
    assert.match(
      failed.stderr,
      /a\.md still contains the report of an earlier check, written at 20/,
    );
  });

  it("runs a preview without a refresh, in its folder and without options of others", async () => {
    command.sandbox.projects = sampleProjects().filter(({ _id }) => _id !== "p-2");
    const stdout = await previewOfSandbox();
    await mkdir(join(command.directory, "stack"), { recursive: true });
    const { code, stderr } = await drift(
      { stdout, stderr: "warning: a new version\n" },
      ["--cwd", "stack"],
      { PULUMI_OPTION_TARGET: "urn" },
    );
    assert.deepEqual([code, stderr], [7, "Running pulumi preview…\nwarning: a new version\n"]);
    assert.match(
      await readFile(join(command.directory, "bin/called"), "utf8"),
      /\/stack: preview --json --refresh=false --show-sames --non-interactive\n0\n$/,
    );
  });

  it("ends with 2 and the reason if the preview fails", async () => {
    const stdout = previewJson([]);
    for (const [result, message] of [
      [
        { stdout, stderr: "error: ::debug::x\n", code: 1 },
        /preview failed, so no snapshot was compared\.\nerror: :\\u003adebug:\\u003ax\n$/,
      ],
      [{ code: 3 }, /: pulumi preview ended with 3, so no snapshot was compared\.\n$/],
    ] as const) {
      const ended = await drift(result);
      assert.deepEqual([ended.code, ended.stdout], [2, ""]);
      assert.match(ended.stderr, message);
    }
    const none = await command.run(["drift"], { PATH: command.directory });
    assert.equal(none.code, 2);
    assert.match(none.stderr, /pulumi did not start \(ENOENT\)\. Install the Pulumi CLI/);
  });

  for (const [args, message] of [
    [["--cwd", "nowhere"], /There is no folder .*nowhere\. Check --cwd\./],
    [["--preview", "a.json"], /Unknown option '--preview'/],
    [["--", "--target"], /Unexpected argument '--target'/],
    [["--format", "html"], /--format html must be one of table, json, markdown/],
    [["--output", "drift.html"], /endings \.json, \.md, \.txt, .* markdown=drift\.html/],
    [["--stack", "a", "--stack", "b"], /--stack is given more than once/],
    [["--stack", ""], /--stack is empty/],
  ] as const) {
    it(`refuses ${args.join(" ")}`, async () => {
      const { code, stdout, stderr } = await command.run(["drift", ...args]);
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, message);
    });
  }
});
