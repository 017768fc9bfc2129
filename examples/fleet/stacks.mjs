import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs the Pulumi CLI. Returns its stdout. */
export async function pulumi(...args) {
  const options = { maxBuffer: 256 * 1024 * 1024 };
  const { stdout } = await run("pulumi", [...args, "--non-interactive"], options);
  return stdout;
}

/** Returns the stacks of all shards in the backend. Their names end with the number of the shard. */
export async function shardStacks() {
  const stacks = JSON.parse(await pulumi("stack", "ls", "--json"));
  return stacks.map(({ name }) => name).filter((name) => /(^|\/)shard-\d+$/.test(name));
}
