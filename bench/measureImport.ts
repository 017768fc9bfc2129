import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { type Sample, sampleOf } from "./sample.js";

const root = join(__dirname, "../..");
const script = `
const startMs = performance.now();
require("@pulumi/pulumi");
const pulumiMs = performance.now();
require("pulumi-project-service");
process.stdout.write(JSON.stringify([pulumiMs - startMs, performance.now() - pulumiMs]));
`;

export interface ImportResult {
  readonly pulumiMs: Sample;
  /** The time in addition to the import of @pulumi/pulumi. */
  readonly packageMs: Sample;
  /** `packageMs` divided by `pulumiMs`. */
  readonly ratioToPulumi: Sample;
}

/** Measures the import of the package after that of @pulumi/pulumi. Each run is a new process. */
export function measureImport(runs: number): ImportResult {
  const times = Array.from({ length: runs }, () => {
    const printed = execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" });
    return JSON.parse(printed) as [pulumiMs: number, packageMs: number];
  });
  return {
    pulumiMs: sampleOf(times.map(([pulumiMs]) => pulumiMs)),
    packageMs: sampleOf(times.map(([, packageMs]) => packageMs)),
    ratioToPulumi: sampleOf(times.map(([pulumiMs, packageMs]) => packageMs / pulumiMs)),
  };
}
