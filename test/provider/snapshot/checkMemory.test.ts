import assert from "node:assert/strict";
import { checkMemory } from "../../../provider/snapshot/checkMemory.js";
import { failureOf } from "../../support/failure.js";

describe("the memory for a ProjectsSnapshot", () => {
  const manyOf = (count: number, project: object) => ({
    projects: Object.fromEntries(Array.from({ length: count }, (_, n) => [`p-${n}`, project])),
  });

  it("is refused above Node's limit, with the numbers and the ways to split", async () => {
    // 1,000 values of a project, each 4.4 KB, and 3 characters for each key, each 22 bytes.
    const project = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`${n + 100}`, n]));
    const recorded = manyOf(1_500, project);
    checkMemory(recorded, 6.8e9);
    const failure = await failureOf(() => checkMemory(recorded, 2e9), "ARGUMENT_INVALID");
    assert.equal(
      failure.message,
      "ProjectsSnapshot selects 1,500 projects, which is too many for one resource: Pulumi's provider would need about 6.7 GB of memory to refresh them, and Node's limit is 2.0 GB here. Record them in several stacks, and select the projects of each stack with filters, or with shard: { index, count: 5 }. If the machine has the memory, you can raise the limit instead: set NODE_OPTIONS=--max-old-space-size=8500 for every Pulumi command.",
    );
  });

  it("counts long texts, credentials and texts in lists", async () => {
    const text = "x".repeat(1e6);
    const recorded = { ...manyOf(1, {}), credentials: { "p-0": [{ text }, text] } };
    checkMemory(recorded, 45e6);
    await failureOf(() => checkMemory(recorded, 43e6), "ARGUMENT_INVALID");
  });

  it("does not count fields without a value, and accepts an empty fleet everywhere", () => {
    const project = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`${n}`, undefined]));
    checkMemory(manyOf(100, project), 1e6);
    checkMemory(manyOf(0, {}), 1e4);
  });
});
