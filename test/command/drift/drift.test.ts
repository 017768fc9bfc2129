import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import Ajv from "ajv";
import { sampleProjects } from "../../support/testSandbox.js";
import { LeakSearch } from "../../support/leakSearch.js";
import { recordsOf } from "../../support/project.js";
import { repository } from "../../support/paths.js";
import { assertFailed, useCommandProcess } from "../commandProcess.js";
import { previewJson } from "./previewJson.js";

describe("pulumi-project-service drift", () => {
  const command = useCommandProcess();

  /** Runs the command with a Pulumi CLI that prints these texts and ends with this code. */
  async function drift(
    { stdout = "", stderr = "", code = 0 },
    args: readonly string[] = [],
    variables: Readonly<Record<string, string | undefined>> = {},
  ) {
    await mkdir(command.pathOf("bin"), { recursive: true });
    await writeFile(command.pathOf("bin/stdout"), stdout);
    await writeFile(command.pathOf("bin/stderr"), stderr);
    const script = `#!/bin/sh
bin=$(dirname "$0")
{ echo "$PWD: $@"; env | grep -c PULUMI_OPTION_; } >"$bin/called"
cat "$bin/stderr" >&2
cat "$bin/stdout"
exit ${code}
`;
    await writeFile(command.pathOf("bin/pulumi"), script, { mode: 0o755 });
    const PATH = `${command.pathOf("bin")}${delimiter}${process.env["PATH"]}`;
    return command.run(["drift", ...args], { PATH, ...variables });
  }

  /** Returns the inputs of a ProjectsSnapshot of the sandbox, with nothing but ids and names of projects. */
  const recordOf = (ids: readonly string[], scope: object) => ({
    service: `${command.sandbox.connection.baseUrl}/api/project/v5`,
    inaccessible: [],
    ...scope,
    projects: recordsOf(Object.fromEntries(ids.map((id) => [id, { projectId: id, name: id }]))),
  });

  /** Returns a preview that CLI 3.259.0 printed, as if the sandbox without p-2 had been read. */
  async function newestPreview(): Promise<string> {
    const { baseUrl } = command.sandbox.connection;
    const file = join(repository, "test/command/drift/previews/3.259.0.json");
    const json = await readFile(file, "utf8");
    return json.replaceAll(/http[^"]*(?=\/api\/project\/v5")/g, baseUrl);
  }

  /** Removes a project that is recorded there. */
  function removeBlog(): void {
    command.sandbox.projects = sampleProjects().filter(({ _id }) => _id !== "p-2");
  }

  it("says that the list omits a project that can be read, and that it cannot tell", async () => {
    const stdout = await newestPreview();
    assertFailed(
      await drift({ stdout }),
      /the list omits project p-2 of ProjectsSnapshot fleet, which can be read/,
    );
    const other = "https://other.example.com";
    for (const [variables, message] of [
      [{ PROJECT_SERVICE_REALM: undefined }, /cannot tell whether they[^]*realm is missing/],
      [{ PROJECT_SERVICE_BASE_URL: other }, /cannot tell .* name another service/],
    ] as const) {
      const signIns = command.sandbox.issuedTokens.length;
      assertFailed(await drift({ stdout }, [], variables), message);
      assert.equal(command.sandbox.issuedTokens.length, signIns);
    }
  });

  it("tells no longer matching and inaccessible projects from removed ones", async () => {
    const filters = [{ key: "type", values: ["NOTHING"] }];
    command.sandbox.forbiddenProjectIds.add("p-2");
    Object.assign(command.sandbox.projects[2]!, { codeRepository: "none" });
    const missing = (onInaccessible?: string) => {
      const before = recordOf(["p-1", "p-2", "p-3", "p-404"], { filters, onInaccessible });
      const after = recordOf([], { filters, onInaccessible });
      return drift({ stdout: previewJson([{ before, after }]) });
    };
    const { code, stdout, stderr } = await missing("skip");
    assert.equal(code, 7, stderr);
    assert.deepEqual(stdout.split("\n").slice(0, 5), [
      "p-1 (p-1)      no longer matching",
      "p-2 (p-2)      inaccessible (FORBIDDEN)",
      "p-3 (p-3)      inaccessible (RESPONSE_INVALID)",
      "p-404 (p-404)  removed",
      "",
    ]);
    assertFailed(await missing(), /^Reading project p-2 failed/m);
  });

  it("finds a deleted project although the filters changed, and no drift if a project still exists", async () => {
    const newFilters = [{ key: "type", values: ["NOTHING"] }];
    const lost = [{ key: "name", values: ["p-1", "p-404"] }];
    for (const { recorded, filters, listed, shows } of [
      { recorded: ["p-1", "p-2"], filters: [], listed: ["p-2"], shows: /^No drift: 1 project is/m },
      { recorded: ["p-2", "p-404"], filters: [], listed: ["p-2"], shows: /^p-404 .* {2}removed\n/ },
      { recorded: ["p-1"], filters: lost, listed: [], shows: /^p-1 .* {2}no longer matching\n/ },
    ]) {
      const before = recordOf(recorded, { filters });
      const after = recordOf(listed, { filters: newFilters });
      const { stdout, stderr } = await drift({ stdout: previewJson([{ before, after }]) });
      assert.match(stdout, shows, stderr);
    }
  });

  it("never shows credentials, also not of a preview that shows secrets", async () => {
    const canary = (name: string) => `c4nary-${name}`;
    const texts = ["old", "new"].map(canary);
    removeBlog();
    const stdout = (await newestPreview())
      .replace(/"credentials": "\[secret\]"/g, () => `"credentials": {"a": "${texts.shift()}"}`)
      .replaceAll(
        // Also in the texts of a record.
        /(\\?")databaseType\\?"/g,
        `$1username$1: $1${canary("user")}$1, $1password$1: $1${canary("password")}$1, $&`,
      );
    for (const format of ["table", "json", "markdown"]) {
      const result = await drift({ stdout }, ["--format", format]);
      assert.equal(result.code, 7, result.stderr);
      assert.match(result.stdout, /credentials/);
      const search = new LeakSearch(["old", "new", "user", "password"].map(canary));
      search.text(format, result.stdout + result.stderr);
    }
  });

  it("reads the preview of the newest CLI, prints the table and writes reports, whose JSON its schema describes", async () => {
    removeBlog();
    const stdout = await newestPreview();
    const result = await drift({ stdout }, ["--output", "a.md", "--output", "b.json"]);
    assert.equal(result.code, 7, result.stderr);
    assert.deepEqual(result.stdout.split("\n"), [
      "ProjectsSnapshot fleet",
      "blog (p-2)  removed",
      "shop (p-1)  live  webroot  /var/www/shop/live/current/public → /var/www/b",
      "shop (p-1)  first  added",
      "",
      "ProjectSnapshot shop",
      "shop (p-1)  live  webroot  /var/www/shop/live/current/public → /var/www/b",
      "shop (p-1)  first  added",
      "shop (p-1)  credentials changed",
      "",
      "Drift: 6 changes in 2 projects. If this is all right, pulumi up records it.",
      "",
    ]);
    assert.match(result.stderr, /\nDrift: 6 changes .* The reports are in a\.md, b\.json\.\n$/);
    const markdown = await readFile(command.pathOf("a.md"), "utf8");
    assert.match(
      markdown,
      /^### Project Service drift\n[^]*\n\| shop \(p-1\) \| first \|  \| added /,
    );
    const schema = await readFile(join(repository, "schemas/drift-report.schema.json"), "utf8");
    const validate = new Ajv({ strict: true }).compile(JSON.parse(schema) as object);
    const report = JSON.parse(await readFile(command.pathOf("b.json"), "utf8")) as object;
    assert.ok(validate(report), JSON.stringify(validate.errors));
  });

  it("runs a preview of any size without a refresh, in its folder and without options of others", async () => {
    removeBlog();
    // More than Node's default limit for the output of a process.
    const stdout = (await newestPreview()) + " ".repeat(2 ** 20);
    await mkdir(command.pathOf("stack"));
    const { code, stderr } = await drift(
      { stdout, stderr: "warning: a new version at postgres://u:c4nary@host/db\n" },
      ["--cwd", "stack"],
      { PULUMI_OPTION_TARGET: "urn" },
    );
    assert.deepEqual([code, stderr], [7, "Running pulumi preview…\n"]);
    assert.match(
      await readFile(command.pathOf("bin/called"), "utf8"),
      /\/stack: preview --json --refresh=false --show-sames --non-interactive\n0\n$/,
    );
  });

  const diagnostics = [
    { severity: "info", message: "hello" },
    { severity: "error", message: "error: \u001b[31mit broke\u001b[39m\n    at index.ts:1\n\n" },
    { severity: "error", message: "::debug::x of azblob://c?sas=c4nary" },
  ];
  for (const [problem, preview, message] of [
    [
      "it has errors",
      { stdout: previewJson([], { diagnostics }), stderr: "error: c4nary\n", code: 255 },
      /: pulumi preview failed, so no snapshot was compared\.\nerror: it broke\n {4}at index\.ts:1\n:\\u003adebug:\\u003ax of azblob:\/\/…\n$/,
    ],
    [
      "it says something else",
      { stderr: "error: postgres://u:c4nary@host/db\n", code: 3 },
      /: pulumi preview ended with 3\. To see why, run pulumi preview in the folder of the project\.\n$/,
    ],
    ["it prints something else", { stdout: "{}" }, /printed no complete JSON/],
    ["it stops early", { stdout: previewJson([]).slice(0, -50) }, /printed no complete JSON/],
  ] as const) {
    it(`ends with 2 and the reason if the preview fails: ${problem}`, async () => {
      assertFailed(await drift(preview), message);
    });
  }

  for (const [args, message] of Object.entries({
    "-- --target": /Unexpected argument '--target'/,
    "--format html": /--format html must be one of json, markdown, table/,
    "--format json --output -": /goes to standard output anyway, in the format of/,
    "--output drift.html": /endings \.json, \.md, \.txt, .* markdown=drift\.html/,
  })) {
    it(`refuses ${args}`, async () => {
      assertFailed(await command.run(["drift", ...args.split(" ")]), message);
    });
  }
});
