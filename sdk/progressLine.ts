import * as pulumi from "@pulumi/pulumi";
import type { ProgressListener } from "../provider/readEach.js";

const silentMs = 2_000;
const pauseMs = 1_000;

/**
 * Says how far a long reading is, in the status line of the program: from 2 s on, once a second at
 * most, and when it is done. No timer: it speaks when there is news.
 */
export function progressLine(
  say: ((line: string) => void) | undefined = statusLine(),
  nowMs: () => number = () => performance.now(),
): ProgressListener | undefined {
  if (say === undefined) return undefined;
  let nextMs = nowMs() + silentMs;
  let hasSpoken = false;
  return (done, total) => {
    const isLast = hasSpoken && done === total;
    if (nowMs() < nextMs && !isLast) return;
    nextMs = nowMs() + pauseMs;
    hasSpoken = true;
    say(`Reading projects: ${grouped(done)} of ${grouped(total)}`);
  };
}

/**
 * Outside of Pulumi there is none, and what is logged would be printed for good; and so it is by
 * Pulumi itself where its output is no terminal, of which a program learns only in CI.
 */
function statusLine(): ((line: string) => void) | undefined {
  if (!pulumi.runtime.hasEngine() || isCi()) return undefined;
  return (line) => void pulumi.log.info(line, undefined, undefined, true);
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
