import assert from "node:assert/strict";
import { join } from "node:path";
import { startSandbox } from "../../../sandbox/index.js";
import { repository } from "../../support/paths.js";
import { resultOf, run } from "../../support/workbench.js";

const program = (state: string) => `
const pulumi = require("@pulumi/pulumi");
const { ProjectSnapshot } = require(${JSON.stringify(join(repository, "dist/sdk/index.js"))});
const newResource = ({ name, inputs }) => ({ id: name, state: ${state} });
pulumi.runtime.setMocks({ newResource, call: ({ inputs }) => inputs }, "project", "stack", true);
const shop = new ProjectSnapshot("shop", { name: "shop" });
shop.environments.apply(([live]) => console.log("webroot", live.webroot));
shop.credentials.apply((credentials) => console.log("credentials", credentials));
`;

describe("the outputs of a ProjectSnapshot in a preview with Pulumi's mocks", () => {
  for (const [state, printed] of [
    ["inputs", ["credentials undefined", "webroot /var/www/shop/live/current/public"]],
    ["{}", []],
  ] as const) {
    it(`are ${printed.length === 0 ? "unknown" : "known"} if a mock returns ${state}`, async () => {
      const sandbox = await startSandbox();
      const env = { ...process.env, ...sandbox.environment };
      const child = run(process.execPath, ["-e", program(state)], { cwd: repository, env });
      const { code, stdout, stderr } = await resultOf(child);
      await sandbox.close();
      assert.equal(code, 0, stderr);
      assert.deepEqual(stdout.split("\n").filter(Boolean).sort(), printed);
    });
  }
});
