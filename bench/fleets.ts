/*
 * `node dist/bench/fleets.js [resource] [projects...]`: a part of the measurement `recording` of
 * `npm run bench`. Records fleets with ProjectsSnapshot or with ProjectSnapshot, default both. Without
 * sizes, it takes all of them. Replaces the results of these fleets in bench/results.json and in the
 * plots.
 */
import { recordingLines } from "./report/resultLines.js";
import { readResults, saveResults } from "./report/saveResults.js";
import {
  allFleets,
  type Fleet,
  fleetSizes,
  measureRecording,
  mergeRecordings,
} from "./stacks/measureRecording.js";

function parseFleets(args: readonly string[]): Fleet[] {
  const sizes = args.filter((text) => /^\d+$/.test(text)).map(Number);
  const named = args.filter((text) => !/^\d+$/.test(text));
  const resources = Object.keys(fleetSizes) as (keyof typeof fleetSizes)[];
  if (named.some((text) => !(text in fleetSizes))) {
    throw new Error(`The resources are ${resources.join(" and ")}.`);
  }
  const chosen = resources.filter((resource) => named.length === 0 || named.includes(resource));
  if (sizes.length === 0) return allFleets().filter(({ resource }) => chosen.includes(resource));
  return chosen.flatMap((resource) => sizes.map((projects) => ({ resource, projects })));
}

async function main(args: readonly string[]): Promise<void> {
  for (const fleet of parseFleets(args)) {
    const result = await measureRecording(fleet);
    console.log(recordingLines(result));
    const results = readResults();
    saveResults({ ...results, recording: mergeRecordings(results.recording, [result]) });
  }
}

void main(process.argv.slice(2));
