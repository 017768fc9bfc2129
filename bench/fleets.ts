/*
 * `node dist/bench/fleets.js [resource] [projects...]`: records fleets of different sizes, and prints
 * the time, the size of the state, and what each process of Pulumi used. The resource is
 * ProjectsSnapshot (default) or ProjectSnapshot.
 */
import { measureFleet, type RecordingResource } from "./stacks/measureFleet.js";
import type { CommandRun } from "./stacks/pulumiStack.js";

function lineOf(command: string, { seconds, processes }: CommandRun): string {
  const uses = Object.entries(processes).map(
    ([name, { cpuSeconds, peakMegabytes }]) =>
      `${name} ${cpuSeconds.toFixed(1)} s of CPU and ${peakMegabytes.toFixed(0)} MB`,
  );
  return `  ${command} ${seconds.toFixed(1)} s: ${uses.join(", ")}`;
}

async function main(): Promise<void> {
  const isCount = (argument: string) => /^\d+$/.test(argument);
  const [resource = "ProjectsSnapshot"] = process.argv.slice(2).filter((text) => !isCount(text));
  const counts = process.argv.slice(2).filter(isCount).map(Number);
  const commands = ["up", "preview", "refresh"] as const;
  for (const count of counts.length > 0 ? counts : [100, 500, 1_000, 2_000]) {
    const { runs, stateMegabytes } = await measureFleet(
      count,
      resource as RecordingResource,
      commands,
    );
    console.log(`${count} projects with ${resource}, state ${stateMegabytes.toFixed(1)} MB`);
    for (const [index, run] of runs.entries()) console.log(lineOf(commands[index] as string, run));
  }
}

void main();
