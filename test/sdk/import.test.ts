import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { repository } from "../support/paths.js";

describe("importing the package", () => {
  it("does not load axios, openid-client and the validators", () => {
    const script = `
      require("pulumi-project-service");
      const late = /node_modules.(axios|openid-client|ajv).|wire.validators\\.js/;
      const loaded = Object.keys(require.cache);
      process.stdout.write(JSON.stringify([loaded.length, loaded.filter((file) => late.test(file))]));
    `;
    const printed = execFileSync(process.execPath, ["-e", script], {
      cwd: repository,
      encoding: "utf8",
    });
    const [count, late] = JSON.parse(printed) as [number, string[]];
    assert.ok(count > 10);
    assert.deepEqual(late, []);
  });
});
