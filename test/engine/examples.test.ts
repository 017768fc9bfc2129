import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import ts from "typescript";
import { useEngine } from "../support/engineTest.js";
import { assertHoldsNone } from "../support/leakSearch.js";
import type { SandboxProject } from "../../sandbox/index.js";
import { repository } from "../support/paths.js";
import { resultOf, run } from "../support/workbench.js";

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const readManifest = async (folder: string) =>
  JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest;

describe("the example unit-test", () => {
  const engine = useEngine({ sandboxFor: "suite" });

  it("runs, and its tests pass as its README shows", async () => {
    const project = await engine.example("unit-test");
    const options = { cwd: project.directory };
    const { stdout } = await run("npm", ["test"], options);
    const printed = stripVTControlCharacters(stdout); // colors in CI
    const [passing = "nothing"] = /^ +\d+ passing/m.exec(printed) ?? [];
    const readme = await readFile(join(repository, "examples/unit-test/README.md"), "utf8");
    assert.ok(readme.includes(`${passing}\n`), printed);

    await project.configure(engine.sandbox, {});
    await project.setConfig({ project: { value: "blog" } });
    await project.succeed("up", "--yes", "--skip-preview");
    const { folder, databaseUrl } = JSON.parse(
      (await project.cli("stack", "output", "--json")).stdout,
    ) as Record<string, string>;
    assert.deepEqual([folder, databaseUrl], ["/var/www/blog/live/current/public", "[secret]"]);
  });
});

describe("the example drift", () => {
  const engine = useEngine({ sandboxFor: "suite" });

  it("shows the drift as in its README", async () => {
    const project = await engine.example("drift");
    await project.configure(engine.sandbox);
    await project.succeed("up", "--yes", "--skip-preview");
    const [shop] = engine.sandbox.projects;
    const [live] = shop?.projectEnvironments ?? [];
    assert.ok(shop && live);
    live.projectEnvironmentCode.currentTag = "v2.2.0";
    engine.sandbox.projects = engine.sandbox.projects.filter(({ _id }) => _id !== "p-2");

    // As a CI job does.
    const env = { ...process.env, ...project.environment, PULUMI_STACK: "test" };
    const drift = run("npx", ["--no", "pulumi-project-service", "drift"], {
      cwd: project.directory,
      env,
    });
    const { code, stdout, stderr } = await resultOf(drift);
    assertHoldsNone("the job", stdout + stderr, engine.secrets());
    assert.equal(code, 7, stderr);
    const readme = await readFile(join(repository, "examples/drift/README.md"), "utf8");
    const times = /\b\d{4}-\d\d-\d\d \d\d:\d\d UTC/g;
    const printed = stdout
      .replaceAll(engine.sandbox.connection.baseUrl, "https://projects.example.com")
      .replace(times, "TIME");
    assert.ok(readme.replace(times, "TIME").includes(printed), stdout);
  });
});

describe("the example fleet", () => {
  const engine = useEngine({ sandboxFor: "suite" });

  it("makes a resource for each environment, and prints the number of projects as in its README", async () => {
    const project = await engine.example("fleet");
    await project.configure(engine.sandbox);
    await project.succeed("up", "--yes", "--skip-preview");
    const sites = await project.succeed("stack", "output", "sites");
    const readme = await readFile(join(repository, "examples/fleet/README.md"), "utf8");
    assert.ok(readme.includes(`$ pulumi stack output sites\n${sites}`), sites);
    const isSite = ({ type }: SandboxProject) => type === "TYPO3";
    const names = engine.sandbox.projects
      .filter(isSite)
      .flatMap(({ _id, projectEnvironments }) =>
        projectEnvironments.map(({ environmentId }) => `${_id}-${environmentId}`),
      );
    const made = (await project.resources()).filter(({ urn }) => urn.includes(":Stash::"));
    assert.deepEqual(made.map(({ urn }) => urn.split("::").at(-1)).sort(), names.sort());
  });
});

describe("the examples", () => {
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

/** Returns the folders in examples/. */
async function programFolders(): Promise<string[]> {
  const folder = join(repository, "examples");
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}
