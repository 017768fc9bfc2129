import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { inspect } from "node:util";
import fc from "fast-check";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";

/** A part of every secret in a fuzz test. No escaping or encoding of text changes it. */
export const canary = "c4nary";

/** The time limit of a case, in ms. */
export const boundMs = 10_000;

export const fuzzSeed = Number(process.env["FUZZ_SEED"] ?? randomInt(2 ** 31));

/** Prints the seed, with which a run can be repeated. */
export function announceSeed(): void {
  assert.ok(Number.isInteger(fuzzSeed), "FUZZ_SEED must be a whole number");
  console.log(`    FUZZ_SEED=${fuzzSeed}`);
}

export type Outcome = "accepted" | "rejected";

/**
 * Runs a property for `numRuns` cases, and prints the numbers of their outcomes.
 *
 * @param expected the outcomes that more than a twentieth of the cases must have.
 */
export async function forEachCase<T>(
  numRuns: number,
  cases: fc.Arbitrary<T>,
  outcome: (value: T) => Promise<Outcome>,
  expected: readonly Outcome[] = ["accepted", "rejected"],
): Promise<void> {
  const counts = { accepted: 0, rejected: 0 };
  let longestMs = 0;
  const before = prototypes();
  await fc.assert(
    fc.asyncProperty(cases, async (value) => {
      const startMs = performance.now();
      counts[await inTime(outcome(value))]++;
      longestMs = Math.max(longestMs, performance.now() - startMs);
      assert.deepEqual(prototypes(), before, "a prototype was polluted");
    }),
    { seed: fuzzSeed, numRuns },
  );
  const { accepted, rejected } = counts;
  console.log(
    `      ${accepted} accepted, ${rejected} rejected, the longest took ${Math.ceil(longestMs)} ms`,
  );
  for (const name of expected) assert.ok(counts[name] > numRuns / 20, `too few are ${name}`);
  assert.ok(longestMs < boundMs, `a case took ${longestMs} ms`);
}

/** Checks the result of a read, or its error. */
export async function outcomeOf(
  read: Promise<unknown>,
  check: (result: unknown) => void,
): Promise<Outcome> {
  const [result] = await Promise.allSettled([read]);
  if (result.status === "fulfilled") check(result.value);
  else assertHarmless(result.reason);
  return result.status === "fulfilled" ? "accepted" : "rejected";
}

/** Fails unless the error is a readable ProjectServiceError that shows no secret, however it is printed. */
function assertHarmless(error: unknown): void {
  assert.ok(error instanceof ProjectServiceError, `not a ProjectServiceError: ${inspect(error)}`);
  assert.ok(!("cause" in error));
  assert.doesNotMatch(error.message, /bug in pulumi-project-service/);
  assert.doesNotMatch(
    error.message,
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u,
    "not on one line, or not visible",
  );
  assert.ok(error.message.length < 5_000, `${error.message.length} characters long`);
  const shown = [
    inspect(error, { depth: Infinity, showHidden: true, getters: true }),
    JSON.stringify(error),
    JSON.stringify(error, Object.getOwnPropertyNames(error)),
    error.stack,
    error.message,
    String(error),
  ].join("\n");
  assert.ok(!shown.includes(canary), `contains a secret: ${shown}`);
}

async function inTime<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new assert.AssertionError({ message: `no result within ${boundMs} ms` })),
      boundMs,
    );
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function prototypes() {
  return [Object.prototype, Array.prototype].map((prototype) =>
    Reflect.ownKeys(prototype).map((key) => [
      key,
      Object.getOwnPropertyDescriptor(prototype, key)?.value as unknown,
    ]),
  );
}
