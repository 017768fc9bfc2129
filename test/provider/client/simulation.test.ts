/*
 * The token cache, the retries, the concurrency limit and the client run random schedules against a
 * simulated service on a simulated clock. The test prints a schedule that breaks a rule as
 * `SCHEDULE=<seed>/<number>`. With this in the environment, it runs that schedule alone and prints
 * its events.
 */
import assert from "node:assert/strict";
import { announceSeed, fuzzSeed } from "../../support/fuzzing.js";
import type { Observer } from "../../support/simulation/events.js";
import { rules, runSchedule } from "../../support/simulation/runSchedule.js";
import { expectedCounts, Tally } from "../../support/simulation/tally.js";
import { traceTo } from "../../support/simulation/trace.js";
import type { ObservedWorld } from "../../support/simulation/world.js";

const allSchedules = 50_000;
const schedules = Number(process.env["SCHEDULES"] ?? allSchedules);
const repeated = 100;
const onlySchedule = process.env["SCHEDULE"];

describe("the client in simulated schedules", function () {
  this.timeout(600_000);

  /** The first violations, by rule. */
  const violations = new Map<string, string[]>();
  const tally = new Tally();

  /** @param print gets the violations as they happen. */
  async function run(
    seed: number,
    number: number,
    watch: (world: ObservedWorld) => Observer,
    print: (line: string) => void = () => {},
  ): Promise<void> {
    const name = `SCHEDULE=${seed}/${number}`;
    try {
      await runSchedule(seed, number, watch, (rule, how) => {
        print(`VIOLATION: ${rule}: ${how}`);
        const known = violations.get(rule) ?? [];
        violations.set(rule, known);
        if (known.length < 5) known.push(`${name}: ${how}`);
      });
    } catch (error) {
      throw new Error(`${name} cannot be run: ${String(error)}`, { cause: error });
    }
  }

  before(async () => {
    if (onlySchedule !== undefined) {
      const [seed = NaN, number = NaN] = onlySchedule.split("/").map(Number);
      assert.ok(Number.isInteger(seed + number), "SCHEDULE must be <seed>/<number>");
      return run(seed, number, traceTo(console.log), console.log);
    }
    announceSeed();
    const startMs = performance.now();
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0; // Stack traces would take a seventh of the time.
    try {
      for (let number = 0; number < schedules; number++) {
        await run(fuzzSeed, number, (world) => tally.watch(world));
      }
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
    const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
    console.log(
      `      ${schedules} schedules, ${tally.count("calls")} calls, ` +
        `${tally.count("requests")} requests, in ${seconds} s`,
    );
  });

  for (const rule of Object.keys(rules)) {
    it(rule, () => {
      const found = violations.get(rule) ?? [];
      assert.ok(found.length === 0, found.join("\n"));
    });
  }

  if (onlySchedule !== undefined) return;

  it("meets each kind of trouble at least once in 1,000 schedules", () => {
    // In fewer schedules, the rarest kinds would need luck.
    const least = schedules < allSchedules ? 1 : schedules / 1_000;
    const rare = expectedCounts.filter((kind) => tally.count(kind) < least);
    assert.deepEqual(rare, []);
  });

  it("does the same in each run of a schedule", async () => {
    for (let number = 0; number < repeated; number++) {
      const [first, second] = [[], []] as string[][];
      await run(
        fuzzSeed,
        number,
        traceTo((line) => first?.push(line)),
      );
      await run(
        fuzzSeed,
        number,
        traceTo((line) => second?.push(line)),
      );
      assert.deepEqual(first, second);
    }
  });
});
