import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { inspect } from "node:util";
import fc from "fast-check";
import { ProjectServiceError } from "../../provider/errors.js";

/** Part of every secret that a fuzz test hands out; no way to escape or encode text changes it. */
export const canary = "c4nary";

/** No case takes longer. */
export const boundMs = 10_000;

export const fuzzSeed = Number(process.env["FUZZ_SEED"] ?? randomInt(2 ** 31));

/** Green or red, a run can be repeated. */
export function announceSeed(): void {
  assert.ok(Number.isInteger(fuzzSeed), "FUZZ_SEED must be a whole number");
  console.log(`    FUZZ_SEED=${fuzzSeed}`);
}

export type Outcome = "taken" | "refused";

/** Runs a property for so many cases and says how they came out; `expected` is how some have to. */
export async function forEachCase<T>(
  numRuns: number,
  cases: fc.Arbitrary<T>,
  outcome: (value: T) => Promise<Outcome>,
  expected: readonly Outcome[] = ["taken", "refused"],
): Promise<void> {
  const counts = { taken: 0, refused: 0 };
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
  const { taken, refused } = counts;
  console.log(
    `      ${taken} taken, ${refused} refused, the longest in ${Math.ceil(longestMs)} ms`,
  );
  for (const some of expected) assert.ok(counts[some] > numRuns / 20, `too few are ${some}`);
  assert.ok(longestMs < boundMs, `one took ${longestMs} ms`);
}

/** Checks what a reading gives, or the error that it fails with. */
export async function outcomeOf(
  reading: Promise<unknown>,
  check: (result: unknown) => void,
): Promise<Outcome> {
  const [result] = await Promise.allSettled([reading]);
  if (result.status === "fulfilled") check(result.value);
  else assertHarmless(result.reason);
  return result.status === "fulfilled" ? "taken" : "refused";
}

/** Our error, without a secret in any way to print it, and such as a person can read. */
function assertHarmless(error: unknown): void {
  assert.ok(error instanceof ProjectServiceError, `not ours: ${inspect(error)}`);
  assert.ok(!("cause" in error));
  assert.doesNotMatch(error.message, /fault of the package/);
  assert.doesNotMatch(error.message, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u, "not on one line");
  assert.ok(error.message.length < 5_000, `${error.message.length} characters long`);
  const shown = [
    inspect(error, { depth: Infinity, showHidden: true, getters: true }),
    JSON.stringify(error),
    JSON.stringify(error, Object.getOwnPropertyNames(error)),
    error.stack,
    error.message,
    String(error),
  ].join("\n");
  assert.ok(!shown.includes(canary), `a secret: ${shown}`);
}

async function inTime<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new assert.AssertionError({ message: "it hangs" })), boundMs);
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
