import * as pulumi from "@pulumi/pulumi";
import { pacedProgress } from "../provider/pacedProgress.js";
import type { ProgressListener } from "../provider/readEach.js";

/** Says in the status line of the program how far a long reading is; nowhere without one. */
export function progressLine(): ProgressListener | undefined {
  if (!hasStatusLine()) return undefined;
  return pacedProgress((done, total) => {
    const line = `Reading projects: ${grouped(done)} of ${grouped(total)}`;
    void pulumi.log.info(line, undefined, undefined, true);
  });
}

/**
 * Outside of Pulumi there is none, and what is logged would be printed for good; and so it is by
 * Pulumi itself where its output is no terminal, of which a program learns only in CI.
 */
function hasStatusLine(): boolean {
  return pulumi.runtime.hasEngine() && !isCi();
}

/** By what most CI systems set, and what those set that do not set it. */
function isCi(): boolean {
  const { env } = process;
  if (env["CI"]) return env["CI"] !== "false";
  return ["CODEBUILD_BUILD_ID", "JENKINS_URL", "TEAMCITY_VERSION", "TF_BUILD"].some(
    (name) => env[name],
  );
}

/** `1,000`, whatever the locale. */
function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
