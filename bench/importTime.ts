import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type Sample, sampleOf } from "./statistics.js";

const root = join(__dirname, "../..");
const script = `
const start = performance.now();
require("@pulumi/pulumi");
const pulumi = performance.now();
require("pulumi-project-service");
process.stdout.write(JSON.stringify([pulumi - start, performance.now() - pulumi]));
`;

export interface ImportResult {
  readonly pulumiMs: Sample;
  /** Beyond @pulumi/pulumi. */
  readonly packageMs: Sample;
  readonly ofPulumi: Sample;
}

/** What importing the package costs beyond @pulumi/pulumi, each time in a new process. */
export function measureImport(runs: number): ImportResult {
  const times = Array.from({ length: runs }, () => {
    const printed = execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" });
    return JSON.parse(printed) as [number, number];
  });
  return {
    pulumiMs: sampleOf(times.map(([pulumi]) => pulumi)),
    packageMs: sampleOf(times.map(([, ours]) => ours)),
    ofPulumi: sampleOf(times.map(([pulumi, ours]) => ours / pulumi)),
  };
}
