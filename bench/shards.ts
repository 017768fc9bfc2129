/* `node dist/bench/shards.js [projects...]`: one stack beside four shards; docs/scaling.md shows it. */
import { startSandbox } from "../sandbox/index.js";
import { manyProjects } from "./manyProjects.js";
import { forgetStacks, makeStack, type PulumiStack } from "./pulumiStack.js";

const shards = 4;

/** As in examples/fleet, but in JavaScript, for compiling is no part of it. */
const programOf = (shard: number, of: number) => `
const { createHash } = require("node:crypto");
const { getProjects, ProjectSnapshot } = require("pulumi-project-service");
const shardOf = (id) => createHash("sha256").update(id).digest().readUInt32BE() % ${of};
module.exports = async () => {
  const { projects } = await getProjects();
  for (const { projectId } of projects.filter(({ projectId }) => shardOf(projectId) === ${shard})) {
    new ProjectSnapshot(projectId, { projectId, includeCredentials: false });
  }
};
`;

const create = (stack: PulumiStack) => seconds(stack.pulumi("up", "--yes", "--skip-preview"));
const preview = (stack: PulumiStack) => seconds(stack.pulumi("preview", "--expect-no-changes"));

async function seconds(work: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work;
  return (performance.now() - start) / 1_000;
}

/** The slowest of them, each alone on the machine. */
async function apart(stacks: PulumiStack[], what: typeof create): Promise<number> {
  let slowest = 0;
  for (const stack of stacks) slowest = Math.max(slowest, await what(stack));
  return slowest;
}

async function measure(count: number): Promise<void> {
  const sandbox = await startSandbox({ projects: manyProjects(count) });
  const stacksOf = (name: string, of: number) =>
    Promise.all(
      Array.from({ length: of }, (_, n) => makeStack(`${name}-${n}`, programOf(n, of), sandbox)),
    );
  await forgetStacks();
  try {
    const one = await stacksOf("one", 1);
    const some = await stacksOf("apart", shards);
    const others = await stacksOf("together", shards);
    const together = (what: typeof create) => seconds(Promise.all(others.map(what)));
    const rows: [string, typeof create][] = [
      ["up, all new", create],
      ["preview, unchanged", preview],
      ["up, unchanged", create],
    ];
    for (const [title, what] of rows) {
      const times = [await apart(one, what), await apart(some, what), await together(what)];
      const [single, alone, all] = times.map((time) => time.toFixed(1));
      console.log(
        `${count} projects, ${title}: one stack ${single} s; of ${shards} shards the slowest, alone, ${alone} s; all at once ${all} s`,
      );
    }
  } finally {
    await sandbox.close();
    await forgetStacks();
  }
}

async function main(): Promise<void> {
  const counts = process.argv.slice(2).map(Number);
  for (const count of counts.length > 0 ? counts : [100, 500, 1_000]) await measure(count);
}

void main();
