/*
 * `npm run bench [-- measurement...]`: runs all measurements, or those that are named, and prints
 * ratios. Writes bench/results.json and the plots of docs/performance.md. The results of measurements
 * that did not run stay. A measurement never fails because of its result. All take about an hour.
 */
import { measureAudit } from "./audit/measureAudit.js";
import { measureFormats } from "./audit/measureFormats.js";
import { measureReportPage } from "./audit/measureReportPage.js";
import { countDeclarations } from "./countDeclarations.js";
import { measureImport } from "./measureImport.js";
import { credentialsModes } from "./reads/contenders.js";
import { measureLatency } from "./reads/measureLatency.js";
import { measureReads, type ReadsResult } from "./reads/measureReads.js";
import {
  auditLine,
  formatsLine,
  importLine,
  latencyLine,
  previewsLine,
  readsTable,
  recordingLines,
  reportPageLine,
  snapshotsLine,
} from "./report/resultLines.js";
import type { Results } from "./report/results.js";
import { readResults, saveResults } from "./report/saveResults.js";
import { measurePreviews } from "./stacks/measurePreviews.js";
import { allFleets, measureRecording, type RecordingResult } from "./stacks/measureRecording.js";
import { measureSnapshots } from "./stacks/measureSnapshots.js";

/** Each measurement returns its results. It prints each of them as soon as it is known. */
const measurements: Record<string, () => Partial<Results> | Promise<Partial<Results>>> = {
  import() {
    console.log(countDeclarations());
    return { import: printed(measureImport(15), importLine) };
  },
  async reportPage() {
    try {
      return { reportPage: printed(await measureReportPage(5_000, 5), reportPageLine) };
    } catch (error) {
      console.log(`HTML report: not measured. ${(error as Error).message}`);
      return {};
    }
  },
  async audit() {
    return { audit: printed(await measureAudit(5_000, 9), auditLine) };
  },
  formats() {
    return { formats: printed(measureFormats(5_000, 5), formatsLine) };
  },
  async previews() {
    return { previews: printed(await measurePreviews(21), previewsLine) };
  },
  async snapshots() {
    return { snapshots: printed(await measureSnapshots(100, 7), snapshotsLine) };
  },
  async recording() {
    const recording: RecordingResult[] = [];
    for (const fleet of allFleets()) {
      recording.push(printed(await measureRecording(fleet), recordingLines));
    }
    return { recording };
  },
  async reads() {
    return { reads: await measureAllReads() };
  },
  async latency() {
    return { latency: printed(await measureLatency(1_000, 20, 5), latencyLine) };
  },
};

function printed<T>(result: T, lineOf: (result: T) => string): T {
  console.log(lineOf(result));
  return result;
}

async function measureAllReads(): Promise<ReadsResult[]> {
  const reads: ReadsResult[] = [];
  for (const [projects, credentials, runs] of [
    ...credentialsModes.map((mode) => [1_000, mode, 15] as const),
    [1, "available", 9],
    [100, "available", 9],
    [10_000, "available", 5],
  ] as const) {
    reads.push(printed(await measureReads(projects, credentials, runs), readsTable));
  }
  return reads;
}

async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => measurements[name] === undefined);
  if (unknown.length > 0) {
    throw new Error(
      `There is no measurement ${unknown.join(", ")}. There are ${Object.keys(measurements).join(", ")}.`,
    );
  }
  let results = readResults();
  for (const [name, measure] of Object.entries(measurements)) {
    if (names.length === 0 || names.includes(name)) results = { ...results, ...(await measure()) };
  }
  saveResults(results);
}

void main(process.argv.slice(2));
