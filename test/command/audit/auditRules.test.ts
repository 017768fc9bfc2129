import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { builtInRules } from "../../../audit/policies.js";
import type { AuditReport } from "../../../audit/report/auditReport.js";
import { assertHoldsNone, secretsOf } from "../../support/leakSearch.js";
import { assertFailed, type Result, useCommandProcess } from "../commandProcess.js";

const rule = (name: string, check: string) => `defineRule({
  name: "${name}",
  level: "warning",
  description: "A project has a short name.",
  reason: "Long names do not fit.",
  remedy: "Choose a shorter name.",
  checkProject: ${check},
})`;
const shortName = `({ name }) => name.length > 8 ? [violated("The name " + name + " is too long.")] : []`;
const asFunction = (list: string) =>
  `export default ({ builtInRules, defineRule, violated, undecided }) => ${list};`;

describe("the rules file of the audit", () => {
  const command = useCommandProcess();

  /** Writes a rules file, and runs the audit with it. */
  async function auditWith(text: string, file = "rules.mjs", ...options: string[]) {
    await writeFile(command.pathOf(file), text);
    return command.run(["audit", "--rules", file, ...options]);
  }

  /** The same in a process that the rules file may end. */
  async function auditAlone(text: string, options = "") {
    await writeFile(command.pathOf("rules.mjs"), text);
    return command.runInShell(`audit --rules rules.mjs ${options}`);
  }

  it("may be a function outside the package, which may await at its top, log and leave a timer running", async () => {
    const list = `[...builtInRules(), ${rule("short-names", shortName)}]`;
    const text = `console.log("loaded"); setInterval(() => {}, 1e6); await 1; ${asFunction(list)}`;
    const { code, stdout, stderr } = await auditAlone(text, "--format json");
    assert.equal(code, 1);
    assert.match(stderr, /^loaded\n/);
    const { findings, rules } = JSON.parse(stdout) as AuditReport;
    assert.equal(rules.length, builtInRules().length + 1);
    assert.deepEqual(rules.at(-1)?.checked, { projects: 12 });
    const [finding] = findings.filter((own) => own.rule === "short-names");
    assert.deepEqual(
      [finding?.level, finding?.state, finding?.projectName, finding?.message],
      ["warning", "violated", "newsletter", "The name newsletter is too long."],
    );
  });

  it("may be a CommonJS module with a list, whose rules are plain data", async () => {
    const violated = `(message) => ({ state: "violated", message })`;
    const text = `const violated = ${violated}, defineRule = (rule) => rule;
      module.exports = [${rule("short-names", shortName)}];`;
    for (const file of ["rules.js", "rules.cjs"]) {
      const { code, stdout } = await auditWith(text, file);
      assert.equal(code, 1);
      assert.match(stdout, /newsletter \(p-6\) +short-names/);
    }
  });

  it("may be an async function, which TypeScript compiled to CommonJS", async () => {
    const text = `Object.defineProperty(exports, "__esModule", { value: true });
      exports.default = async ({ defineRule, violated }) => [${rule("short-names", shortName)}];`;
    const { code, stdout } = await auditWith(text, "rules.cjs");
    assert.equal(code, 1);
    assert.match(stdout, /newsletter \(p-6\) +short-names/);
  });

  it("may be TypeScript if Node runs it", async () => {
    const text = "export default ({ builtInRules }: any) => builtInRules();";
    const { stdout, stderr } = await auditWith(text, "rules.ts");
    const expected = (process.features as { typescript?: unknown }).typescript
      ? /12 projects audited/
      : /rules\.ts failed: this Node does not run TypeScript\. Compile the file,/;
    assert.match(stdout + stderr, expected);
  });

  it("may begin with a byte order mark, and name the environments that a rule checks", async () => {
    const options = { restrictedDatabases: { environments: ["live"] } };
    const text = `\ufeff${JSON.stringify(options)}`;
    const { stdout } = await auditWith(text, "rules.json", "--format", "json");
    const { rules } = JSON.parse(stdout) as AuditReport;
    assert.deepEqual(rules[1]?.checked, { environments: 12 });
  });

  it("with a rule that throws ends the audit with the rule and the project, and without a report", async () => {
    const check = `(project) => { throw new Error("Seen: " + JSON.stringify(project)); }`;
    const result = await auditWith(asFunction(`[${rule("odd-rule", check)}]`));
    assertFailed(
      result,
      /^The rule odd-rule failed for project p-1: it threw Error: Seen: .* at .*\/rules\.mjs:7:\d+\)\. Correct/,
    );
    assert.doesNotMatch(result.stderr, /^ +at /m);
    assertHoldsNone("the message", result.stderr, secretsOf(command.sandbox));
  });

  for (const [problem, text, expected] of [
    ["has a syntax error", "export default [;];", /failed: SyntaxError\. To see it, run the file/],
    [
      "parses a file of its own that is not JSON",
      `JSON.parse('{ "password": hunter2 }')`,
      /^(?!.*hunter2).* failed: SyntaxError\. To see it, run the file with node\.\n$/,
    ],
    [
      "has a function that fails",
      asFunction("{ throw Error('No'); }"),
      /rules\.mjs failed: No\.\n$/,
    ],
    ["has no default export", "export const rules = [];", /default export must be a list of rules/],
    [
      "has two rules with one name",
      asFunction("[...builtInRules(), ...builtInRules()]"),
      /^Several rules have the name guarded-production-branch, .*name of its own/,
    ],
  ] as const) {
    it(`is refused if it ${problem}`, async () => assertRefused(await auditWith(text), expected));
  }

  const ended = /^The process ended before the command did\. A rules file must not call process\./;
  for (const [problem, text, expected] of [
    ["ends the process", "process.exit(0)", ended],
    ["never settles", `await new Promise(() => {}); ${asFunction("[]")}`, ended],
    [
      "throws the text of a command later",
      "setTimeout(() => { throw new Error('::debug::x\\n##[group]'); }); await new Promise(() => {});",
      /^:\\u003adebug:\\u003ax\\n#\\u0023\[group\]\n$/,
    ],
  ] as const) {
    it(`is refused if it ${problem}`, async () => assertRefused(await auditAlone(text), expected));
  }

  function assertRefused(result: Result, expected: RegExp): void {
    assertFailed(result, expected);
    assert.doesNotMatch(result.stderr, /^ +at /m);
    assert.equal(command.sandbox.counters.connections, 0);
  }
});
