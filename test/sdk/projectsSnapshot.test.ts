import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { isInShard } from "../../provider/snapshot/shard.js";
import { sampleProjects, startSandbox } from "../../sandbox/index.js";
import { ProjectsSnapshot } from "../../sdk/index.js";
import { failureOf } from "../support/failure.js";

describe("a ProjectsSnapshot with wrong arguments", () => {
  const cases: readonly (readonly [object, object, RegExp])[] = [
    [{ filter: [] }, {}, /cannot contain the key filter\. .*The keys are filters, shard, /],
    [{ filters: { key: "name" } }, {}, /filters of ProjectsSnapshot must be a list/],
    [
      { filters: [{ key: "color", values: ["red"] }] },
      {},
      /filters\[0\]\.key of ProjectsSnapshot cannot be color/,
    ],
    [
      { filters: [{ key: "name", values: [] }] },
      {},
      /filters\[0\]\.values of ProjectsSnapshot must not be empty/,
    ],
    [
      { onInaccessible: "ignore" },
      {},
      /onInaccessible .* cannot be ignore\. .*The values are fail, skip/,
    ],
    [{ includeCredentials: "yes" }, {}, /includeCredentials .* must be true or false/],
    [{ allowEmpty: 1 }, {}, /allowEmpty .* must be true or false/],
    [
      { connection: { realm: "x" } },
      {},
      /connection of ProjectsSnapshot must be a config namespace/,
    ],
    [{ shard: 1 }, {}, /shard must be an object/],
    [{ shard: { index: 0 } }, {}, /count of shard must be a whole number, 1 or more/],
    [{ shard: { index: 0, count: 0 } }, {}, /count of shard must be/],
    [{ shard: { index: 2, count: 2 } }, {}, /index of shard must be a whole number from 0 to 1/],
    [{ shard: { index: -1, count: 2 } }, {}, /index of shard must be/],
    [{ shard: { index: 0.5, count: 2 } }, {}, /index of shard must be/],
    [{ fields: [] }, {}, /fields of ProjectsSnapshot must not be empty/],
    [
      { fields: ["stauts"] },
      {},
      /fields\[0\] of ProjectsSnapshot cannot be stauts\. Did you mean status\?/,
    ],
    [
      { fields: [Promise.resolve("status")] },
      {},
      /fields\[0\] of ProjectsSnapshot must be a string/,
    ],
    [{}, { import: "projects" }, /does not support import\. Remove the option/],
    [{}, { connection: "second" }, /Pass it in the arguments of ProjectsSnapshot/],
    [{}, { id: "projects" }, /does not support id\. Remove the option/],
  ];
  for (const [args, opts, message] of cases) {
    it(`fails before a request: ${JSON.stringify({ ...args, ...opts })}`, async () => {
      const sandbox = await startSandbox();
      Object.assign(process.env, sandbox.environment);
      try {
        const make = () => new ProjectsSnapshot("fleet", args, opts);
        assert.match((await failureOf(make, "ARGUMENT_INVALID")).message, message);
        assert.equal(sandbox.counters.lists + sandbox.counters.passwordGrants, 0);
      } finally {
        for (const name of Object.keys(sandbox.environment)) delete process.env[name];
        await sandbox.close();
      }
    });
  }
});

describe("a shard", () => {
  it("is selected by the first four bytes of the id's SHA-256, so each project has one", () => {
    for (const { _id } of sampleProjects()) {
      const number = Number.parseInt(
        createHash("sha256").update(_id).digest("hex").slice(0, 8),
        16,
      );
      const shards = [0, 1, 2].filter((index) => isInShard(_id, { index, count: 3 }));
      assert.deepEqual(shards, [number % 3]);
    }
  });
});
