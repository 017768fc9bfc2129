import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Linter } from "eslint";
import { parser } from "typescript-eslint";
import { repository } from "../support/paths.js";

/** The lint rules about imports, as eslint.config.mjs configures them. */
describe("the lint rule", () => {
  let rules: Linter.Config;
  before(async () => {
    const url = pathToFileURL(join(repository, "eslint.config.mjs")).href;
    const config = ((await import(url)) as { default: Linter.Config[] }).default;
    const local = config.find(({ plugins }) => plugins?.["local"] !== undefined);
    assert.ok(local?.rules && local.plugins);
    const ours = Object.entries(local.rules).filter(([name]) => name.startsWith("local/"));
    rules = {
      files: ["**/*.ts"],
      plugins: local.plugins,
      rules: Object.fromEntries(ours),
      languageOptions: { parser: parser },
    };
  });

  function lint(folder: string, file: string, text: string): string[] {
    const linter = new Linter({ cwd: folder });
    return linter.verify(text, rules, join(folder, file)).map(({ message }) => message);
  }

  for (const [file, specifier, isAllowed] of [
    ["provider/errors/displayText.ts", "../../sdk/index.js", false],
    ["provider/errors/displayText.ts", "../model/project.js", false],
    ["provider/errors/displayText.ts", "../../sandbox/index.js", false],
    ["provider/errors/displayText.ts", "../../test/support/paths.js", false],
    ["provider/errors/displayText.ts", "@pulumi/pulumi", false],
    ["provider/http/transport.ts", "../model/project.js", false],
    ["provider/wire/mapping.ts", "../model/project.js", true],
    ["provider/wire/mapping.ts", "../settings/resolveSettings.js", false],
    ["provider/client/projectApi.ts", "../auth/tokenCache.js", true],
    ["provider/client/projectApi.ts", "../snapshot/snapshot.js", false],
    ["provider/client/projectApi.ts", "@pulumi/pulumi", false],
    ["provider/snapshot/dynamicProvider.ts", "@pulumi/pulumi", true],
    ["provider/snapshot/snapshot.ts", "@pulumi/pulumi/automation/index.js", false],
    ["sdk/reading/readFunction.ts", "../getProject.js", false],
    ["sdk/index.ts", "../provider/errors/projectServiceError.js", true],
    ["sdk/index.ts", "../audit/policies.js", false],
    ["sdk/index.ts", "../sandbox/index.js", false],
    ["audit/rules/rule.ts", "../report/report.js", false],
    ["audit/rules/rule.ts", "../houseRules/houseRules.js", false],
    ["audit/report/report.ts", "../rules/rule.js", true],
    ["audit/report/html/htmlFormat.ts", "../../rules/rule.js", true],
    ["audit/report/report.ts", "../../command/cli.js", false],
    ["audit/policies.ts", "../sdk/index.js", false],
    ["audit/policies.ts", "@pulumi/policy", false],
    ["command/auditCommand.ts", "../audit/report/report.js", true],
    ["command/auditCommand.ts", "../sandbox/index.js", false],
    ["sandbox/index.ts", "../provider/errors/displayText.js", false],
    ["sandbox/index.ts", "@pulumi/pulumi", false],
    ["examples/quickstart/index.ts", "../../provider/errors/displayText.js", false],
    ["test/sdk/functions.test.ts", "../../provider/errors/displayText.js", true],
  ] as const) {
    it(`${isAllowed ? "lets" : "does not let"} ${file} import ${specifier}`, () => {
      for (const text of [
        `import * as x from "${specifier}";`,
        `import type { X } from "${specifier}";`,
        `export * from "${specifier}";`,
        `type X = import("${specifier}").X;`,
        `const x = import("${specifier}");`,
      ]) {
        const messages = lint(repository, file, text);
        assert.equal(messages.length === 0, isAllowed, `${text} ${messages.join()}`);
        if (!isAllowed) assert.match(messages.join(), /must not import/);
      }
    });
  }

  describe("about circles", () => {
    let folder: string;
    beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "import-circles-"))));
    afterEach(() => rmSync(folder, { recursive: true }));

    function circlesIn(files: Record<string, string>): string[] {
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), text);
      }
      return Object.entries(files).flatMap(([file, text]) => lint(folder, file, text));
    }

    it("names every file of a circle, even if the imports are of types only", () => {
      const messages = circlesIn({
        "a.ts": 'import type { B } from "./b/b.js";',
        "b/b.ts": 'export type { C } from "../c.js";',
        "c.ts": 'type A = import("./a.js").A;',
      });
      assert.equal(messages.length, 3);
      assert.match(messages[0]!, /a\.ts → b.b\.ts → c\.ts → a\.ts\.$/);
    });

    it("accepts a file that two others import", () => {
      const messages = circlesIn({
        "a.ts": 'import "./b.js"; import "./c.js";',
        "b.ts": 'import "./c.js"; import "missing";',
        "c.ts": 'import "./missing.js";',
      });
      assert.deepEqual(messages, []);
    });
  });
});
