/*
 * `npm run bench [-- measurement...]`: runs all measurements, or those that are named, and prints
 * ratios. A measurement never fails because of its result. All take about an hour.
 */
import { cpus } from "node:os";
import { inspect } from "node:util";
import { measureImport } from "./measureImport.js";
import { credentialsModes } from "./reads/contenders.js";
import { measureAudit, measureLatency, measureReads } from "./reads/measureReads.js";
import { displaySamples } from "./sample.js";
import { fleets, type FleetResult, fleetsWithFields, measureFleet } from "./stacks/measureFleet.js";
import { measurePreviews } from "./stacks/measurePreviews.js";

/** Each measurement returns its result, or several. It prints each of them as soon as it is known. */
const measurements: Record<string, () => unknown> = {
  import: () => printed(measureImport(15)),
  audit: async () => printed(await measureAudit(5_000, 9)),
  previews: async () => printed(await measurePreviews(21)),
  recording: () => measureFleets(fleets),
  ...Object.fromEntries(
    [500, 3_000, 10_000].map((count) => [
      `fields-${count}`,
      () => measureFleets(fleetsWithFields(count)),
    ]),
  ),
  async reads() {
    const results = [];
    for (const [projects, credentials, runs] of [
      ...credentialsModes.map((mode) => [1_000, mode, 15] as const),
      [1, "available", 9],
      [100, "available", 9],
      [10_000, "available", 5],
    ] as const) {
      results.push(printed(await measureReads(projects, credentials, runs)));
    }
    return results;
  },
  latency: async () => printed(await measureLatency(1_000, 20, 5)),
};

async function measureFleets(measured: typeof fleets): Promise<FleetResult[]> {
  const results = [];
  for (const fleet of measured) results.push(printed(await measureFleet(fleet)));
  return results;
}

function printed<T>(result: T): T {
  console.log(inspect(displaySamples(result), { depth: null, breakLength: 120 }));
  return result;
}

async function main(names: readonly string[]): Promise<void> {
  const known = Object.keys(measurements);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`There is no measurement ${unknown.join()}. There are ${known.join(", ")}.`);
  }
  const [cpu, { length: cores }] = [cpus()[0]?.model.trim() ?? "unknown", cpus()];
  console.log(`Node ${process.version}, ${cores} × ${cpu}`);
  for (const [name, measure] of Object.entries(measurements)) {
    if (names.length > 0 && !names.includes(name)) continue;
    console.log(`\n${name}:`);
    await measure();
  }
}

void main(process.argv.slice(2));
