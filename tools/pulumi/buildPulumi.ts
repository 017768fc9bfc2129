import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

import type { Report } from "../cachedFolder.js";

const run = promisify(execFile);

/** The version of the CLI that the Go modules in this folder build. */
export const builtVersion = "3.220.0";
/** The minor version of Go 1 that these modules need. */
const goVersionNeeded = 25;

const cliModule = join(__dirname, "../../../tools/pulumi");
const languageHostModule = join(cliModule, "language-nodejs");

/**
 * Builds the Pulumi CLI, the language host for Node and the plugins that this project needs.
 *
 * @param folder receives the programs, in `bin`.
 * @param signal ends the build.
 * @returns the folder.
 */
export async function buildPulumi(
  folder: string,
  report: Report,
  signal: AbortSignal | undefined,
): Promise<string> {
  if (!(await hasGo())) {
    throw new Error(
      "The Pulumi CLI is not on PATH, and downloading it failed. Install it (https://www.pulumi.com/docs/install), " +
        `or install Go 1.${goVersionNeeded} or newer, which can build it from source. Then run this command again.`,
    );
  }
  report(`Building the Pulumi CLI ${builtVersion} with Go, once (3 to 6 min)`);
  const bin = join(folder, "bin");
  await mkdir(bin);
  await buildPrograms(bin, signal);
  await copyPlugins(bin);
  return folder;
}

async function hasGo(): Promise<boolean> {
  try {
    const { stdout } = await run("go", ["env", "GOVERSION"], { cwd: cliModule });
    return Number(/^go1\.(\d+)/.exec(stdout)?.[1]) >= goVersionNeeded;
  } catch {
    return false;
  }
}

async function buildPrograms(bin: string, signal: AbortSignal | undefined): Promise<void> {
  const versionFlag = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${builtVersion}`;
  for (const [goModule, program] of [
    [cliModule, "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"],
    [languageHostModule, "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs"],
  ] as const) {
    await run("go", ["build", "-o", `${bin}/`, "-ldflags", `-s -w ${versionFlag}`, program], {
      cwd: goModule,
      signal,
    });
  }
}

/** Copies the scripts with which the engine starts dynamic providers and policy packs. */
async function copyPlugins(bin: string): Promise<void> {
  const { stdout } = await run(
    "go",
    ["list", "-m", "-f", "{{.Dir}}", "github.com/pulumi/pulumi/sdk/v3"],
    { cwd: languageHostModule },
  );
  const sdk = dirname(require.resolve("@pulumi/pulumi/package.json"));
  for (const [from, name] of [
    [sdk, "pulumi-resource-pulumi-nodejs"],
    [join(stdout.trim(), "nodejs/dist"), "pulumi-analyzer-policy"],
  ] as const) {
    await copyFile(join(from, name), join(bin, name));
    await chmod(join(bin, name), 0o755);
  }
}
