import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Runs the Pulumi CLI; gives what it printed. */
export async function pulumi(...args) {
  const options = { maxBuffer: 256 * 1024 * 1024 };
  const { stdout } = await run("pulumi", [...args, "--non-interactive"], options);
  return stdout;
}

/** The stacks of shards that are in the backend; their names end in the number of the shard. */
export async function shardStacks() {
  const stacks = JSON.parse(await pulumi("stack", "ls", "--json"));
  return stacks.map(({ name }) => name).filter((name) => /(^|\/)shard-\d+$/.test(name));
}
