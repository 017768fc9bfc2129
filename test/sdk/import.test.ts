import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";

const root = join(__dirname, "../../..");

describe("importing the package", () => {
  it("loads neither axios, openid-client, re2js nor the validators: they come when they are used", () => {
    const script = `
      require("pulumi-project-service");
      const late = /node_modules.(axios|openid-client|ajv|re2js).|provider.validators\\.js/;
      const loaded = Object.keys(require.cache);
      process.stdout.write(JSON.stringify([loaded.length, loaded.filter((file) => late.test(file))]));
    `;
    const printed = execFileSync(process.execPath, ["-e", script], { cwd: root, encoding: "utf8" });
    const [count, late] = JSON.parse(printed) as [number, string[]];
    assert.ok(count > 10);
    assert.deepEqual(late, []);
  });
});
