import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import type { Log } from "sarif";
import { keptDeployments } from "../../../audit/builtInRules/keptDeployments.js";
import { restrictedDatabases } from "../../../audit/builtInRules/restrictedDatabases.js";
import { webrootLocation } from "../../../audit/builtInRules/webrootLocation.js";
import { defineRule, violated } from "../../../audit/policies.js";
import { type AuditFormat, formats } from "../../../audit/report/formats.js";
import type { AuditReport } from "../../../audit/report/auditReport.js";
import { mixedReport, reportOn } from "../../support/auditReport.js";
import { assertGoldenText } from "../../support/goldenFile.js";
import { commandsIn } from "../../support/logCommands.js";
import { repository } from "../../support/paths.js";

const format = (report: AuditReport, name: AuditFormat) => formats[name].write(report);

const unfiltered = reportOn(
  [
    {
      ...{ projectId: "p-1", name: "shop", hasDatabases: true },
      environments: [
        { environmentId: "live", databases: [{ name: "shop_live", allowedIP: "%" }] },
        { environmentId: "stage" },
        { environmentId: "test", databases: [{ name: "<a>", allowedIP: null }] },
      ],
    },
    { projectId: "p-2", name: "status-page", hasDatabases: false, environments: [] },
    { projectId: "p-3", name: "docs", hasDatabases: false, environments: [] },
  ],
  [
    restrictedDatabases(),
    defineRule({
      ...{ name: "short-names", level: "note", description: "The name is short." },
      ...{ reason: "A long name does not fit.", remedy: "Choose a shorter name." },
      checkProject: ({ name }) =>
        name.length > 4
          ? [violated(`The name has ${name.length} characters.`, { subject: `name ${name}` })]
          : [],
    }),
  ],
  [
    {
      ...{ rule: "restricted-databases", projectId: "p-1", environmentId: "test" },
      ...{ subject: 'database "<a>"', state: "violated" },
      ...{ reason: "Moves in spring.", until: "2026-03-02" },
    },
    {
      ...{ rule: "short-names", projectId: "p-2", subject: "name status-page", state: "violated" },
      ...{ reason: "Until the relaunch.", until: "2026-03-01" },
    },
    {
      ...{ rule: "restricted-databases", projectId: "p-9", environmentId: "live" },
      ...{ subject: "database old", state: "violated", reason: "Was in the way." },
    },
  ],
  { failOn: "warning" },
);
/** A report with each state, level and acceptance once. */
const small: AuditReport = {
  ...unfiltered,
  scope: { filters: ["name*=s"], exclude: ["type=REDIS"], listedProjects: 4 },
};
const finding = small.findings[0]!;

interface CodeQualityIssue {
  readonly fingerprint: string;
  readonly location: { readonly path: string };
}
const issuesOf = (report: AuditReport) =>
  JSON.parse(format(report, "codequality")) as CodeQualityIssue[];
const runOf = (report: AuditReport) => (JSON.parse(format(report, "sarif")) as Log).runs[0];

