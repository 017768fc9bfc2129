import { join } from "node:path";
import { PulumiCommand } from "@pulumi/pulumi/automation/index.js";
import { buildPulumi, builtVersion } from "./buildPulumi.js";
import { cachedFolder, cacheFolder, type Report } from "../cachedFolder.js";

/**
 * Returns the Pulumi CLI. Uses the CLI on PATH, or one that an earlier run has cached. If there is
 * none, Pulumi's installer downloads one. If the installer fails, Go builds one.
 *
 * @param signal ends the search.
 * @throws Error that says how to install the CLI.
 */
export async function findPulumi(report: Report, signal?: AbortSignal): Promise<PulumiCommand> {
  async function attempt(get: () => Promise<PulumiCommand>): Promise<PulumiCommand | undefined> {
    signal?.throwIfAborted();
    try {
      return await get();
    } catch {
      signal?.throwIfAborted();
      return undefined; // the next way follows; only the error of the last way reaches the caller
    }
  }

  const installed = join(cacheFolder, "installed");
  const built = `built-${builtVersion}`;
  return (
    (await attempt(() => PulumiCommand.get())) ??
    (await attempt(() => PulumiCommand.get({ root: installed }))) ??
    (await attempt(() => PulumiCommand.get({ root: join(cacheFolder, built) }))) ??
    (await attempt(() => {
      report("Downloading the Pulumi CLI with Pulumi's installer (about 1 min)");
      return PulumiCommand.install({ root: installed });
    })) ??
    (await PulumiCommand.get({
      root: await cachedFolder(built, (temporary) => buildPulumi(temporary, report, signal)),
    }))
  );
}
