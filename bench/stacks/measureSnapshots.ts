import { startSandbox } from "../../sandbox/index.js";
import { manyProjects } from "./manyProjects.js";
import { type Sample, sampleOf } from "../sample.js";
import { createStack, deleteStacks, type PulumiStack } from "./pulumiStack.js";

/** The duration of `pulumi preview` with many unchanged snapshots, and the size of their state. */
export interface SnapshotsResult {
  readonly snapshots: number;
  readonly seconds: { readonly snapshots: Sample; readonly reads: Sample };
  /** The time divided by that of a program that reads as many projects with getProjectOutput. */
  readonly ratioToReads: Sample;
  /** Bytes in the state, for a project with 3 environments and 6 databases. */
  readonly bytesPerSnapshot: number;
}

/** Compares `pulumi preview` of unchanged snapshots with that of as many reads. */
export async function measureSnapshots(count: number, runs: number): Promise<SnapshotsResult> {
  const sandbox = await startSandbox({ projects: manyProjects(count) });
  await deleteStacks();
  try {
    const readsProgram = programOf(count, "getProjectOutput({ projectId })");
    const reads = await createStack("reads", readsProgram, sandbox);
    const snapshotsProgram = programOf(count, "new ProjectSnapshot(projectId, { projectId })");
    const snapshots = await createStack("snapshots", snapshotsProgram, sandbox);
    for (const stack of [reads, snapshots]) await stack.pulumi("up", "--yes", "--skip-preview");

    const times: { reads: number; snapshots: number }[] = [];
    for (let round = 0; round < runs; round++) {
      times.push({ reads: await reads.timePreview(), snapshots: await snapshots.timePreview() });
    }
    return {
      snapshots: count,
      seconds: {
        snapshots: sampleOf(times.map((time) => time.snapshots / 1_000)),
        reads: sampleOf(times.map((time) => time.reads / 1_000)),
      },
      ratioToReads: sampleOf(times.map((time) => time.snapshots / time.reads)),
      bytesPerSnapshot: await averageBytes(snapshots),
    };
  } finally {
    await sandbox.close();
    await deleteStacks();
  }
}

function programOf(count: number, statement: string): string {
  return `const { getProjectOutput, ProjectSnapshot } = require("pulumi-project-service");
for (let n = 0; n < ${count}; n++) {
  const projectId = \`p-\${n}\`;
  ${statement};
}
`;
}

async function averageBytes(stack: PulumiStack): Promise<number> {
  const exported = await stack.pulumi("stack", "export", "--stack", "bench");
  const { deployment } = JSON.parse(exported) as {
    deployment: { resources: { type: string }[] };
  };
  const snapshots = deployment.resources.filter(({ type }) => type.endsWith(":ProjectSnapshot"));
  return Math.round(Buffer.byteLength(JSON.stringify(snapshots)) / snapshots.length);
}
