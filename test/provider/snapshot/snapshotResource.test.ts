import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { runInNewContext } from "node:vm";
import { createProvider } from "../../../provider/snapshot/dynamicProvider.js";
import { serializedProvider } from "../../../provider/snapshot/resources.js";
import { repository } from "../../support/paths.js";

describe("the provider text of both snapshots", () => {
  /** Evaluates the text in the state as Pulumi does, for a program in a folder. */
  function load(directory: string): Record<string, (...args: unknown[]) => Promise<unknown>> {
    const exports: { handler?: () => unknown } = {};
    const process = { cwd: () => directory };
    runInNewContext(serializedProvider, { exports, require, process, Error, Object });
    return exports.handler!() as ReturnType<typeof load>;
  }

  it("is the text in every state, which no version may change", () => {
    assert.equal(
      createHash("sha256").update(serializedProvider).digest("hex"),
      "2414e98212e35df9ddbe8097a0f370d5e5901b20fcd9fa18c524eb15d5c1c79b",
    );
  });

  it("loads the package from the program's folder", () => {
    assert.deepEqual(Object.keys(load(repository)), Object.keys(createProvider()));
  });

  it("fails without the package, with one message, but still deletes snapshots", async () => {
    const provider = load(tmpdir());
    for (const operation of Object.keys({ ...createProvider(), check: 1 })) {
      if (operation === "configure") continue;
      const error = await provider[operation]!().then(
        () => assert.fail(operation),
        (thrown: unknown) => thrown as Error,
      );
      assert.match(error.message, /^A snapshot needs .* Run npm ci there \(Cannot find module/);
      assert.doesNotMatch(`${error}: ${error.stack}`, /npm ci/);
    }
    await provider["delete"]!();
  });
});
