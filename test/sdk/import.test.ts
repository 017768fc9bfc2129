import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { startSandbox } from "../../sandbox/index.js";
import { repository } from "../support/paths.js";

describe("importing the package", () => {
  it("loads at most 40 modules and no library but Pulumi's SDK; after a read, 60 are loaded", async () => {
    const sandbox = await startSandbox();
    const script = `
      const { getProject } = require("pulumi-project-service");
      const loaded = () => Object.keys(require.cache);
      const count = () => loaded().filter((file) => !file.includes("node_modules")).length;
      const late = /node_modules.(axios|openid-client|ajv).|wire.validators\\.js/;
      const seen = [loaded().filter((file) => late.test(file)), count()];
      getProject({ name: "shop" }, { connection: ${JSON.stringify(sandbox.connection)} })
        .then(() => process.stdout.write(JSON.stringify([...seen, count()])));
    `;
    const options = { cwd: repository };
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", script], options);
    await sandbox.close();
    const [late, imported, read] = JSON.parse(stdout) as [string[], number, number];
    assert.deepEqual(late, []);
    assert.ok(imported > 10 && imported <= 40 && read <= 60, `${imported} and ${read}`);
  });
});
