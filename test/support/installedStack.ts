import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { NpxTool } from "../../tools/external/npxTool.js";
import { expectNoChanges, type SnapshotStack } from "./snapshotStack.js";
import { tarballOf } from "./workbench.js";

interface Manifest {
  readonly type?: "module";
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** A program that calls functions, and records one project and all projects. */
export const functionsAndSnapshots = `
import { getDatabaseOutput, getProject, ProjectSnapshot, ProjectsSnapshot } from "pulumi-project-service";
new ProjectSnapshot("shop", { name: "shop" });
new ProjectsSnapshot("fleet");
const shop = getProject({ name: "shop" });
export const webroot = shop.then(({ environments }) => environments[0]?.webroot);
const database = { name: "shop", environmentId: "live", databaseName: "shop_live" };
export const username = getDatabaseOutput(database).username;
`;

/**
 * Makes a stack whose packages are installed by another package manager than npm. It has the packages
 * of the workbench, and those of `manifest`.
 */
export async function installStack(
  stack: SnapshotStack,
  folder: string,
  packageManager: NpxTool,
  program: string,
  files: Readonly<Record<string, string>>,
  { dependencies, ...manifest }: Manifest = {},
): Promise<void> {
  const { directory: workbench } = stack.workbench;
  const { dependencies: ofWorkbench } = JSON.parse(
    await readFile(join(workbench, "package.json"), "utf8"),
  ) as Manifest;
  const ofPackage = { "pulumi-project-service": `file:${await tarballOf(stack.workbench)}` };
  stack.workbench = await stack.workbench.empty(folder);
  await stack.start("hosting", program);
  const all = { ...ofWorkbench, ...ofPackage, ...dependencies };
  const text = JSON.stringify({ name: "hosting", private: true, ...manifest, dependencies: all });
  for (const [file, content] of Object.entries({ ...files, "package.json": text })) {
    await writeFile(join(stack.project.directory, file), content);
  }
  await packageManager(stack.project.directory, ["install"]);
}

/** Checks that functions, both kinds of snapshots, a refresh and a drift check work in a stack. */
export async function checkFunctionsAndSnapshots(stack: SnapshotStack): Promise<void> {
  await stack.up();
  const { projectEnvironmentCode, projectEnvironmentDatabases } = stack.environment("p-1");
  const database = projectEnvironmentDatabases.databases.find(({ name }) => name === "shop_live");
  const { webroot, username } = await stack.project.outputs();
  assert.equal(webroot, projectEnvironmentCode.webroot);
  assert.equal(username, database?.username);
  projectEnvironmentCode.webroot = "/var/www/elsewhere";
  assert.match(await stack.refresh(), /~ 2 updated\n +1 unchanged/);
  await stack.succeed(...expectNoChanges);
}
