import { sampleProjects, startSandbox } from "../sandbox/index.js";
import { forgetStacks, makeStack, type PulumiStack } from "./pulumiStack.js";
import { sampleOf, shownSample } from "./statistics.js";

const snapshotCount = 100;
const runs = 7;

/** `pulumi preview` of 100 unchanged snapshots beside 100 reads, and what a snapshot takes. */
export async function measureSnapshots(): Promise<string[]> {
  const sandbox = await startSandbox({ projects: manyProjects() });
  await forgetStacks();
  try {
    const reads = await makeStack("reads", programOf("getProjectOutput({ projectId })"), sandbox);
    const snapshots = await makeStack(
      "snapshots",
      programOf("new ProjectSnapshot(projectId, { projectId })"),
      sandbox,
    );
    for (const stack of [reads, snapshots]) await stack.pulumi("up", "--yes", "--skip-preview");

    const times: { reads: number; snapshots: number }[] = [];
    for (let index = 0; index < runs; index++) {
      times.push({ reads: await reads.timePreview(), snapshots: await snapshots.timePreview() });
    }
    const ratio = sampleOf(times.map((time) => time.snapshots / time.reads));
    const seconds = (of: "reads" | "snapshots") =>
      (sampleOf(times.map((time) => time[of])).median / 1_000).toFixed(2);
    return [
      `preview of ${snapshotCount} unchanged snapshots: ${seconds("snapshots")} s beside ${seconds("reads")} s of ${snapshotCount} getProjectOutput, a ratio of ${shownSample(ratio)}`,
      `state: ${await bytesPerSnapshot(snapshots)} bytes a snapshot, of a project with 3 environments and 6 databases`,
    ];
  } finally {
    await sandbox.close();
    await forgetStacks();
  }
}

function manyProjects() {
  const [sample] = sampleProjects();
  return Array.from({ length: snapshotCount }, (_, index) => ({
    ...structuredClone(sample as NonNullable<typeof sample>),
    _id: `p-${index}`,
  }));
}

function programOf(statement: string): string {
  return `const { getProjectOutput, ProjectSnapshot } = require("pulumi-project-service");
for (let n = 0; n < ${snapshotCount}; n++) {
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
