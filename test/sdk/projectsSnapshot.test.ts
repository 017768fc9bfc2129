import assert from "node:assert/strict";
import { startSandbox } from "../../sandbox/index.js";
import { ProjectsSnapshot } from "../../sdk/index.js";
import { failureOf } from "../support/failure.js";

describe("a ProjectsSnapshot with wrong arguments", () => {
  const cases: readonly (readonly [object, object, RegExp])[] = [
    [
      { filter: [] },
      {},
      /cannot contain the key filter\. .*The keys are filters, fields, onInaccessible, includeCredentials, connection/,
    ],
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
    [{ allowEmpty: true }, {}, /cannot contain the key allowEmpty/],
    [
      { connection: { realm: "x" } },
      {},
      /connection of ProjectsSnapshot must be a config namespace/,
    ],
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