describe("the report formats", () => {
  const mixed = mixedReport();

  it("show a small report as formats.golden.txt has it", () => {
    const pretty = (text: string) => `${JSON.stringify(JSON.parse(text), undefined, 2)}\n`;
    const actual = (["table", "markdown", "junit", "sarif", "codequality"] as const)
      .map((name) => {
        const text = format(small, name);
        return `==== ${name}\n${/^[[{]/.test(text) ? pretty(text) : text}`;
      })
      .join("\n");
    assertGoldenText("test/audit/report/formats.golden.txt", actual);
  });

  it("say which rules checked nothing", () => {
    const rules = [{ ...small.rules[0]!, checked: { environments: 0 } }];
    for (const name of ["table", "markdown", "html"] as const) {
      const text = format({ ...small, rules, findings: [] }, name).replace(/\s+/g, " ");
      assert.match(text, /restricted-databases checked nothing\./, name);
      assert.match(text, /\b0 environments\b/, name);
    }
  });

  describe("fit their schemas, whatever the service says:", () => {
    const nothing = { ...small, projects: [], findings: [] };
    const reports = { small, mixed, "no findings": { ...small, findings: [] }, nothing };

    it("SARIF and JSON", () => {
      const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false });
      const schemaIn = (file: string) =>
        ajv.compile(JSON.parse(readFileSync(join(repository, file), "utf8")) as object);
      const sarif = schemaIn("test/schemas/sarif-2.1.0.json");
      const json = schemaIn("schemas/audit-report.schema.json");
      for (const [name, report] of Object.entries(reports)) {
        assert.ok(sarif(JSON.parse(format(report, "sarif"))), name + ajv.errorsText(sarif.errors));
        const value: unknown = JSON.parse(format(report, "json"));
        assert.ok(json(value), name + ajv.errorsText(json.errors));
        assert.deepEqual(value, JSON.parse(JSON.stringify({ formatVersion: 1, ...report })));
      }
    });

    it("JUnit, with the schema of Jenkins' xUnit plugin", async () => {
      const { XmlDocument, XsdValidator } = await import("libxml2-wasm");
      const schema = readFileSync(join(repository, "test/schemas/junit-10.xsd"));
      const validator = XsdValidator.fromDoc(XmlDocument.fromBuffer(schema));
      for (const report of Object.values(reports)) {
        validator.validate(XmlDocument.fromString(format(report, "junit")));
      }
    });
  });

  it("have a unique fingerprint for each finding that is not accepted in SARIF and Code Quality", () => {
    const issues = issuesOf(mixed);
    const prints = issues.map(({ fingerprint }) => fingerprint);
    assert.equal(new Set(prints).size, mixed.findings.length - mixed.summary.accepted);
    assert.equal(prints.length, mixed.findings.length - mixed.summary.accepted);
    const inSarif = runOf(mixed)?.results?.map(({ partialFingerprints }) => partialFingerprints);
    const expected = prints.map((print) => ({
      primaryLocationLineHash: `${print.slice(0, 32)}:1`,
    }));
    assert.deepEqual(inSarif, expected);
    for (const { location } of issues) assert.match(location.path, /^projects(\/[^/\s<>]+){1,2}$/);
  });

  it("say what a rule requires with its options, and not without them", () => {
    const project = { projectId: "p-1", name: "a", environments: [{ environmentId: "live" }] };
    const report = reportOn([project], [keptDeployments({ minimum: 5 })]);
    for (const name of ["sarif", "html"] as const) {
      const text = format(report, name);
      assert.match(text, /Set deploymentsToKeep to 5 or more/, name);
      assert.doesNotMatch(text, /at least 3|to 3 or more/, name);
    }
  });

  it("of JUnit fails a case if and only if a finding of it fails the audit", () => {
    for (const failOn of ["note", "error", "never"] as const) {
      const report = mixedReport(failOn);
      const failing = report.findings.filter(
        ({ level, accepted }) => accepted === undefined && (failOn === "note" || level === failOn),
      );
      const places = failing.map((each) => [each.rule, each.projectId, each.environmentId].join());
      const { size } = new Set(places);
      const text = format(report, "junit");
      assert.equal(text.split("<failure ").length - 1, size, failOn);
      const suites = [...text.matchAll(/<testsuite [^>]*failures="(\d+)"/g)];
      assert.equal(
        suites.reduce((sum, [, count]) => sum + Number(count), 0),
        size,
      );
    }
  });

  for (const name of Object.keys(formats) as AuditFormat[]) {
    it(`let no text of the service be invisible, move the cursor or be a command: ${name}`, () => {
      const text = format(mixed, name);
      assert.deepEqual(commandsIn(text), []);
      const shown = text.replaceAll("\n", "").replaceAll(name === "markdown" ? "\u200b" : "\n", "");
      assert.doesNotMatch(
        shown,
        /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u,
      );
      assert.match(shown, /é 漢字 👩 🏴/u);
    });
  }

  it("let no text of the service be a link in SARIF", () => {
    const environments = [{ environmentId: "live", webroot: "/[see](https://x.example)\\" }];
    const report = reportOn([{ projectId: "p-1", name: "a", environments }], [webrootLocation()]);
    const [text] = runOf(report)?.results?.map(({ message }) => message.text) ?? [];
    assert.match(text ?? "", /^[^[]*\/\\\[see\\\]\(https:\/\/x\.example\)\\\\/);
  });

  it("let no text of the service be Markdown or HTML, or mention or link anything in Markdown", () => {
    const rows = format(mixed, "markdown").match(/^\| .*/gm) ?? [];
    for (const row of rows) {
      assert.ok([6, 8].includes(row.split(/(?<!\\)\|/).length), row);
      assert.doesNotMatch(row, /<|(?<!\\)[`*[\]]|[@#](?!\u200b)|https:\/\/|www\.|GH-\d/);
    }
  });

  it("of Markdown fits a comment, and says what it leaves out", () => {
    const long = "&\u200b".repeat(20_000);
    const many = Array.from({ length: 400 }, (_, index) => index);
    const row = { ...finding, message: "x".repeat(200) };
    const report = {
      ...small,
      service: `https://projects.example.com/${long}`,
      scope: {
        filters: many.map((index) => `name*=${index}${long}`),
        exclude: [],
        listedProjects: 999,
      },
      rules: small.rules.map((rule) => ({ ...rule, reason: long, remedy: long })),
      findings: many.map((index) => ({ ...row, subject: `database ${index}` })),
      staleAcceptances: many.map(() => ({ ...finding, subject: long, reason: long })),
    };
    const text = format(report, "markdown");
    assert.ok(text.length < 65_536, String(text.length));
    const rows = text.split("\n").filter((line) => line.startsWith("| shop")).length;
    assert.equal(rows + Number(/^(\d+) more findings/m.exec(text)?.[1]), 400);
    const accepted = { ...report, findings: [{ ...row, projectName: long, message: long }] };
    assert.ok(format(accepted, "markdown").length < 65_536);
  });

  it("of the table is a line for each finding, cut at 200 characters", () => {
    const many = Array.from({ length: 150 }, () => finding);
    const long = { ...finding, message: `y${"👩".repeat(100)}` };
    const lines = format({ ...small, findings: [...many, long] }, "table").split("\n");
    const rows = lines.filter((line) => line.startsWith("shop (p-1)  live  "));
    assert.equal(rows.length, 151);
    const last = rows.at(-1)!;
    assert.ok(last.isWellFormed() && last.endsWith("👩…"), last);
    assert.ok(last.length > 195 && last.length <= 201, String(last.length));
  });
});
