import { getHeapStatistics } from "node:v8";
import { argumentInvalid } from "../errors/argumentInvalid.js";

/*
 * What Pulumi's dynamic provider needs at the peak of a refresh, when it has all properties four times
 * as protobuf messages. Measured by the smallest `--max-old-space-size` with which a refresh succeeds:
 * @pulumi/pulumi 3.270, Node 20, 100 to 5,000 projects, and texts of 100 KB. docs/scaling.md has more.
 */
const bytesPerValue = 4_400;
const bytesPerCharacter = 22;

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
  const size: Size = { values: 0, characters: 0 };
  addSize(size, recorded);
  const neededBytes = size.values * bytesPerValue + size.characters * bytesPerCharacter;
  if (neededBytes <= limitBytes) return;
  // A quarter more, because garbage collection slows down near the limit.
  const count = Math.ceil((neededBytes * 1.25) / limitBytes);
  const newLimit = Math.ceil((neededBytes * 1.25) / 500e6) * 500;
  throw argumentInvalid(
    `ProjectsSnapshot selects ${Object.keys(recorded.projects).length.toLocaleString("en-US")} projects, which is too many for one resource: Pulumi's provider would need about ${gigabytes(neededBytes)} of memory to refresh them, and Node's limit is ${gigabytes(limitBytes)} here. Record them in several stacks, and select the projects of each stack with filters, or with shard: { index, count: ${count} }. If the machine has the memory, you can raise the limit instead: set NODE_OPTIONS=--max-old-space-size=${newLimit} for every Pulumi command.`,
  );
}

interface Size {
  values: number;
  characters: number;
}

function addSize(size: Size, value: unknown): void {
  if (value === undefined) return;
  size.values++;
  if (typeof value === "string") size.characters += value.length;
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (!Array.isArray(value)) size.characters += key.length;
    addSize(size, member);
  }
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toPrecision(2)} GB`;
}
