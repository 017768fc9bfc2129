// Updates the stacks of all shards, so many at a time, and checks that they record every project once:
//   node run.mjs [--shards 4] [--parallel 2]
// Reads the service that the PROJECT_SERVICE_* variables name, and makes the stacks that are missing
// in the backend that Pulumi is logged in to (PULUMI_BACKEND_URL).
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { pulumi, shardStacks } from "./stacks.mjs";

const { values } = parseArgs({
  options: {
    shards: { type: "string", default: "4" },
    parallel: { type: "string", default: String(availableParallelism()) },
  },
});
const [shards, parallel] = [values.shards, values.parallel].map(Number);
if (!(Number.isInteger(shards) && shards > 0 && Number.isInteger(parallel) && parallel > 0)) {
  console.error("--shards and --parallel take whole numbers from 1");
  process.exit(2);
}

const existing = await shardStacks();
const waiting = Array.from({ length: shards }, (_, shard) => shard);
let failed = 0;

async function update(shard) {
  const stack = `shard-${shard}`;
  const start = performance.now();
  if (!existing.includes(stack)) await pulumi("stack", "init", stack, "--no-select");
  const share = ["--config", `shard=${shard}`, "--config", `shards=${shards}`];
  await pulumi("up", "--yes", "--skip-preview", "--stack", stack, ...share);
  console.log(`${stack} is up to date, ${((performance.now() - start) / 1_000).toFixed(1)} s`);
}

/** One after the other, while there are any. A shard that fails stops no other. */
async function work() {
  for (let shard = waiting.shift(); shard !== undefined; shard = waiting.shift()) {
    try {
      await update(shard);
    } catch (error) {
      failed++;
      console.error(`shard-${shard} failed\n${error.stdout ?? ""}${error.stderr ?? error.message}`);
    }
  }
}

await Promise.all(Array.from({ length: parallel }, work));
if (failed > 0) process.exitCode = 1;
else await import("./check.mjs");
