import type { ImportResult } from "../measureImport.js";
import type { PreviewsResult } from "../stacks/measurePreviews.js";
import type { LatencyResult } from "../reads/measureLatency.js";
import type { ReadsResult } from "../reads/measureReads.js";
import type { FormatName } from "../../audit/report/formatReport.js";
import type { AuditResult } from "../audit/measureAudit.js";
import type { FormatsResult } from "../audit/measureFormats.js";
import type { ReportPageResult } from "../audit/measureReportPage.js";
import type { RecordingResult } from "../stacks/measureRecording.js";
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

export function reportPageLine(result: ReportPageResult): string {
  const { projects, findings, megabytes, elements, readyMs, keyPressMs } = result;
  return `HTML report of ${projects} projects with ${findings} findings: ${megabytes.toFixed(1)} MB, ${elements} elements, ready after ${readyMs.median.toFixed(0)} ms, key press ${keyPressMs.median.toFixed(0)} ms`;
}

export function auditLine(result: AuditResult): string {
  const { projects, seconds, ratioToReads, cpuRatioToReads, peakMegabytes } = result;
  const both = (samples: AuditResult["seconds"], unit: string, digits: number) =>
    `${samples.audit.median.toFixed(digits)} ${unit}, getProjects ${samples.getProjects.median.toFixed(digits)} ${unit}`;
  return (
    `audit of ${projects} projects: ${both(seconds, "s", 2)}, a ratio of ${displaySample(ratioToReads)}, in CPU time ${displaySample(cpuRatioToReads)}\n` +
    `peak memory of the audit: ${both(peakMegabytes, "MB", 0)}`
  );
}

export function formatsLine(result: FormatsResult): string {
  const { findings, microsecondsPerFinding, cpuMicrosecondsPerFinding } = result;
  const times = Object.entries(microsecondsPerFinding).map(
    ([name, { median }]) =>
      `${name} ${median.toFixed(1)} (CPU ${cpuMicrosecondsPerFinding[name as FormatName].median.toFixed(1)})`,
  );
  return `µs for each of ${findings} findings (junit: for each case): ${times.join(", ")}`;
}

export function recordingLines({ resource, projects, stateMegabytes, commands }: RecordingResult) {
  const header = `\n${projects} projects with ${resource}, state ${stateMegabytes.toFixed(1)} MB\n  ${"".padEnd(11)}  seconds  CPU s  peak MB of program, engine, provider`;
  const rows = Object.entries(commands).map(([name, { seconds, cpuSeconds, peakMegabytes }]) =>
    [
      `  ${name.padEnd(11)}`,
      seconds.median.toFixed(1).padStart(8),
      cpuSeconds.median.toFixed(1).padStart(6),
      ...Object.values(peakMegabytes).map((megabytes) => megabytes.toFixed(0).padStart(6)),
    ].join(" "),
  );
  return [header, ...rows].join("\n");
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
