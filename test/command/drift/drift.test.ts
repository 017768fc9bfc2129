import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import Ajv from "ajv";
import { LeakSearch } from "../../support/leakSearch.js";
import { mappedProject } from "../../support/project.js";
import { repository } from "../../support/paths.js";
import { cli, useCommandProcess } from "../commandProcess.js";
import { previewJson } from "./previewJson.js";

/**
 * Returns a preview that CLI 3.220.0 printed, or the CLI in its name, without parts that the command does not
 * read.
 */
const recorded = (name: string) => join(repository, "test/command/drift/previews", `${name}.json`);

describe("project-service drift", () => {
  const command = useCommandProcess();
  const ofPreview = (name: string, ...args: string[]) =>
    command.run(["drift", "--preview", recorded(name), ...args]);

  /** Puts a Pulumi CLI into the folder that prints these texts and ends with this code. */
  async function fakePulumi({ stdout = "", stderr = "", code = 0 }): Promise<{ PATH: string }> {
    const folder = join(command.directory, "bin");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "stdout"), stdout);
    await writeFile(join(folder, "stderr"), stderr);
    const script = `#!/bin/sh
echo "$PWD: $@" >"${folder}/called"
cat "${folder}/stderr" >&2
cat "${folder}/stdout"
exit ${code}
`;
    await writeFile(join(folder, "pulumi"), script, { mode: 0o755 });
    return { PATH: `${folder}${delimiter}${process.env["PATH"]}` };
  }

  const called = () => readFile(join(command.directory, "bin/called"), "utf8");

  it("ends with 0 if nothing has changed", async () => {
    assert.deepEqual(await ofPreview("no-drift"), {
      code: 0,
      stdout: "No drift: 4 projects are as recorded.\n",
      stderr: "",
    });
  });

  it("reads a preview of CLI 3.259.0", async () => {
    const { code, stdout, stderr } = await ofPreview("drift-3.259");
    assert.deepEqual([code, stderr], [7, ""]);
    assert.equal(
      stdout,
      `ProjectsSnapshot fleet
blog (p-2)  removed
shop (p-1)  live  webroot  /var/www/shop/live/current/public → /var/www/b
shop (p-1)  first  added

ProjectSnapshot shop
shop (p-1)  live  webroot  /var/www/shop/live/current/public → /var/www/b
shop (p-1)  first  added
shop (p-1)  credentials changed

Drift: 6 changes in 2 projects. If this is all right, pulumi up records it.
`,
    );
  });

  it("warns if it compared no project", async () => {
    const preview = JSON.parse(await readFile(recorded("no-drift"), "utf8")) as {
      steps: { urn: string; [state: string]: unknown }[];
    };
    preview.steps = preview.steps.filter(({ urn }) => !urn.includes("ProjectSnapshot::"));
    for (const step of preview.steps) {
      for (const key of ["oldState", "newState"]) {
        const { inputs } = (step[key] ?? {}) as { inputs?: { projects?: object } };
        if (inputs?.projects !== undefined) inputs.projects = {};
      }
    }
    await writeFile(
      join(command.directory, "empty.json"),
      JSON.stringify({ ...preview, changeSummary: { same: 2 } }),
    );
    const { code, stdout, stderr } = await command.run(["drift", "--preview", "empty.json"]);
    assert.deepEqual([code, stdout], [0, "No drift: no project was compared.\n"]);
    assert.match(
      stderr,
      /^Warning: No project was compared\. .* Check its filters, and run pulumi up\.\n$/,
    );
  });

  it("ends with 7 and a line for each change", async () => {
    const { code, stdout, stderr } = await ofPreview("drift");
    assert.deepEqual([code, stderr], [7, ""]);
    assert.equal(
      stdout,
      `ProjectsSnapshot fleet
blog (p-2)  removed
shop (p-1)  live  order  0 → 1
shop (p-1)  live  webroot  /var/www/a → /var/www/b
shop (p-1)  first  added
wiki (p-4)  added

ProjectSnapshot shop
shop (p-1)  live  order  0 → 1
shop (p-1)  live  webroot  /var/www/a → /var/www/b
shop (p-1)  first  added
shop (p-1)  credentials changed

Drift: 9 changes in 3 projects. If this is all right, pulumi up records it.
`,
    );
  });

  it("shows changes to the program and to other resources, and ends with 0", async () => {
    const { code, stdout, stderr } = await ofPreview("program");
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(
      stdout,
      /^Changes to the program, no drift:\n[^]*ProjectSnapshot shop: projectId p-1 → p-3\n/,
    );
    assert.match(stdout, /filters added, 1 project fewer\n/);
    assert.match(stdout, /\n\nOther resources, no drift: 1 to create\.\n\nNo drift: /);
  });

  it("says which project became inaccessible", async () => {
    const { code, stdout } = await ofPreview("inaccessible");
    assert.equal(code, 7);
    assert.match(stdout, /^blog \(p-2\) {2}inaccessible \(FORBIDDEN\)\n/);
  });

  for (const [name, message] of [
    [
      "deleted-project",
      /There is no project named "shop"[^]*the other snapshots were not compared/,
    ],
    ["other-service", /at http:\/\/projects\.example\.com\/.* name http:\/\/other\.example\.com\//],
  ] as const) {
    it(`ends with 2 and a message for the preview ${name}`, async () => {
      const { code, stdout, stderr } = await ofPreview(name);
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, /^Could not look for drift: /);
      assert.match(stderr, message);
    });
  }

  it("reads a preview from standard input", async () => {
    const { code, stdout } = await command.runInShell(`drift --preview - <"${recorded("drift")}"`);
    assert.deepEqual([code, /Drift: 9 changes/.test(stdout)], [7, true]);
    const piped = await command.runInShell("drift --preview -", "true | ");
    assert.deepEqual([piped.code, piped.stdout], [2, ""]);
    assert.match(piped.stderr, /standard input is empty/);
  });

  it("never shows credentials, also not of a preview that was made with --show-secrets", async () => {
    const canary = (name: string) => `c4nary-${name}`;
    const text = (await readFile(recorded("drift"), "utf8"))
      .replace(
        '"credentials": "[secret]"',
        `"credentials": {"importRepository": "${canary("old")}"}`,
      )
      .replace(
        '"credentials": "[secret]"',
        `"credentials": {"importRepository": "${canary("new")}"}`,
      )
      .replaceAll(
        '"databaseType"',
        `"username": "${canary("user")}", "password": "${canary("password")}", "databaseType"`,
      );
    const file = join(command.directory, "secrets.json");
    await writeFile(file, text);
    for (const format of ["table", "json", "markdown"]) {
      const { code, stdout, stderr } = await command.run([
        ...["drift", "--preview", file, "--format", format],
      ]);
      assert.equal(code, 7);
      assert.match(stdout, /credentials/);
      const search = new LeakSearch(["old", "new", "user", "password"].map(canary));
      search.text(format, stdout + stderr);
    }
  });

  it("writes reports into files, and says so", async () => {
    const files = ["a.md", "b.json", "c"].map((name) => join(command.directory, name));
    const [markdown = "", json = "", table = ""] = files;
    const outputs = ["--output", markdown, "--output", json, "--output", `table=${table}`];
    const { code, stdout, stderr } = await ofPreview("drift", ...outputs);
    assert.deepEqual([code, stdout], [7, ""]);
    assert.equal(
      stderr,
      `Drift: 9 changes in 3 projects. If this is all right, pulumi up records it. The reports are in ${files.join(", ")}.\n`,
    );
    assert.match(
      await readFile(markdown, "utf8"),
      /^### Project Service drift\n\n[^]*\n\| shop \\\(p-1\\\) \| live \| webroot \| \/var\/www\/a → \/var\/www\/b \|\n/,
    );
    assert.match(await readFile(table, "utf8"), /^ProjectsSnapshot fleet\n/);
    const report = JSON.parse(await readFile(json, "utf8")) as { snapshots: object[] };
    assert.deepEqual(report.snapshots.length, 2);
  });

  it("prints the lines and writes Markdown with one call", async () => {
    const file = join(command.directory, "summary.md");
    const outputs = ["--output", "table=/dev/stdout", "--output", file];
    const { code, stdout } = await ofPreview("drift", ...outputs);
    assert.equal(code, 7);
    assert.equal(stdout, (await ofPreview("drift")).stdout);
    assert.match(await readFile(file, "utf8"), /^### /);
  });

  it("says that a report of an earlier check is still there if it could not look", async () => {
    const file = join(command.directory, "drift.md");
    await ofPreview("drift", "--output", file);
    const { code, stderr } = await ofPreview("other-service", "--output", file);
    assert.equal(code, 2);
    assert.match(stderr, /drift\.md still contains the report of an earlier check, written at 20/);
  });

  it("prints JSON that its schema describes", async () => {
    const schema = await readFile(join(repository, "schemas/drift-report.schema.json"), "utf8");
    const validate = new Ajv({ strict: true }).compile(JSON.parse(schema) as object);
    for (const name of ["no-drift", "drift", "program", "inaccessible"]) {
      const { stdout } = await ofPreview(name, "--format", "json");
      const report = JSON.parse(stdout) as Report;
      assert.ok(validate(report), JSON.stringify(validate.errors));
      assert.equal(report.drift, ["drift", "inaccessible"].includes(name));
    }
    const { stdout } = await ofPreview("drift", "--format", "json");
    const [fleet] = (JSON.parse(stdout) as Report).snapshots;
    assert.deepEqual(fleet?.changes.slice(0, 3), [
      { projectId: "p-2", name: "blog", field: "projects", change: "removed" },
      {
        ...{ projectId: "p-1", name: "shop", environmentId: "live" },
        ...{ field: "environments.order", change: "changed", before: 0, after: 1 },
      },
      {
        ...{ projectId: "p-1", name: "shop", environmentId: "live", field: "environments.webroot" },
        ...{ change: "changed", before: "/var/www/a", after: "/var/www/b" },
      },
    ]);
  });

  it("sets the output of a step on GitHub, but not if it could not look", async () => {
    const file = join(command.directory, "github-output");
    await writeFile(file, "other=1\n");
    for (const name of ["no-drift", "drift", "other-service"]) {
      const args = ["drift", "--preview", recorded(name)];
      await command.run(args, { GITHUB_OUTPUT: file });
    }
    assert.equal(await readFile(file, "utf8"), "other=1\ndrift=false\ndrift=true\n");
  });

  it("warns if a preview does not show whether a snapshot is recorded", async () => {
    const file = join(command.directory, "hidden.json");
    await writeFile(file, JSON.stringify({ steps: [], changeSummary: { same: 3 } }));
    const { code, stdout, stderr } = await command.run(["drift", "--preview", file]);
    assert.deepEqual(
      [code, stdout],
      [0, "No drift: the preview shows no change in the service.\n"],
    );
    assert.match(stderr, /^Warning: .*--show-sames\.\n$/);
  });

  it("runs a preview without a refresh, in its folder and with the options of the user", async () => {
    const stdout = await readFile(recorded("drift"), "utf8");
    const variables = await fakePulumi({ stdout, stderr: "warning: a new version\n" });
    await mkdir(join(command.directory, "stack"), { recursive: true });
    const args = ["drift", "--cwd", "stack", "--stack", "dev", "--", "--parallel", "4"];
    const { code, stderr } = await command.run(args, variables);
    assert.deepEqual([code, stderr], [7, "Running pulumi preview…\nwarning: a new version\n"]);
    assert.match(
      await called(),
      /\/stack: preview --json --refresh=false --show-sames --non-interactive --stack dev --parallel 4\n$/,
    );
  });

  it("takes less than 600 MB of memory for a preview of 81 MB", async () => {
    const [file, log] = [join(command.directory, "large.json"), join(command.directory, "rss")];
    const text = largePreview(81_000_000);
    await writeFile(file, text);
    assert.ok(text.length >= 81_000_000);
    const script = `process.on("exit", () => require("fs").writeFileSync(${JSON.stringify(log)}, String(process.resourceUsage().maxRSS)));
process.argv.splice(1, 0, "project-service"); require(${JSON.stringify(cli)});`;
    const run = `cat "${file}" | "${process.execPath}" -e '${script}' -- drift --preview -`;
    const { code, stdout, stderr } = await command.execute("sh", ["-c", run]);
    assert.equal(code, 7, stderr);
    assert.match(stdout, /^shop-0 \(p-0\) {2}domain {2}shop\.example\.com → www\.example\.com\n/);
    const maxMegabytes = Number(await readFile(log, "utf8")) / 1024;
    assert.ok(maxMegabytes > 81 && maxMegabytes < 600, `${maxMegabytes} MB`);
  });

  // CLI 3.220.0 ends with 255 for each failure, and CLI 3.259.0 with 1.
  for (const failed of [255, 1]) {
    it(`says why a preview failed that ends with ${failed}`, async () => {
      const stdout = await readFile(recorded("deleted-project"), "utf8");
      const { code, stderr } = await command.run(
        ["drift"],
        await fakePulumi({ stdout, stderr: "error: ::debug::x\n", code: failed }),
      );
      assert.equal(code, 2);
      assert.match(stderr, /: pulumi preview failed, so no snapshot was compared\.\n/);
      assert.match(stderr, /\nerror: ProjectServiceError \[NOT_FOUND\]: ProjectSnapshot: [^]*shop/);
      assert.match(stderr, /\nerror: :\\u003adebug:\\u003ax\n/);
    });
  }

  it("ends with 2 if the preview ends with another code or prints no JSON", async () => {
    const stdout = await readFile(recorded("drift"), "utf8");
    const policy = await command.run(
      ["drift"],
      await fakePulumi({ stdout, stderr: "::error::no\n", code: 255 }),
    );
    assert.deepEqual([policy.code, policy.stdout], [2, ""]);
    assert.match(
      policy.stderr,
      /preview failed, so no snapshot was compared\.\n:\\u003aerror:\\u003ano\n$/,
    );
    const silent = await command.run(["drift"], await fakePulumi({ code: 3 }));
    assert.match(silent.stderr, /: pulumi preview ended with 3, so no snapshot was compared\.\n$/);
    const truncated = await command.run(
      ["drift"],
      await fakePulumi({ stdout: stdout.slice(0, 5000) }),
    );
    assert.equal(truncated.code, 2);
    assert.match(truncated.stderr, /What pulumi preview printed is not complete JSON/);
  });

  it("ends with 2 if there is no Pulumi CLI or no folder", async () => {
    const none = await command.run(["drift"], { PATH: command.directory });
    assert.deepEqual([none.code, none.stdout], [2, ""]);
    assert.match(none.stderr, /pulumi did not start \(ENOENT\)\. Install the Pulumi CLI/);
    const folder = await command.run(["drift", "--cwd", "nowhere"]);
    assert.deepEqual([folder.code, folder.stdout], [2, ""]);
    assert.match(folder.stderr, /There is no folder .*nowhere\. Check --cwd\./);
  });

  for (const [args, message] of [
    [["--preview", "nowhere.json"], /reading nowhere\.json failed: ENOENT\. Check --preview\./],
    [["--preview", "a.json", "--", "--parallel", "4"], /--preview.*options after -- do not apply/],
    [["--preview", "a.json", "--stack", "dev"], /With --preview.*--stack/],
    [["--", "--refresh"], /The option --refresh cannot be passed/],
    [["--", "--refresh=true"], /--refresh=true cannot be passed/],
    [["--", "-r"], /-r cannot be passed/],
    [["--", "--expect-no-changes"], /--expect-no-changes cannot be passed/],
    [["--format", "html"], /--format html must be one of table, json, markdown/],
    [["--output", "drift.html"], /endings \.json, \.md, \.txt, .* markdown=drift\.html/],
    [["--stack", "a", "--stack", "b"], /--stack is given more than once/],
    [["drift.json"], /Unexpected argument 'drift\.json'.*--help/],
  ] as const) {
    it(`refuses ${args.join(" ")}`, async () => {
      const { code, stdout, stderr } = await command.run(["drift", ...args]);
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, message);
    });
  }
});

/** Returns the preview of a fleet, of which one project has changed, with at least this length. */
function largePreview(minLength: number): string {
  const projects: Record<string, object> = {};
  const preview = () => {
    const before = { service: "https://projects.example.com", inaccessible: [], projects };
    const first = { ...projects["p-0"], domain: "www.example.com" };
    return previewJson([{ before, after: { ...before, projects: { ...projects, "p-0": first } } }]);
  };
  const mapped = mappedProject();
  const add = (count: number) => {
    const start = Object.keys(projects).length;
    for (let index = start; index < start + count; index++) {
      projects[`p-${index}`] = { ...mapped, projectId: `p-${index}`, name: `shop-${index}` };
    }
  };
  add(100);
  add(Math.ceil((100 * minLength) / preview().length) - 95);
  return preview();
}

interface Report {
  readonly drift: boolean;
  readonly snapshots: readonly { readonly changes: readonly object[] }[];
}
