/*
 * Mocha loads this file before the engine tests (.mocharc.engine.json). It packs the package once
 * and installs it once, in a folder like a user's: the workbench. All test files then share this
 * folder, even when they run in parallel processes.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findPulumi } from "../../tools/pulumi/pulumiCli.js";
import { repository } from "./paths.js";
import { makeBlankStack } from "./stackFiles.js";

const run = promisify(execFile);

/** Environment variables that tell the test processes about the workbench, or why there is none. */
export const workbenchVariable = "TEST_WORKBENCH";
export const workbenchErrorVariable = "TEST_WORKBENCH_ERROR";

/** The folder of a stack without resources, beside the workbench. */
export const blankStack = "blank-stack";

/** The versions that a user may have: those of this repository, or the oldest supported ones. */
const versions =
  process.env["PULUMI_SDK"] === "floor"
    ? { sdk: "3.216.0", typescript: "5.9.3" }
    : { sdk: versionOf("@pulumi/pulumi"), typescript: versionOf("typescript") };

function versionOf(name: string): string {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the installed version
  return (require(`${name}/package.json`) as { version: string }).version;
}

/** Holds the workbench, and the copies that tests make from it. */
let scratch: string | undefined;

export async function mochaGlobalSetup(): Promise<void> {
  // The tests install many packages, which npm need not look for in the registry each time.
  process.env["npm_config_prefer_offline"] = "true";
  try {
    // The first search may install a CLI, so it must not happen in several processes at once.
    const pulumi = await findPulumi((step) => console.error(`    ${step}`));
    scratch = await mkdtemp(join(tmpdir(), "project-service-"));
    const directory = join(scratch, "workbench");
    await mkdir(directory);
    await installPackage(directory);
    await makeBlankStack(join(scratch, blankStack), pulumi);
    process.env[workbenchVariable] = directory;
  } catch (error) {
    if (process.env["CI"] !== undefined) throw error;
    // The tests that need the workbench skip, and show this reason.
    process.env[workbenchErrorVariable] = error instanceof Error ? error.message : String(error);
  }
}

export async function mochaGlobalTeardown(): Promise<void> {
  if (scratch === undefined) return;
  await rm(scratch, { recursive: true, force: true, maxRetries: 3 });
}

async function installPackage(directory: string): Promise<void> {
  // Without scripts: `prepack` would build again, and write into dist/ while tests read it.
  await run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", directory], {
    cwd: repository,
  });
  const [tarball] = (await readdir(directory)).filter((file) => file.endsWith(".tgz"));
  await writeFile(
    join(directory, "package.json"),
    JSON.stringify({
      name: "workbench",
      private: true,
      dependencies: {
        "pulumi-project-service": `file:${tarball}`,
        "@pulumi/pulumi": versions.sdk,
        // For examples/react, and for the policy packs of the tests.
        "@pulumi/command": versionOf("@pulumi/command"),
        "@pulumi/policy": versionOf("@pulumi/policy"),
        "@types/node": "^20",
        typescript: versions.typescript,
        // For examples/unit-test.
        mocha: versionOf("mocha"),
        "@types/mocha": versionOf("@types/mocha"),
      },
    }),
  );
  await run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: directory });
  await lightenSdk(join(directory, "node_modules"));
}

/** Removes parts of Pulumi's SDK that the tests do not use. They cost each program a fifth of its time. */
async function lightenSdk(folder: string): Promise<void> {
  // The SDK parses the maps of its own files.
  for (const path of await readdir(folder, { recursive: true })) {
    if (path.endsWith(".js.map")) await rm(join(folder, path));
  }
  // The SDK loads npm's installer, only to find the packages of a function for AWS Lambda.
  await writeFile(join(folder, "@npmcli/arborist/lib/index.js"), "");
}
