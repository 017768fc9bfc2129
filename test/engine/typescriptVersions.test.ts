import assert from "node:assert/strict";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type typescript from "typescript";
import { repository } from "../support/paths.js";
import { run, useWorkbench, type Workbench } from "../support/workbench.js";

/** A program that uses the types of all entry points. */
const programWithTypes = `import * as pulumi from "@pulumi/pulumi";
import * as projectService from "pulumi-project-service";
import { type Sandbox, startSandbox } from "pulumi-project-service/sandbox";
import { builtInRules, type Rule } from "pulumi-project-service/policies";
const live = projectService.getEnvironmentOutput({ projectId: "p-1", environmentId: "live" });
const webroot = live.webroot;
const optional: pulumi.Output<undefined> = pulumi.output(undefined);
const oneDatabase = { name: "shop", environmentId: "live", databaseName: optional };
const database = projectService.getDatabaseOutput(oneDatabase, { provider: undefined });
const password = live.databases[0].password;
const { projects } = new projectService.ProjectsSnapshot("fleet", { fields: ["environments.branch.name"] });
const branches = projects.apply((all) => all["p-1"]?.environments?.map(({ branch }) => branch?.name));
// @ts-expect-error the field may not be recorded
const lengths = projects.apply((all) => all["p-1"]?.domain.length);
const sandbox: Promise<Sandbox> = startSandbox();
const rules: Rule[] = builtInRules({ keptDeployments: { minimum: 5 } });
`;

/* The oldest TypeScript and the newest one, with old and new ways to find modules. */
describe("the types of the package", () => {
  let workbench: Workbench;
  let directory: string;
  before(async function () {
    workbench = await useWorkbench(this);
    // In the workbench, which has the packages of the program.
    directory = join(workbench.directory, "typescript");
    await mkdir(directory);
    await writeFile(join(directory, "index.ts"), programWithTypes);
  });

  it("compile with TypeScript 4.9", async () => {
    const { directory: folder } = await workbench.empty("typescript-4.9");
    const options = ["--no-audit", "--no-fund", "--loglevel=error"];
    await run("npm", ["install", ...options, "typescript@4.9"], { cwd: folder });
    const compiler = compilerOf(folder);
    for (const [module, moduleResolution] of [
      ["commonjs", "node"],
      ["node16", "node16"],
    ]) {
      checkTypes(workbench.directory, directory, { module, moduleResolution }, compiler);
    }
  });

  it("compile with TypeScript 6", () => {
    const options = { module: "esnext", moduleResolution: "bundler" };
    checkTypes(workbench.directory, directory, options);
  });

  it("compile in the examples with exactOptionalPropertyTypes", async () => {
    const folder = join(workbench.directory, "exact");
    await cp(join(repository, "examples"), folder, {
      recursive: true,
      filter: (path) => !path.includes("node_modules"),
    });
    await writeFile(join(folder, "index.ts"), programWithTypes);
    checkTypes(workbench.directory, folder, {
      module: "nodenext",
      exactOptionalPropertyTypes: true,
      resolveJsonModule: true,
      allowJs: true,
      noEmit: true,
      types: ["node", "mocha"],
    });
  });
});

/** Returns the TypeScript that is installed in a folder. */
function compilerOf(installation: string): typeof typescript {
  return createRequire(join(installation, "main.js"))("typescript") as typeof typescript;
}

/**
 * Compiles the programs in a folder of an installation, with its compiler or another one.
 * Checks them and the types of the package. The compiler would need three times as long to check the
 * types of other packages too.
 */
function checkTypes(
  installation: string,
  directory: string,
  compilerOptions: object,
  ts = compilerOf(installation),
): void {
  const { fileNames, options, errors } = ts.parseJsonConfigFileContent(
    { compilerOptions: { target: "es2022", strict: true, types: ["node"], ...compilerOptions } },
    // Without it, the compiler looks for the types of Node in the folder of this process.
    { ...ts.sys, getCurrentDirectory: () => directory },
    directory,
  );
  const host = ts.createCompilerHost(options);
  host.getCurrentDirectory = () => directory;
  const program = ts.createProgram(fileNames, options, host);
  const own = join(installation, "node_modules/pulumi-project-service/");
  const checked = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(own) || fileName.startsWith(directory));
  for (const name of ["index.ts", "sdk/index.d.ts", "sandbox/index.d.ts", "policies.d.ts"]) {
    assert.ok(
      checked.some(({ fileName }) => fileName.endsWith(name)),
      `${name} is checked`,
    );
  }
  const problems = [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program.getSyntacticDiagnostics(),
    ...checked.flatMap((file) => program.getSemanticDiagnostics(file)),
  ];
  assert.equal(ts.formatDiagnostics(problems, host), "");
}
