import assert from "node:assert/strict";
import { checkMemory, refreshBytes, youngBytes } from "../../../provider/snapshot/memoryLimit.js";
import { failureOf } from "../../support/failure.js";

describe("the memory for a ProjectsSnapshot", () => {
  const manyOf = (count: number, project: object) => ({
    projects: Object.fromEntries(Array.from({ length: count }, (_, n) => [`p-${n}`, project])),
  });

  const manyValues = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`${n + 100}`, n]));

  it("is refused above Node's limit, with the numbers and the ways to record less", async () => {
    const recorded = manyOf(1_500, manyValues);
    checkMemory(recorded, 7.4e9);
    const failure = await failureOf(() => checkMemory(recorded, 2e9), "ARGUMENT_INVALID");
    assert.match(
      failure.message,
      /^ProjectsSnapshot selects 1,500 projects, which is too many for one resource: Pulumi's provider would need about 7\.[123] GB of memory to refresh them, and Node's limit is 2\.0 GB here\. List the fields that you watch in fields\. Or record the projects in several stacks, and select those of each stack with filters, or with shard: \{ index, count: 5 \}\. If the machine has the memory, you can raise the limit instead: set NODE_OPTIONS=--max-old-space-size=9[05]00 for every Pulumi command\.$/,
    );
  });

  // The smallest --max-old-space-size, in MiB, with which a refresh of 100 such projects succeeded.
  for (const [title, text, measuredMiB] of [
    ["ASCII", "x".repeat(1e5), 273],
    ["Latin", "é".repeat(1e5), 498],
    ["Chinese", "漢".repeat(1e5), 729],
    ["a few Chinese characters", `${"x".repeat(9)}漢`.repeat(1e4), 388],
    ["emoji", "😀".repeat(5e4), 529],
    ["short", "x".repeat(1e3), 73],
  ] as const) {
    it(`is estimated within 20 % for texts that are ${title}`, () => {
      const fields = Object.fromEntries(Array.from({ length: 54 }, (_, n) => [`field-${n}`, n]));
      const bytes = refreshBytes(manyOf(100, { ...fields, text })) - youngBytes;
      const estimatedMiB = bytes / 2 ** 20;
      const ratio = estimatedMiB / measuredMiB;
      assert.ok(ratio > 0.99 && ratio < 1.2, `${estimatedMiB} of ${measuredMiB} MiB`);
    });
  }

  it("counts credentials and texts in lists", () => {
    const text = "x".repeat(1e6);
    const recorded = { ...manyOf(1, {}), credentials: { "p-0": [{ text }, text] } };
    const bytes = refreshBytes(recorded) - refreshBytes({});
    assert.ok(bytes > 2 * 23e6 && bytes < 2 * 24e6, String(bytes));
  });

  it("does not count fields without a value", () => {
    const empty = Object.fromEntries(Object.keys(manyValues).map((key) => [key, undefined]));
    assert.equal(refreshBytes(manyOf(100, empty)), refreshBytes(manyOf(100, {})));
  });
});
