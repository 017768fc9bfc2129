import * as pulumi from "@pulumi/pulumi";

/** Which part of the fleet a stack records. */
export interface Share {
  /** From 0. */
  readonly shard: number;
  readonly shards: number;
  readonly includeCredentials: boolean;
}

/** Reads the stack's config; what is wrong with it is said all at once. */
export function readShare(config: pulumi.Config): Share {
  const shard = wholeNumber(config.get("shard"));
  const shards = wholeNumber(config.get("shards"));
  const problems: string[] = [];
  if (shards === undefined || shards < 1) {
    problems.push("shards must be how many stacks share the fleet: pulumi config set shards 4");
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
