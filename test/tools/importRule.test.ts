import assert from "node:assert/strict";
import { join } from "node:path";
import { ESLint } from "eslint";

const root = join(__dirname, "../../..");

describe("the lint rule of who imports whom", () => {
  // In CI typescript-eslint reads the files on disk only; what is linted here is not on disk.
  before(() => {
    process.env["TSESTREE_SINGLE_RUN"] = "false";
  });

  for (const [file, imported, allowed] of [
    ["provider/errors.ts", "../sdk/index.js", false],
    ["provider/errors.ts", "@pulumi/pulumi", false],
    ["provider/errors.ts", "../sandbox/index.js", false],
    ["provider/dynamic.ts", "@pulumi/pulumi", true],
    ["provider/dynamic.ts", "../sdk/index.js", false],
    ["sdk/index.ts", "../sandbox/index.js", false],
    ["sdk/index.ts", "../provider/errors.js", true],
    ["sandbox/index.ts", "../provider/errors.js", false],
    ["sandbox/index.ts", "../sdk/index.js", false],
    ["sandbox/index.ts", "@pulumi/pulumi", false],
    ["examples/quickstart/index.ts", "../../provider/errors.js", false],
    ["test/sdk/config.test.ts", "../../provider/errors.js", true],
  ] as const) {
    it(`${allowed ? "lets" : "does not let"} ${file} import ${imported}`, async () => {
      const eslint = new ESLint({ cwd: root });
      const [result] = await eslint.lintText(`import * as x from "${imported}";\nexport { x };\n`, {
        filePath: join(root, file),
      });
      const broken = result?.messages.some(({ ruleId }) => ruleId?.endsWith("restricted-imports"));
      assert.equal(broken, !allowed, JSON.stringify(result?.messages));
    }).timeout(60_000);
  }
});
