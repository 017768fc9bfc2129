import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { PulumiCommand } from "@pulumi/pulumi/automation/index.js";
import { cacheDirectory } from "./cacheDirectory.js";

const run = promisify(execFile);

/** What the Go modules in this folder build. */
const builtVersion = "3.220.0";
const goVersionNeeded = 25;

const toolsDirectory = join(__dirname, "../../tools");

/**
 * The Pulumi CLI: the one on PATH; else one that was got before; else what Pulumi's installer
 * gets; else, where that cannot be reached, one built with Go.
 *
 * @param report told what a long step does and how long it usually takes.
 * @param signal ends the search.
 */
export async function findPulumi(
  report: (step: string) => void,
  signal?: AbortSignal,
): Promise<PulumiCommand> {
  async function attempt(get: () => Promise<PulumiCommand>): Promise<PulumiCommand | undefined> {
    signal?.throwIfAborted();
    try {
      return await get();
    } catch {
      signal?.throwIfAborted();
      return undefined; // then the next way is tried; the last one says what is wrong
    }
  }

  const installed = join(cacheDirectory, "installed");
  const built = join(cacheDirectory, `built-${builtVersion}`);
  return (
    (await attempt(() => PulumiCommand.get())) ??
    (await attempt(() => PulumiCommand.get({ root: installed }))) ??
    (await attempt(() => PulumiCommand.get({ root: built }))) ??
    (await attempt(() => {
      report("Getting the Pulumi CLI with Pulumi's installer (about 1 min)");
      return PulumiCommand.install({ root: installed });
    })) ??
    (await build(built, report, signal))
  );
}

async function build(
  root: string,
  report: (step: string) => void,
  signal: AbortSignal | undefined,
): Promise<PulumiCommand> {
  if (!(await hasGo())) {
    throw new Error(
      "The Pulumi CLI is neither on PATH nor could it be downloaded. Install it (https://www.pulumi.com/docs/install), " +
        `or install Go 1.${goVersionNeeded} or newer, with which it is built from source. Then run this again.`,
    );
  }
  report(`Building the Pulumi CLI ${builtVersion} with Go, once (3 to 6 min)`);
  await mkdir(cacheDirectory, { recursive: true });
  const unfinished = await mkdtemp(join(cacheDirectory, "building-"));
  try {
    const bin = join(unfinished, "bin");
    await mkdir(bin);
    await buildPrograms(bin, signal);
    await copyPlugins(bin);
    if (!existsSync(root)) await rename(unfinished, root);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return PulumiCommand.get({ root });
}

async function hasGo(): Promise<boolean> {
  try {
    const { stdout } = await run("go", ["env", "GOVERSION"], { cwd: toolsDirectory });
    return Number(/^go1\.(\d+)/.exec(stdout)?.[1]) >= goVersionNeeded;
  } catch {
    return false;
  }
}

async function buildPrograms(bin: string, signal: AbortSignal | undefined): Promise<void> {
  const versionFlag = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${builtVersion}`;
  for (const [directory, program] of [
    [toolsDirectory, "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"],
    [languageHostModule, "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs"],
  ] as const) {
    await run("go", ["build", "-o", `${bin}/`, "-ldflags", `-s -w ${versionFlag}`, program], {
      cwd: directory,
      signal,
    });
  }
}

const languageHostModule = join(toolsDirectory, "language-nodejs");

/** The scripts by which the engine starts dynamic providers and policy packs. */
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
