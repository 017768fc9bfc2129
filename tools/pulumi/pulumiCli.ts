import { join } from "node:path";
import { PulumiCommand } from "@pulumi/pulumi/automation/index.js";
import { cachedFolder, cacheFolder, type Report } from "../cachedFolder.js";
import { builtVersion, buildPulumi } from "./buildPulumi.js";

/**
 * Returns the Pulumi CLI: the one on PATH, or one that an earlier run has cached. If there is none, Pulumi's
 * installer downloads one. If that fails, Go builds one.
 *
 * @throws Error that says how to install the CLI.
 */
export async function findPulumi(report: Report): Promise<PulumiCommand> {
  const installed = join(cacheFolder, "installed");
  const built = `built-${builtVersion}`;
  for (const get of [
    () => PulumiCommand.get(),
    () => PulumiCommand.get({ root: installed }),
    () => PulumiCommand.get({ root: join(cacheFolder, built) }),
    () => {
      report("Downloading the Pulumi CLI with Pulumi's installer (about 1 min)");
      return PulumiCommand.install({ root: installed });
    },
  ]) {
    try {
      return await get();
    } catch {
      continue; // the next way follows; only the error of the last way reaches the caller
    }
  }
  const root = await cachedFolder(built, (temporary) => buildPulumi(temporary, report));
  return PulumiCommand.get({ root });
}
