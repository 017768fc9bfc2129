// Updates the stacks of all shards. Then checks that together they record every project exactly once:
//   node run.mjs [--shards 4] [--parallel 2]
// --parallel limits how many updates run at the same time. Default: the number of processors.
// Reads the service that the PROJECT_SERVICE_* variables name. Creates missing stacks in the backend
// that Pulumi uses (PULUMI_BACKEND_URL).
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
  console.error(
    "--shards and --parallel must be whole numbers from 1. Example: node run.mjs --shards 4",
  );
  process.exit(2);
}

const existing = await shardStacks();
const waiting = Array.from({ length: shards }, (_, shard) => shard);
let failed = 0;

async function update(shard) {
  const stack = `shard-${shard}`;
  const startMs = performance.now();
  if (!existing.includes(stack)) await pulumi("stack", "init", stack, "--no-select");
  const config = ["--config", `shard=${shard}`, "--config", `shards=${shards}`];
  await pulumi("up", "--yes", "--skip-preview", "--stack", stack, ...config);
  console.log(`${stack} is up to date, ${((performance.now() - startMs) / 1_000).toFixed(1)} s`);
}

/** Updates waiting shards one after the other. A failed shard does not stop the others. */
async function updateWaiting() {
  for (let shard = waiting.shift(); shard !== undefined; shard = waiting.shift()) {
    try {
      await update(shard);
    } catch (error) {
      failed++;
      console.error(`shard-${shard} failed\n${error.stdout ?? ""}${error.stderr ?? error.message}`);
    }
  }
}

await Promise.all(Array.from({ length: parallel }, updateWaiting));
if (failed > 0) process.exitCode = 1;
else await import("./check.mjs");
