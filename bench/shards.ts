/*
 * `node dist/bench/shards.js [projects...]`: compares one stack with four shards. docs/scaling.md
 * shows the results.
 */
import { startSandbox } from "../sandbox/index.js";
import { manyProjects } from "./stacks/manyProjects.js";
import { createStack, deleteStacks, type PulumiStack } from "./stacks/pulumiStack.js";

const shardCount = 4;

/** Records a shard as ProjectSnapshots. In JavaScript, so that the times do not include compiling. */
const programOf = (shard: number, shards: number) => `
const { createHash } = require("node:crypto");
const { getProjects, ProjectSnapshot } = require("pulumi-project-service");
const shardOf = (id) => createHash("sha256").update(id).digest().readUInt32BE() % ${shards};
module.exports = async () => {
  const { projects } = await getProjects();
  for (const { projectId } of projects.filter(({ projectId }) => shardOf(projectId) === ${shard})) {
    new ProjectSnapshot(projectId, { projectId, includeCredentials: false });
  }
};
`;

type Operation = (stack: PulumiStack) => Promise<number>;

const up: Operation = (stack) => seconds(stack.pulumi("up", "--yes", "--skip-preview"));
const preview: Operation = (stack) => seconds(stack.pulumi("preview", "--expect-no-changes"));

async function seconds(work: Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work;
  return (performance.now() - startMs) / 1_000;
}

/** Runs an operation on one stack after the other. Returns the time of the slowest one. */
async function slowestAlone(stacks: PulumiStack[], operation: Operation): Promise<number> {
  let slowest = 0;
  for (const stack of stacks) slowest = Math.max(slowest, await operation(stack));
  return slowest;
}

async function measure(count: number): Promise<void> {
  const sandbox = await startSandbox({ projects: manyProjects(count) });
  const createStacks = (name: string, shards: number) =>
    Promise.all(
      Array.from({ length: shards }, (_, shard) =>
        createStack(`${name}-${shard}`, programOf(shard, shards), sandbox),
      ),
    );
  await deleteStacks();
  try {
    const single = await createStacks("single", 1);
    const alone = await createStacks("alone", shardCount);
    const together = await createStacks("together", shardCount);
    const rows: [string, Operation][] = [
      ["up, all new", up],
      ["preview, unchanged", preview],
      ["up, unchanged", up],
    ];
    for (const [title, operation] of rows) {
      const times = [
        await slowestAlone(single, operation),
        await slowestAlone(alone, operation),
        await seconds(Promise.all(together.map(operation))),
      ].map((time) => time.toFixed(1));
      console.log(
        `${count} projects, ${title}: one stack ${times[0]} s; slowest of ${shardCount} shards, one after the other, ${times[1]} s; all ${shardCount} at the same time ${times[2]} s`,
      );
    }
  } finally {
    await sandbox.close();
    await deleteStacks();
  }
}

async function main(): Promise<void> {
  const counts = process.argv.slice(2).map(Number);
  for (const count of counts.length > 0 ? counts : [100, 500, 1_000]) await measure(count);
}

void main();
