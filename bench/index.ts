/*
 * `npm run bench`: runs all measurements and prints ratios. Writes bench/results.json and the plots
 * of docs/performance.md. A measurement never fails because of its result. Takes about 13 minutes.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { countDeclarations } from "./countDeclarations.js";
import { measureImport } from "./measureImport.js";
import { credentialsModes } from "./reads/contenders.js";
import { measureLatency } from "./reads/measureLatency.js";
import { measureReads, type ReadsResult } from "./reads/measureReads.js";
import { drawPlots } from "./report/drawPlots.js";
import {
  importLine,
  latencyLine,
  previewsLine,
  readsTable,
  snapshotsLine,
} from "./report/resultLines.js";
import type { Results } from "./report/results.js";
import { measurePreviews } from "./stacks/measurePreviews.js";
import { measureSnapshots } from "./stacks/measureSnapshots.js";

const root = join(__dirname, "../..");
const plots = join(root, "docs/plots");

/** Runs all measurements. Prints each result as soon as it is known. */
async function measureAll(): Promise<Results> {
  const imported = measureImport(15);
  console.log(importLine(imported));
  console.log(countDeclarations());
  const previews = await measurePreviews(21);
  console.log(previewsLine(previews));
  const snapshots = await measureSnapshots(100, 7);
  console.log(snapshotsLine(snapshots));
  const reads = await measureAllReads();
  const latency = await measureLatency(1_000, 20, 5);
  console.log(latencyLine(latency));
  return { import: imported, previews, snapshots, reads, latency };
}

async function measureAllReads(): Promise<ReadsResult[]> {
  const reads: ReadsResult[] = [];
  for (const [projects, credentials, runs] of [
    ...credentialsModes.map((mode) => [1_000, mode, 15] as const),
    [1, "available", 9],
    [100, "available", 9],
    [10_000, "available", 5],
  ] as const) {
    const result = await measureReads(projects, credentials, runs);
    console.log(readsTable(result));
    reads.push(result);
  }
  return reads;
}

async function main(): Promise<void> {
  const results = await measureAll();
  const machine = {
    node: process.version,
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
  };
  const json = JSON.stringify({ machine, ...results }, roundNumber, 2);
  writeFileSync(join(root, "bench/results.json"), `${json}\n`);
  mkdirSync(plots, { recursive: true });
  for (const [name, svg] of Object.entries(drawPlots(results))) {
    writeFileSync(join(plots, `${name}.svg`), svg);
  }
}

/** Rounds to four digits. More digits would only be noise. */
function roundNumber(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toPrecision(4)) : value;
}

void main();
