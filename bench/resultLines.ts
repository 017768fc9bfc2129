import type { ImportResult } from "./importTime.js";
import type { PreviewsResult } from "./previews.js";
import type { LatencyResult, ReadsResult } from "./reads.js";
import type { SnapshotsResult } from "./snapshots.js";
import { type Sample, shownSample } from "./statistics.js";

export function importLine({ pulumiMs, packageMs, ofPulumi }: ImportResult): string {
  return `import: ${packageMs.median.toFixed(1)} ms beyond @pulumi/pulumi's ${pulumiMs.median.toFixed(0)} ms, a ratio of ${ofPulumi.median.toFixed(3)}`;
}

export function previewsLine({ seconds, ofByHand }: PreviewsResult): string {
  const times = Object.entries(seconds).map(
    ([name, { median }]) => `${name} ${median.toFixed(2)} s`,
  );
  return `preview with one read: ${times.join(", ")}; of the one by hand ${shownSample(ofByHand)}`;
}

export function snapshotsLine(result: SnapshotsResult): string {
  const { snapshots, seconds, ofReads, bytesPerSnapshot } = result;
  return (
    `preview of ${snapshots} unchanged snapshots: ${seconds.snapshots.median.toFixed(2)} s beside ${seconds.reads.median.toFixed(2)} s of ${snapshots} getProjectOutput, a ratio of ${shownSample(ofReads)}\n` +
    `state: ${bytesPerSnapshot} bytes a snapshot, of a project with 3 environments and 6 databases`
  );
}

/** One line a contender. */
export function readsTable({ projects, credentials, contenders }: ReadsResult): string {
  const header = `\n${projects} projects, credentials ${credentials}\n  ${"".padEnd(10)} projects/s   CPU ms   peak MB   package is faster by           once warm  tokens  connections`;
  const rows = Object.entries(contenders).map(([name, result]) =>
    [
      `  ${name.padEnd(10)}`,
      result.projectsPerSecond.median.toFixed(0).padStart(10),
      result.cpuMsPerProject.median.toFixed(3).padStart(8),
      result.peakMegabytes.median.toFixed(0).padStart(9),
      `  ${shownSample(result.packageIsFasterBy)}`,
      result.packageIsFasterByWarm.median.toFixed(2).padStart(10),
      String(result.tokenRequests).padStart(6),
      String(result.connections).padStart(8),
    ].join(" "),
  );
  return [header, ...rows].join("\n");
}

export function latencyLine({ projects, latencyMs, ofIdeal }: LatencyResult): string {
  const multiples = Object.entries(ofIdeal).map(
    ([name, sample]: [string, Sample]) => `${name} ${shownSample(sample)}`,
  );
  return `\n${projects} projects of a server that waits ${latencyMs} ms, of the ideal: ${multiples.join(", ")}`;
}
