import { createHash } from "node:crypto";

/** One of `count` parts of a fleet. A project is always in the same part, on every machine. */
export interface Shard {
  /** Number of the part, from 0 to `count` - 1. */
  readonly index: number;
  /** Number of parts, 1 or more. */
  readonly count: number;
}

/** Whether a project is in a part of the fleet. The part depends on the project's id alone. */
export function isInShard(projectId: string, { index, count }: Shard): boolean {
  return createHash("sha256").update(projectId).digest().readUInt32BE() % count === index;
}
