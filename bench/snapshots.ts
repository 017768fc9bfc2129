import { startSandbox } from "../sandbox/index.js";
import { manyProjects } from "./manyProjects.js";
import { forgetStacks, makeStack, type PulumiStack } from "./pulumiStack.js";
import { type Sample, sampleOf } from "./statistics.js";

/** What `pulumi preview` takes with many snapshots of which none has changed. */
export interface SnapshotsResult {
  readonly snapshots: number;
  readonly seconds: { readonly snapshots: Sample; readonly reads: Sample };
  /** Time as a multiple of a program's that reads as many projects with getProjectOutput. */
  readonly ofReads: Sample;
  /** In the state, of a project with 3 environments and 6 databases. */
  readonly bytesPerSnapshot: number;
}

/** `pulumi preview` of unchanged snapshots beside as many reads, and what a snapshot takes. */
export async function measureSnapshots(count: number, runs: number): Promise<SnapshotsResult> {
  const sandbox = await startSandbox({ projects: manyProjects(count) });
  await forgetStacks();
  try {
    const readsProgram = programOf(count, "getProjectOutput({ projectId })");
    const reads = await makeStack("reads", readsProgram, sandbox);
    const snapshotsProgram = programOf(count, "new ProjectSnapshot(projectId, { projectId })");
    const snapshots = await makeStack("snapshots", snapshotsProgram, sandbox);
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
      ofReads: sampleOf(times.map((time) => time.snapshots / time.reads)),
      bytesPerSnapshot: await bytesPerSnapshot(snapshots),
    };
  } finally {
    await sandbox.close();
    await forgetStacks();
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

async function bytesPerSnapshot(stack: PulumiStack): Promise<number> {
  const exported = await stack.pulumi("stack", "export", "--stack", "bench");
  const { deployment } = JSON.parse(exported) as {
    deployment: { resources: { type: string }[] };
  };
  const snapshots = deployment.resources.filter(({ type }) => type.endsWith(":ProjectSnapshot"));
  return Math.round(Buffer.byteLength(JSON.stringify(snapshots)) / snapshots.length);
}
