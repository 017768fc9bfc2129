import type { ImportResult } from "../measureImport.js";
import type { PreviewsResult } from "../stacks/measurePreviews.js";
import type { LatencyResult } from "../reads/measureLatency.js";
import type { ReadsResult } from "../reads/measureReads.js";
import type { SnapshotsResult } from "../stacks/measureSnapshots.js";
import { type Sample, displaySample } from "../sample.js";

export function importLine({ pulumiMs, packageMs, ratioToPulumi }: ImportResult): string {
  return `import: ${packageMs.median.toFixed(1)} ms in addition to ${pulumiMs.median.toFixed(0)} ms of @pulumi/pulumi, a ratio of ${ratioToPulumi.median.toFixed(3)}`;
}

export function previewsLine({ seconds, ratioToByHand }: PreviewsResult): string {
  const times = Object.entries(seconds).map(
    ([name, { median }]) => `${name} ${median.toFixed(2)} s`,
  );
  return `preview with one read: ${times.join(", ")}; package divided by byHand: ${displaySample(ratioToByHand)}`;
}

export function snapshotsLine(result: SnapshotsResult): string {
  const { snapshots, seconds, ratioToReads, bytesPerSnapshot } = result;
  return (
    `preview of ${snapshots} unchanged snapshots: ${seconds.snapshots.median.toFixed(2)} s, with ${snapshots} getProjectOutput instead: ${seconds.reads.median.toFixed(2)} s, a ratio of ${displaySample(ratioToReads)}\n` +
    `state: ${bytesPerSnapshot} bytes for each snapshot of a project with 3 environments and 6 databases`
  );
}

/** Formats a table with one line for each contender. */
export function readsTable({ projects, credentials, contenders }: ReadsResult): string {
  const header = `\n${projects} projects, credentials ${credentials}\n  ${"".padEnd(10)} projects/s   CPU ms   peak MB   package is faster by           once warm  tokens  connections`;
  const rows = Object.entries(contenders).map(([name, result]) =>
    [
      `  ${name.padEnd(10)}`,
      result.projectsPerSecond.median.toFixed(0).padStart(10),
      result.cpuMsPerProject.median.toFixed(3).padStart(8),
      result.peakMegabytes.median.toFixed(0).padStart(9),
      `  ${displaySample(result.packageIsFasterBy)}`,
      result.packageIsFasterByWarm.median.toFixed(2).padStart(10),
      String(result.tokenRequests).padStart(6),
      String(result.connections).padStart(8),
    ].join(" "),
  );
  return [header, ...rows].join("\n");
}

export function latencyLine({ projects, latencyMs, ratioToIdeal }: LatencyResult): string {
  const multiples = Object.entries(ratioToIdeal).map(
    ([name, sample]: [string, Sample]) => `${name} ${displaySample(sample)}`,
  );
  return `\n${projects} projects, a server with ${latencyMs} ms of latency, time divided by the ideal time: ${multiples.join(", ")}`;
}
