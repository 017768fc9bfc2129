import * as pulumi from "@pulumi/pulumi";

/** The part of the fleet that a stack records. */
export interface Share {
  /** Counts from 0. */
  readonly shard: number;
  readonly shards: number;
  readonly includeCredentials: boolean;
}

/** Reads the config of the stack. Throws one error that names all wrong settings. */
export function readShare(config: pulumi.Config): Share {
  const shard = wholeNumber(config.get("shard"));
  const shards = wholeNumber(config.get("shards"));
  const problems: string[] = [];
  if (shards === undefined || shards < 1) {
    problems.push(
      "shards must be the number of stacks that share the fleet, from 1: pulumi config set shards 4",
    );
  }
  if (shard === undefined || (shards !== undefined && shards > 0 && shard >= shards)) {
    const last = shards ? shards - 1 : "shards - 1";
    problems.push(`shard must be a whole number from 0 to ${last}: pulumi config set shard 0`);
  }
  if (shard === undefined || shards === undefined || problems.length > 0) {
    throw new pulumi.RunError(`The config of the stack is wrong.\n${problems.join("\n")}`);
  }
  return { shard, shards, includeCredentials: config.getBoolean("includeCredentials") ?? false };
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
