import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { runInNewContext } from "node:vm";
import {
  createProjectsProvider,
  createProvider,
} from "../../../provider/snapshot/dynamicProvider.js";
import {
  serializedProjectsProvider,
  serializedProvider,
} from "../../../provider/snapshot/resources.js";
import { repository } from "../../support/paths.js";

for (const [resource, text, create, hash] of [
  [
    "ProjectSnapshot",
    serializedProvider,
    createProvider,
    "4203c8d7bf8d88ea1f59ee3d3a9e65680f1971354d418aea0fe033aa4e8f81c1",
  ],
  [
    "ProjectsSnapshot",
    serializedProjectsProvider,
    createProjectsProvider,
    "6a7921fdb69d598022a5d4055b0b48a3103edd22e5623f735713da9ce5744f41",
  ],
] as const) {
  describe(`the provider text of ${resource}`, () => {
    /** Evaluates the text in the state as Pulumi does, for a program in a folder. */
    function load(directory: string): Record<string, (...args: unknown[]) => Promise<unknown>> {
      const exports: { handler?: () => unknown } = {};
      const process = { cwd: () => directory };
      runInNewContext(text, { exports, require, process, Error, Object });
      return exports.handler!() as ReturnType<typeof load>;
    }

    it("is the text in every state, which no version may change", () => {
      assert.equal(createHash("sha256").update(text).digest("hex"), hash);
    });

    it("loads the package from the program's folder", () => {
      assert.deepEqual(Object.keys(load(repository)), Object.keys(create()));
    });

    it("fails without the package, with one message, but still deletes snapshots", async () => {
      const provider = load(tmpdir());
      for (const operation of Object.keys({ ...create(), check: 1 })) {
        if (operation === "configure") continue;
        const error = await provider[operation]!().then(
          () => assert.fail(operation),
          (thrown: unknown) => thrown as Error,
        );
        assert.match(
          error.message,
          new RegExp(
            `^${resource} needs .*npm install pulumi-project-service \\(Cannot find module`,
          ),
        );
        assert.doesNotMatch(`${error}: ${error.stack}`, /npm install/);
      }
      await provider["delete"]!();
    });
  });
}
