import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

// The state is saved once, at the end. Otherwise Pulumi saves it whole after every resource, which
// takes most of the time of a first run. A run that is cut off records nothing, and the next one all.
const env = { PULUMI_SKIP_CHECKPOINTS: "true", ...process.env };

/** Runs the Pulumi CLI; gives what it printed. */
export async function pulumi(...args) {
  const options = { env, maxBuffer: 256 * 1024 * 1024 };
  const { stdout } = await run("pulumi", [...args, "--non-interactive"], options);
  return stdout;
}

/** The stacks of shards that are in the backend; their names end in the number of the shard. */
export async function shardStacks() {
  const stacks = JSON.parse(await pulumi("stack", "ls", "--json"));
  return stacks.map(({ name }) => name).filter((name) => /(^|\/)shard-\d+$/.test(name));
}
