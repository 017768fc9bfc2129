/*
 * `npm run bench`: measures everything and prints ratios, writes bench/results.json and the plots of
 * docs/performance.md. Nothing here passes or fails. Takes about 13 minutes.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { credentialsModes } from "./contenders.js";
import { countDeclarations } from "./declarations.js";
import { drawPlots } from "./drawPlots.js";
import { measureImport } from "./importTime.js";
import { measurePreviews } from "./previews.js";
import { measureLatency, measureReads } from "./reads.js";
import { importLine, latencyLine, previewsLine, readsTable, snapshotsLine } from "./resultLines.js";
import { measureSnapshots } from "./snapshots.js";

const root = join(__dirname, "../..");
const plots = join(root, "docs/plots");

async function measureAll() {
  const imported = measureImport(15);
  console.log(importLine(imported));
  console.log(countDeclarations());
  const previews = await measurePreviews(21);
  console.log(previewsLine(previews));
  const snapshots = await measureSnapshots(100, 7);
  console.log(snapshotsLine(snapshots));

  const reads = [];
  for (const credentials of credentialsModes) {
    const result = await measureReads(1_000, credentials, 15);
    console.log(readsTable(result));
    reads.push(result);
  }
  for (const [projects, runs] of [
    [1, 9],
    [100, 9],
    [10_000, 5],
  ] as const) {
    const result = await measureReads(projects, "available", runs);
    console.log(readsTable(result));
    reads.push(result);
  }
  const latency = await measureLatency(1_000, 20, 5);
  console.log(latencyLine(latency));
  return { import: imported, previews, snapshots, reads, latency };
}

export type Results = Awaited<ReturnType<typeof measureAll>>;

async function main(): Promise<void> {
  const results = await measureAll();
  const machine = {
    node: process.version,
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
  };
  const json = JSON.stringify({ machine, ...results }, rounded, 2);
  writeFileSync(join(root, "bench/results.json"), `${json}\n`);
  mkdirSync(plots, { recursive: true });
  for (const [name, svg] of Object.entries(drawPlots(results))) {
    writeFileSync(join(plots, `${name}.svg`), svg);
  }
}

/** Four digits: more would only be noise. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toPrecision(4)) : value;
}

void main();
