import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import ts from "typescript";
import { useEngine } from "../support/engineTest.js";
import { assertHoldsNone } from "../support/leakSearch.js";
import { repository } from "../support/paths.js";
import { type Project, resultOf, run } from "../support/workbench.js";

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const readManifest = async (folder: string) =>
  JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest;

describe("the examples", () => {
  const engine = useEngine({ sandboxFor: "test" });

  async function start(example: string): Promise<Project> {
    const project = await engine.example(example);
    await project.configure(engine.sandbox);
    return project;
  }

  it("unit-test runs, and its tests pass as its README shows", async () => {
    const project = await start("unit-test");
    // A busy machine can take longer than the 2 s of Mocha.
    const test = run("npm", ["test", "--", "--timeout", "60000"], { cwd: project.directory });
    const { code, stdout, stderr } = await resultOf(test);
    assert.equal(code, 0, stdout + stderr);
    const printed = stripVTControlCharacters(stdout); // colors in CI
    const [passing = "nothing"] = /^ +\d+ passing/m.exec(printed) ?? [];
    assert.ok((await readmeOf("unit-test")).includes(`${passing}\n`), printed);

    await project.setConfig({ project: { value: "blog" } });
    await project.up();
    const outputs = JSON.parse(await project.succeed("stack", "output", "--json")) as object;
    assert.deepEqual(outputs, {
      folder: "/var/www/blog/live/current/public",
      databaseUrl: "[secret]",
    });
  });

  it("drift finds nothing, and then the drift in its README", async () => {
    const project = await start("drift");
    await project.up();
    // As a CI job does.
    const env = { ...process.env, ...project.environment, PULUMI_STACK: "test" };
    const command = ["--no", "pulumi-project-service", "drift"];
    const look = () => resultOf(run("npx", command, { cwd: project.directory, env }));
    const before = await look();
    assert.equal(before.code, 0, before.stderr);
    assert.match(before.stdout, /^No drift: /m);

    engine.environment().projectEnvironmentCode.currentTag = "v2.2.0";
    engine.sandbox.projects = engine.sandbox.projects.filter(({ _id }) => _id !== "p-2");
    const { code, stdout, stderr } = await look();
    assertHoldsNone("the job", stdout + stderr, engine.secrets());
    assert.equal(code, 7, stderr);
    const times = /\b\d{4}-\d\d-\d\d \d\d:\d\d UTC/g;
    const printed = stdout
      .replaceAll(engine.sandbox.connection.baseUrl, "https://projects.example.com")
      .replace(times, "TIME");
    assert.ok((await readmeOf("drift")).replace(times, "TIME").includes(printed), stdout);
  });

  it("fleet makes a resource for each environment, and prints the number of projects as in its README", async () => {
    const project = await start("fleet");
    const printed = await project.up();
    const sites = /^ +sites: (\d+)$/m.exec(printed)?.[1] ?? printed;
    assert.ok((await readmeOf("fleet")).includes(`$ pulumi stack output sites\n${sites}\n`), sites);
    const names = engine.sandbox.projects
      .filter(({ type }) => type === "TYPO3")
      .flatMap(({ _id, projectEnvironments }) =>
        projectEnvironments.map(({ environmentId }) => `${_id}-${environmentId}`),
      );
    assert.deepEqual(await project.namesOf("pulumi:index:Stash"), names.sort());
  });

  it("compile", async () => {
    const folders = await programFolders();
    const files = folders.filter((folder) => basename(folder) !== "audit"); // in JavaScript
    const program = ts.createProgram(
      files.map((folder) => join(folder, "index.ts")),
      {
        module: ts.ModuleKind.NodeNext,
        target: ts.ScriptTarget.ES2022,
        strict: true,
        skipLibCheck: true,
        allowJs: true,
        resolveJsonModule: true,
        noEmit: true,
        types: ["node"],
      },
    );
    const problems = ts.getPreEmitDiagnostics(program);
    const host = ts.createCompilerHost({});
    assert.equal(ts.formatDiagnostics(problems, host), "");
  });

  it("ask for this version of the package and for the same versions of the other packages", async () => {
    const { version } = await readManifest(repository);
    const expected: Record<string, string> = {
      "@pulumi/pulumi": "^3.216.0",
      "pulumi-project-service": `^${version}`,
      "@types/node": "^20.0.0",
      typescript: ">=5.9.0 <7",
      "@pulumi/command": "^1.2.1",
      "@pulumi/policy": "^1.21.0",
      mocha: ">=11.0.0",
      "@types/mocha": "^10.0.0",
    };
    for (const folder of await programFolders()) {
      const { dependencies, devDependencies } = await readManifest(folder);
      for (const [name, range] of Object.entries({ ...dependencies, ...devDependencies })) {
        assert.equal(range, expected[name], `${name} of ${folder}`);
      }
    }
  });
});

const readmeOf = (example: string) =>
  readFile(join(repository, "examples", example, "README.md"), "utf8");

/** Returns the folders in examples/. */
async function programFolders(): Promise<string[]> {
  const folder = join(repository, "examples");
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}
