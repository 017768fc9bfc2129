import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import type typescript from "typescript";

/** A program that uses the types of all entry points. */
export const programWithTypes = `import * as pulumi from "@pulumi/pulumi";
import * as projectService from "pulumi-project-service";
import { type Sandbox, startSandbox } from "pulumi-project-service/sandbox";
import { builtInRules, type Rule } from "pulumi-project-service/policies";
const live = projectService.getEnvironmentOutput({ projectId: "p-1", environmentId: "live" });
export const webroot = live.webroot;
const optional: pulumi.Output<undefined> = pulumi.output(undefined);
const oneDatabase = { name: "shop", environmentId: "live", databaseName: optional };
export const database = projectService.getDatabaseOutput(oneDatabase, { provider: undefined });
export const password = live.databases[0].password;
const { projects } = new projectService.ProjectsSnapshot("fleet", { fields: ["environments.branch.name"] });
export const branches = projects.apply((all) => all["p-1"]?.environments?.map(({ branch }) => branch?.name));
// @ts-expect-error the field may not be recorded
export const lengths = projects.apply((all) => all["p-1"]?.domain.length);
export const sandbox: Promise<Sandbox> = startSandbox();
export const rules: Rule[] = builtInRules({ keptDeployments: { minimum: 5 } });
`;

/** Returns the TypeScript that is installed in a folder. */
export function compilerOf(installation: string): typeof typescript {
  return createRequire(join(installation, "main.js"))("typescript") as typeof typescript;
}

/**
 * Compiles the programs in a folder of an installation, with its compiler or another one.
 * Checks them and the types of the package. The compiler would need three times as long to check the
 * types of other packages too.
 */
export function checkTypes(
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
