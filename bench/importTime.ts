import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { sampleOf } from "./statistics.js";

const runs = 15;
const root = join(__dirname, "../..");
const script = `
const start = performance.now();
require("@pulumi/pulumi");
const pulumi = performance.now();
require("pulumi-project-service");
process.stdout.write(JSON.stringify([pulumi - start, performance.now() - pulumi]));
`;

/** What importing the package costs beyond @pulumi/pulumi, each time in a new process. */
export function measureImport(): string {
  const times = Array.from(
    { length: runs },
    () =>
      JSON.parse(
        execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" }),
      ) as [number, number],
  );
  const pulumi = sampleOf(times.map(([time]) => time)).median;
  const ours = sampleOf(times.map(([, time]) => time)).median;
  return `import: ${ours.toFixed(1)} ms beyond @pulumi/pulumi's ${pulumi.toFixed(0)} ms, a ratio of ${(ours / pulumi).toFixed(3)} (median of ${runs})`;
}
