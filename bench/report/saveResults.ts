import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { drawPlots } from "./drawPlots.js";
import type { Results } from "./results.js";

const root = join(__dirname, "../../..");
const plots = join(root, "docs/plots");
const resultsFile = join(root, "bench/results.json");

/** Returns the results of earlier runs. */
export function readResults(): Results {
  return JSON.parse(readFileSync(resultsFile, "utf8")) as Results;
}

/** Writes bench/results.json, and draws the plots of the documents. */
export function saveResults(results: Results): void {
  const machine = {
    node: process.version,
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
  };
  writeFileSync(resultsFile, `${JSON.stringify({ ...results, machine }, roundNumber, 2)}\n`);
  mkdirSync(plots, { recursive: true });
  for (const [name, svg] of Object.entries(drawPlots(results))) {
    writeFileSync(join(plots, `${name}.svg`), svg);
  }
}

/** Rounds to four digits. More digits would only be noise. */
function roundNumber(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toPrecision(4)) : value;
}
