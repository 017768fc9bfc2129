import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AuditReport } from "../../audit/report/report.js";
import { rulesOfModule } from "../../command/rulesModule.js";
import { failureOf } from "../support/failure.js";
import { assertHoldsNone, secretsOf } from "../support/leakSearch.js";
import { useCommandProcess } from "./commandProcess.js";

const rule = (name: string, check: string) => `defineRule({
  name: "${name}",
  severity: "warning",
  description: "A project has a short name.",
  reason: "Long names do not fit.",
  remedy: "Choose a shorter name.",
  checkProject: ${check},
})`;
const shortName = `({ name }) => name.length > 8 ? [violated("The name " + name + " is too long.")] : []`;

describe("the own rules of pulumi-project-service audit", () => {
  const command = useCommandProcess();

  /** Writes a rules file, and runs the audit with it. */
  async function auditWith(text: string, file = "rules.mjs", ...options: string[]) {
    const path = join(command.directory, file);
    await writeFile(path, text);
    return command.run(["audit", "--rules", path, ...options]);
  }

  const asFunction = (list: string, async = "") =>
    `export default ${async} ({ houseRules, defineRule, violated, indeterminate }) => ${list};`;

  it("come from a function outside the package, which may be async, together with house rules", async () => {
    const text = asFunction(`[...houseRules(), ${rule("short-names", shortName)}]`, "async");
    const { code, stdout } = await auditWith(text, "rules.mjs", "--format", "json");
    assert.equal(code, 1);
    const { findings, rules } = JSON.parse(stdout) as AuditReport;
    assert.ok(rules.length > 6);
    const [finding] = findings.filter((own) => own.rule === "short-names");
    assert.deepEqual(
      [finding?.level, finding?.state, finding?.projectName, finding?.message],
      ["warning", "violated", "newsletter", "The name newsletter is too long."],
    );
  });

  it("come from a list, in a module of either kind", async () => {
    await mkdir(join(command.directory, "node_modules"), { recursive: true });
    const commonJs = `const { defineRule, violated } = require(${JSON.stringify(require.resolve("../../audit/policies.js"))});
      module.exports = [${rule("short-names", shortName)}];`;
    const { code, stdout } = await auditWith(commonJs, "rules.js");
    assert.equal(code, 1);
    assert.match(stdout, /newsletter \(p-6\) +- +short-names +warning +violated/);
  });

  it("that throw end the audit with the name of the rule and of the project, and without a report", async () => {
    const text = asFunction(
      `[${rule("odd-rule", `(project) => { throw new Error("Seen: " + JSON.stringify(project)); }`)}]`,
    );
    const { code, stdout, stderr } = await auditWith(text);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^The rule odd-rule failed for project p-1: it threw Error: Seen: /);
    assert.doesNotMatch(stderr, /^ +at /m);
    assertHoldsNone("the message", stderr, secretsOf(command.sandbox));
  });

  for (const [problem, text, expected] of [
    [
      "the module has a syntax error",
      "export default [;];",
      /rules\.mjs failed: SyntaxError: .* Run node --check .*rules\.mjs to see the line/,
    ],
    ["the module throws", `throw new TypeError("No")`, /rules\.mjs failed: TypeError: No/],
    ["the module throws null", "throw null", /rules\.mjs failed: it threw null\.\n$/],
    [
      "the function throws a text",
      asFunction("{ throw 'No'; }"),
      /its function failed: it threw 'No'\./,
    ],
    ...["process.exit(0)", "process.exit(1)", asFunction("process.exit(1)")].map(
      (text) =>
        [
          `it has ${text}`,
          text,
          /^The process ended before the command did\. A rules file must not call process\.exit\.\n$/,
        ] as const,
    ),
    [
      "it throws null later",
      asFunction("{ setTimeout(() => { throw null; }); await new Promise(() => {}); }", "async"),
      /^Something threw null\.\n$/,
    ],
    [
      "it throws an odd value later",
      asFunction(
        "{ setTimeout(() => { throw { code: 5 }; }); await new Promise(() => {}); }",
        "async",
      ),
      /^Something threw \{ code: 5 \}\.\n$/,
    ],
    [
      "it throws the text of a command later",
      asFunction(
        "{ setTimeout(() => { throw new Error('::debug::x\\n##[group]'); }); await new Promise(() => {}); }",
        "async",
      ),
      /^:\\u003adebug:\\u003ax\\n#\\u0023\[group\]\n$/,
    ],
    [
      "a spread rule has an unknown severity",
      asFunction("houseRules().map((rule) => ({ ...rule, severity: 'critical' }))"),
      /element 0 of the list is wrong: severity must be one of error, warning, note\./,
    ],
    [
      "a spread rule has no severity",
      asFunction("houseRules().map((rule) => ({ ...rule, severity: undefined }))"),
      /element 0 of the list is wrong: severity must be one of/,
    ],
    [
      "a spread rule has a wrong name",
      asFunction("houseRules().map((rule) => ({ ...rule, name: 'Bad\u001b[31m' }))"),
      /element 0 of the list is wrong: name must be lowercase words/,
    ],
    [
      "a spread rule has a text on two lines",
      asFunction("houseRules().map((rule) => ({ ...rule, remedy: 'a\\nb' }))"),
      /element 0 of the list is wrong: remedy must be a text on one line/,
    ],
    [
      "a spread rule has another check",
      asFunction("houseRules().map((rule) => ({ ...rule, check: () => [] }))"),
      /element 0 of the list is not a rule, or its check was replaced\. Create it with defineRule/,
    ],
    [
      "a spread rule has another check of all projects",
      asFunction("houseRules().map((rule) => ({ ...rule, checkAll: () => [] }))"),
      /element 0 of the list is not a rule, or its check was replaced/,
    ],
    [
      "the module imports what is not installed",
      `import "pulumi-project-service/policies"; export default [];`,
      /rules\.mjs failed: .*Cannot find package.* export a function/,
    ],
    [
      "there is no default export",
      "export const rules = [];",
      /default export must be a list of rules/,
    ],
    ["the function fails", asFunction("{ throw new Error('No'); }"), /its function failed: No/],
    ["the function returns no list", asFunction("({})"), /default export must be a list of rules/],
    [
      "an element is no rule",
      asFunction("[...houseRules(), {}]"),
      /element 7 of the list is not a rule.*defineRule/,
    ],
    [
      "two rules have the same name",
      asFunction("[...houseRules(), ...houseRules()]"),
      /several rules have the name guarded-production-branch, .*name of its own/,
    ],
    [
      "the function never settles",
      asFunction("new Promise(() => {})"),
      /its function failed: it never settles: it waits for something that does not come/,
    ],
    [
      "the module never settles",
      "await new Promise(() => {}); export default [];",
      /rules\.mjs failed: it never settles/,
    ],
    [
      "a rule has the name of a rule of the audit itself",
      asFunction(
        `[defineRule({ name: "readable-project", description: "d", reason: "r", remedy: "m", checkProject: () => [] })]`,
      ),
      /has a rule readable-project\. The audit uses this name itself/,
    ],
    ["no rule is left", asFunction("[]"), /leaves no rule for the audit/],
    [
      "a definition is wrong",
      asFunction(`[defineRule({ name: "x" })]`),
      /its function failed: .*defineRule failed for the rule x/,
    ],
  ] as const) {
    it(`are refused if ${problem}`, async () => {
      const { code, stdout, stderr } = await auditWith(text);
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, expected);
      assert.doesNotMatch(stderr, /^ +at /m);
      assert.equal(command.sandbox.counters.connections, 0);
    });
  }

  it("must not end the process in a check", async () => {
    const exiting = rule("exiting", "() => process.exit(1)");
    const { code, stdout, stderr } = await auditWith(asFunction(`[${exiting}]`));
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^The process ended before the command did\./);
  });

  it("may log, and the log is not in the report", async () => {
    const logging = rule("logging", `({ name }) => { console.info("checked", name); return []; }`);
    const { code, stdout, stderr } = await auditWith(
      `console.log("loaded"); ${asFunction(`[${logging}]`)}`,
      ...["rules.mjs", "--format", "json"],
    );
    assert.equal(code, 0);
    assert.equal((JSON.parse(stdout) as AuditReport).findings.length, 0);
    assert.match(stderr, /^loaded\nchecked shop\n/);
  });

  for (const [what, text] of [
    ["module", "await new Promise(() => {}); export default [];"],
    ["function", asFunction("new Promise(() => {})")],
  ] as const) {
    it(`have a limited time if the ${what} never settles while a timer runs`, async () => {
      const path = join(command.directory, `waiting-${what}.mjs`);
      await writeFile(path, text);
      // The limit in this process, in which something always runs.
      const { message } = await failureOf(rulesOfModule(path, 1), "ARGUMENT_INVALID");
      assert.match(message, /it never settles: it waits for something that does not come\.$/);
    });
  }

  it("may leave a timer running, and the audit still ends", async () => {
    const { code, stdout } = await auditWith(
      "setInterval(() => {}, 1e6); export default ({ houseRules }) => houseRules();",
    );
    assert.equal(code, 1);
    assert.match(stdout, /22 violated\.\n$/);
  });

  it("are refused with the line of an error in a JSON file", async () => {
    const file = join(command.directory, "broken.json");
    await writeFile(file, '{\n  "linkedAssets": false,\n  keptDeployments: {}\n}\n');
    const { code, stderr } = await command.run(["audit", "--rules", file]);
    assert.equal(code, 2);
    assert.match(stderr, /broken\.json failed: the file is not valid JSON at line 3 \(/);
  });

  it("are refused if a JSON file has the options of a rule twice", async () => {
    const file = join(command.directory, "twice.json");
    await writeFile(file, '{ "linkedAssets": {},\n "linkedAssets": false }');
    const { code, stderr } = await command.run(["audit", "--rules", file]);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /twice\.json failed: the key linkedAssets is twice in the object at line 2\./,
    );
  });

  it("are refused if the file does not exist", async () => {
    const { code, stderr } = await command.run(["audit", "--rules", "none.mjs"]);
    assert.equal(code, 2);
    assert.match(stderr, /Reading the rules in none\.mjs failed: .*Cannot find module/);
  });
});
