import * as pulumi from "@pulumi/pulumi";
import type { ProgressListener } from "../../provider/client/readEach.js";
import { isInlineProgram } from "./inlineProgram.js";

/**
 * Returns a listener that shows the progress of a long read in Pulumi's status line, or `undefined`
 * if there is no status line.
 */
export async function progressListener(): Promise<ProgressListener | undefined> {
  if (!hasStatusLine()) return undefined;
  const { pacedProgress } = await import("../../provider/client/readEach.js");
  return pacedProgress((done, total) =>
    showStatus(`Reading projects: ${grouped(done)} of ${grouped(total)}`),
  );
}

/** Shows a line in Pulumi's status line. A plain script has none, and its output is its own. */
export function showStatus(line: string): void {
  if (!pulumi.runtime.hasEngine() && !isInlineProgram()) return;
  void pulumi.log.info(line, undefined, undefined, true);
}

/**
 * Without an engine, Pulumi's log prints every line. If its output is not a terminal, the engine does
 * the same, but a program cannot find that out, except in CI.
 */
function hasStatusLine(): boolean {
  return pulumi.runtime.hasEngine() && !isCi();
}

/** Most CI systems set `CI`. The others set one of these variables. */
function isCi(): boolean {
  const { env } = process;
  if (env["CI"]) return env["CI"] !== "false";
  return ["CODEBUILD_BUILD_ID", "JENKINS_URL", "TEAMCITY_VERSION", "TF_BUILD"].some(
    (name) => env[name],
  );
}

/** Returns for instance `1,000`, in every locale. */
function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
