/*
 * What Pulumi's dynamic provider needs at the peak of a refresh, when it has all properties four times
 * as protobuf messages. Measured by the smallest `--max-old-space-size` with which a refresh succeeds:
 * @pulumi/pulumi 3.216 and 3.270, Node 20, 22 and 24, up to 5,000 projects, texts of up to 100 KB in
 * ASCII, Latin, Chinese and emoji. The estimate is at most 20 % above the measured memory.
 */
import { getHeapStatistics } from "node:v8";
import { argumentInvalid } from "../errors/projectServiceError.js";

const baseBytes = 58e6;
const bytesPerValue = 4_600;
const bytesPerTextByte = 23.7;

/** The part of Node's limit that is for new objects only. */
export const youngBytes = Number(process.versions.node.split(".")[0]) < 24 ? 50e6 : 201e6;

/**
 * Fails if Pulumi could not refresh the projects in the memory that Node may use. Without this check,
 * the provider's process ends with a native stack trace and Pulumi prints "error reading from server:
 * EOF".
 *
 * @param recorded the properties to be recorded.
 * @param limitBytes the largest heap of a process. Program and provider have the same, because both get
 *   NODE_OPTIONS.
 * @throws ProjectServiceError `ARGUMENT_INVALID`.
 */
export function checkMemory(
  recorded: { readonly projects: object },
  limitBytes = getHeapStatistics().heap_size_limit,
): void {
  const neededBytes = refreshBytes(recorded);
  if (neededBytes <= limitBytes) return;
  // A quarter more, because garbage collection slows down near the limit.
  const count = Math.ceil((neededBytes * 1.25) / limitBytes);
  const newLimit = Math.ceil((neededBytes * 1.25) / 500e6) * 500;
  throw argumentInvalid(
    `ProjectsSnapshot selects ${Object.keys(recorded.projects).length.toLocaleString("en-US")} projects, which is too many for one resource: Pulumi's provider would need about ${gigabytes(neededBytes)} of memory to refresh them, and Node's limit is ${gigabytes(limitBytes)} here. List the fields that you watch in fields. Or record the projects in several stacks, and select those of each stack with filters, or with shard: { index, count: ${count} }. If the machine has the memory, you can raise the limit instead: set NODE_OPTIONS=--max-old-space-size=${newLimit} for every Pulumi command.`,
  );
}

/** Returns about how much memory Node must be allowed to use for a refresh of these properties. */
export function refreshBytes(recorded: object): number {
  let values = 0;
  let textBytes = 0;

  function add(value: unknown): void {
    values++;
    if (typeof value === "string") textBytes += bytesOf(value);
    if (typeof value !== "object" || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue;
      if (!Array.isArray(value)) textBytes += bytesOf(key);
      add(member);
    }
  }

  add(recorded);
  return youngBytes + baseBytes + values * bytesPerValue + textBytes * bytesPerTextByte;
}

/** Text takes its length in UTF-8. One character above U+00FF makes V8 store all others in two bytes. */
function bytesOf(text: string): number {
  const bytes = Buffer.byteLength(text);
  return bytes === text.length ? bytes : Math.max(bytes, 1.5 * text.length);
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toPrecision(2)} GB`;
}
