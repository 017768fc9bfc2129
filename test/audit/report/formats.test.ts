import assert from "node:assert/strict";
import stringWidth from "fast-string-width";
import { parse, type TestSuites } from "junit2json";
import type { Log } from "sarif";
import { type FormatName, formatNames, formatReport } from "../../../audit/report/formatReport.js";
import { type AuditReport, isFailing } from "../../../audit/report/report.js";
import { levels } from "../../../audit/rules/finding.js";
import { displayText } from "../../../provider/errors/displayText.js";
import { commandsIn } from "../../support/logCommands.js";
import { sampleProjects } from "../../../sandbox/index.js";
import { defineRule, violated } from "../../../audit/policies.js";
import {
  hostileProjects,
  mixedReport,
  reportInPage,
  reportOn,
  rulesOfEachSeverity,
} from "../../support/auditReport.js";

const plainTerminal = { width: 100, hasColors: false, omitAccepted: false };

/** A finding as a report shows it. */
interface Shown {
  readonly rule: string;
  readonly projectId: string;
  /** As text that is safe to show. Empty for the project as a whole. */
  readonly environment: string;
  readonly level: string;
  readonly acceptance: "open" | "accepted" | "expired";
}

function shownIn({ findings }: AuditReport): Shown[] {
  return findings.map(({ rule, projectId, environmentId, level, accepted, expired }) => ({
    rule,
    projectId,
    environment: displayText(environmentId ?? ""),
    level,
    acceptance: accepted !== undefined ? "accepted" : expired !== undefined ? "expired" : "open",
  }));
}

/** Returns the findings as sorted texts, which can be compared. */
function sorted(findings: readonly object[]): string[] {
  return findings.map((finding) => JSON.stringify(finding)).sort();
}

const acceptanceIn = (text: string): Shown["acceptance"] =>
  /\bAccepted( by .*?)?( until [\d-]+)?: /.test(text)
    ? "accepted"
    : /\bThe acceptance( by .*?)? expired, its last day was/.test(text)
      ? "expired"
      : "open";

/** Read the findings back from each format. JUnit has its own parser. */
const readers = {
  table: (text: string): Shown[] =>
    text
      .split("\n\n")
      .filter((section) => /^(ACCEPTED\n)?PROJECT +ENVIRONMENT/.test(section))
      .flatMap((section) => readTable(section.replace("ACCEPTED\n", ""))),
  html: (text: string): Shown[] => shownIn(reportInPage(text)),
  json: (text: string): Shown[] => shownIn(JSON.parse(text) as AuditReport),
  markdown: (text: string): Shown[] =>
    text
      .split("\n")
      .filter((line) => /^\| (❌|⚠️|ℹ️|☑️)/.test(line))
      .map((line) => {
        const cells = line.split(/(?<!\\)\|/).map((cell) => unescaped(cell.trim()));
        assert.equal(cells.length, 7, line);
        assert.equal(line.startsWith("| ☑️"), acceptanceIn(cells[5] ?? "") === "accepted", line);
        return {
          rule: cells[4] ?? "",
          projectId: /\(([^()]*)\)$/.exec(cells[2] ?? "")?.[1] ?? "",
          environment: cells[3] ?? "",
          level: /error|warning|note/.exec(cells[1] ?? "")?.[0] ?? "",
          acceptance: acceptanceIn(cells[5] ?? ""),
        };
      }),
  sarif: (text: string): Shown[] => {
    const [run] = (JSON.parse(text) as Log).runs;
    return (run?.results ?? []).map((result) => {
      const { ruleId = "", ruleIndex = -1, properties, suppressions = [], message } = result;
      assert.equal(run?.tool.driver.rules?.[ruleIndex]?.id, ruleId);
      for (const { kind, status, justification } of suppressions) {
        assert.deepEqual([kind, status], ["external", "accepted"]);
        assert.ok(justification);
      }
      const { projectId = "", environmentId = "" } = properties as Record<string, string>;
      const isAccepted = suppressions.length > 0;
      return {
        rule: ruleId,
        projectId,
        environment: displayText(environmentId),
        level: result.level ?? "",
        acceptance: isAccepted ? "accepted" : acceptanceIn(message.text ?? ""),
      };
    });
  },
  codequality: (text: string): Shown[] =>
    (JSON.parse(text) as CodeQualityIssue[]).map((issue) => {
      const [, projectId = "", environment = ""] = issue.location.path.split("/");
      const levels = { major: "error", minor: "warning", info: "note" };
      return {
        rule: issue.check_name,
        projectId: decodeURIComponent(projectId),
        environment: displayText(decodeURIComponent(environment)),
        level: levels[issue.severity],
        acceptance: acceptanceIn(issue.description),
      };
    }),
};

/** The fields that GitLab documents. */
interface CodeQualityIssue {
  description: string;
  check_name: string;
  fingerprint: string;
  severity: "major" | "minor" | "info";
  location: { path: string; lines: { begin: number } };
}

function readTable(section: string): Shown[] {
  const [header = "", ...lines] = section.split("\n");
  const titles = ["PROJECT", "ENVIRONMENT", "RULE", "LEVEL", "STATE"];
  const starts = titles.map((title) => header.indexOf(title));
  const rows: {
    project: string;
    environment: string;
    rule: string;
    level: string;
    text: string;
  }[] = [];
  for (const line of lines.map(withFillers)) {
    const [name = "", environment = "", rule = "", level = ""] = starts.map((start, column) =>
      line
        .slice(start, starts[column + 1])
        .replaceAll(filler, "")
        .trimEnd(),
    );
    const last = rows.at(-1);
    if (/ (violated|unknown)$/.test(line)) {
      rows.push({ project: name || (last?.project ?? ""), environment, rule, level, text: "" });
    } else if (last !== undefined) {
      last.project += name;
      // A message is indented further than a continued environment.
      if (/^\S/.test(environment)) last.environment += environment;
      last.text += ` ${line.slice(starts[1]).replaceAll(filler, "").trim()}`;
    }
  }
  return rows.map(({ project, environment, rule, level, text }) => ({
    rule,
    projectId: /\(([^()]*)\)$/.exec(project)?.[1] ?? "",
    environment: environment.replace(/^-$/, ""),
    level,
    acceptance: acceptanceIn(text),
  }));
}

/** Returns the findings and the passed cases that a JUnit parser reads. */
async function readJunit(text: string) {
  const testsuites = (await parse(text)) as TestSuites;
  const cases = (testsuites.testsuite ?? []).flatMap(({ name: rule = "", testcase = [] }) =>
    testcase.map(({ name = "", classname, failure = [], skipped = [] }) => {
      assert.equal(classname, rule);
      const [, projectId = "", environment = ""] =
        /^.* \(([^()]*)\)(?:, environment (.*))?$/.exec(name) ?? [];
      return { rule, projectId, environment, failure: failure[0], skipped: skipped[0] };
    }),
  );
  const findings = cases.flatMap(({ failure, skipped, ...place }): Shown[] => {
    const result = failure ?? skipped;
    if (result === undefined) return [];
    assert.ok(failure === undefined || skipped === undefined);
    const { type = "", inner = "" } = result as { type?: string; inner?: string };
    const shown = inner.split("\n\n").map((finding): Shown => {
      const [, level = ""] = /^(error|warning|note), (?:violated|unknown): /.exec(finding) ?? [];
      return { ...place, level, acceptance: acceptanceIn(finding) };
    });
    const mostSerious = levels.find((level) => shown.some((finding) => finding.level === level));
    assert.equal(type, mostSerious);
    return shown;
  });
  return { testsuites, cases, findings };
}

const filler = "\u0000";

/** Adds a filler to each character that takes two columns, so that columns equal string positions. */
function withFillers(line: string): string {
  return line.replace(/\p{Script=Han}/gu, `$&${filler}`);
}

function unescaped(markdown: string): string {
  return withoutEntities(markdown.replace(/\\(.)/g, "$1").replaceAll("\u200b", ""));
}

function withoutEntities(text: string): string {
  const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? "");
}

describe("the report formats", () => {
  const hostileReport = reportOn(hostileProjects());
  const mixed = mixedReport();

  it("have a report with every level, state and acceptance to show", () => {
    const { levels, unknown, accepted, failing } = mixed.summary;
    for (const count of [...Object.values(levels), unknown, accepted, failing]) {
      assert.ok(count > 0, JSON.stringify(mixed.summary));
    }
    assert.ok(mixed.findings.some(({ expired }) => expired !== undefined));
    assert.equal(mixed.staleAcceptances.length, 1);
  });

  for (const format of ["json", "html", "sarif", "codequality"] as const) {
    it(`${format} has each finding with its level and its acceptance, and no others`, () => {
      const text = formatReport(mixed, format, plainTerminal);
      assert.deepEqual(sorted(readers[format](text)), sorted(shownIn(mixed)));
    });
  }

  it("JUnit has a case for each place that a rule checks, and each finding with its level and its acceptance", async () => {
    const { testsuites, cases, findings } = await readJunit(
      formatReport(mixed, "junit", plainTerminal),
    );
    assert.deepEqual(sorted(findings), sorted(shownIn(mixed)));
    const environments = mixed.projects.flatMap(({ environmentIds }) => environmentIds);
    const casesOf = (name: string) => cases.filter(({ rule }) => rule === name).length;
    assert.equal(casesOf("error-rule"), mixed.projects.length);
    assert.equal(casesOf("linked-assets"), mixed.projects.length + environments.length);
    const failing = mixed.findings.filter((finding) => isFailing(finding, mixed.failOn));
    const failingPlaces = new Set(
      failing.map(({ rule, projectId, environmentId }) =>
        JSON.stringify([rule, projectId, environmentId]),
      ),
    );
    assert.ok(failingPlaces.size < failing.length, "a case has several findings");
    assert.equal(cases.filter(({ failure }) => failure !== undefined).length, failingPlaces.size);
    assert.deepEqual([testsuites.tests, testsuites.failures], [cases.length, failingPlaces.size]);
  });

  it("JUnit skips findings that do not fail the audit, so that a test report agrees with the exit code", async () => {
    const report = mixedReport({ failOn: "error" });
    const { cases } = await readJunit(formatReport(report, "junit", plainTerminal));
    const failures = cases.flatMap(({ failure }) => failure ?? []);
    assert.ok(failures.length > 0 && failures.every(({ type }) => type === "error"));
    const none = await readJunit(
      formatReport(mixedReport({ failOn: "never" }), "junit", plainTerminal),
    );
    assert.ok(none.cases.every(({ failure }) => failure === undefined));
    assert.equal(none.findings.length, report.findings.length);
  });

  it("JUnit is well-formed whatever the service and the rules say", async () => {
    const name = "\u0000\uffff\ud800]]><&\"'\t\n\u{1f469}";
    const rule = defineRule({
      name: "odd-rule",
      description: "]]>",
      reason: "&",
      remedy: "<",
      checkProject: () => [violated(name)],
    });
    const [project] = sampleProjects();
    assert.ok(project);
    const report = reportOn([{ ...project, name }], {}, [rule]);
    const text = formatReport(report, "junit", plainTerminal);
    assert.doesNotMatch(text, /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
    const { findings } = await readJunit(text);
    assert.ok(findings.some((finding) => finding.rule === "odd-rule"));
  });

  it("the table and Markdown show each finding with its level and its acceptance", () => {
    const few = { ...mixed, findings: mixed.findings.slice(0, 100) };
    for (const format of ["table", "markdown"] as const) {
      const text = formatReport(few, format, plainTerminal);
      assert.deepEqual(sorted(readers[format](text)), sorted(shownIn(few)), format);
    }
  });

  it("every format has the reason of an accepted finding, and Code Quality the documented fields", () => {
    const reason = "It is replaced in 2027.";
    const { findings } = reportOn(sampleProjects());
    const acceptedEntries = findings
      .slice(0, 1)
      .map(({ rule, projectId, environmentId, subject, state }) => ({
        rule,
        projectId,
        subject,
        ...(environmentId === undefined ? {} : { environmentId }),
        state,
        reason,
      }));
    const report = reportOn(sampleProjects(), { acceptedEntries });
    for (const format of formatNames) {
      assert.ok(formatReport(report, format, plainTerminal).includes(reason), format);
    }
    const issues = JSON.parse(
      formatReport(report, "codequality", plainTerminal),
    ) as CodeQualityIssue[];
    for (const issue of issues) {
      assert.deepEqual(Object.keys(issue).sort(), [
        "check_name",
        "description",
        "fingerprint",
        "location",
        "severity",
      ]);
      assert.match(issue.location.path, /^projects\/[^/\s]+(\/[^/\s]+)?$/);
      assert.deepEqual(issue.location.lines, { begin: 1 });
    }
    assert.equal(new Set(issues.map(({ fingerprint }) => fingerprint)).size, issues.length);
    const [run] = (JSON.parse(formatReport(report, "sarif", plainTerminal)) as Log).runs;
    assert.deepEqual(
      issues.map(({ fingerprint }) => fingerprint),
      run?.results?.map((result) => result.partialFingerprints?.["projectServiceFinding/v1"]),
    );
  });

  it("--omit-accepted leaves accepted findings out of SARIF and Code Quality, and keeps the counts", () => {
    for (const format of ["sarif", "codequality"] as const) {
      const text = formatReport(mixed, format, { ...plainTerminal, omitAccepted: true });
      const open = shownIn(mixed).filter(({ acceptance }) => acceptance !== "accepted");
      assert.deepEqual(sorted(readers[format](text)), sorted(open), format);
    }
    const text = formatReport(mixed, "sarif", { ...plainTerminal, omitAccepted: true });
    const [run] = (JSON.parse(text) as Log).runs;
    assert.deepEqual(run?.properties?.["summary"], mixed.summary);
  });

  it("every format that has a place for it says what the audit looked at, and which acceptances are stale", () => {
    const scope = { filters: ["name*=shop"], listedProjects: 4711 };
    const report = mixedReport({ scope });
    for (const format of ["table", "json", "markdown", "sarif", "html", "junit"] as const) {
      const text = formatReport(report, format, plainTerminal).replace(/[\u200b\\]/g, "");
      assert.match(text, /name\*=shop/, format);
      assert.match(text, /4,?711/, format);
    }
    for (const format of ["table", "json", "markdown", "sarif", "html", "junit"] as const) {
      const text = formatReport(mixed, format, plainTerminal);
      assert.match(text, /gone/, format);
    }
  });

  it("every format says that there are no findings", async () => {
    const clean = reportOn(sampleProjects().slice(6, 7));
    const text = (format: FormatName) => formatReport(clean, format, plainTerminal);
    for (const format of ["table", "json", "markdown", "sarif", "codequality"] as const) {
      assert.deepEqual(readers[format](text(format)), [], format);
    }
    assert.deepEqual((await readJunit(text("junit"))).findings, []);
    for (const format of ["table", "markdown", "junit"] as const) {
      assert.match(text(format), /1 project audited: no findings\./, format);
    }
  });

  it("the table for many findings has an overview first and 100 findings in detail, and says how to get the rest", () => {
    const all = reportOn(hostileProjects(), {}, rulesOfEachSeverity).findings;
    const acceptedEntries = all.slice(0, 10).map((finding) => ({ ...finding, reason: "later" }));
    const report = reportOn(hostileProjects(), { acceptedEntries }, rulesOfEachSeverity);
    const text = formatReport(report, "table", plainTerminal);
    const sections = text.split("\n\n");
    assert.match(sections[0] ?? "", /^RULE +ERRORS +WARNINGS +NOTES +ACCEPTED$/m);
    assert.match(sections[1] ?? "", /^PROJECT \(worst 10 of \d+\)/m);
    const column = (index: number) =>
      (sections[0] ?? "")
        .split("\n")
        .slice(1)
        .map((line) => Number(line.split(/ +/)[index]))
        .reduce((sum, count) => sum + count, 0);
    const { levels, accepted } = report.summary;
    assert.deepEqual([1, 2, 3, 4].map(column), [
      levels.error,
      levels.warning,
      levels.note,
      accepted,
    ]);
    assert.equal(readers.table(text).length, 100);
    const open = report.findings.length - accepted;
    assert.match(
      text,
      new RegExp(`^${open - 100} more findings are not shown\\..*--output audit.html`, "m"),
    );
    assert.ok(text.split("\n").length < 600);
  });

  it("the table fits a terminal of 80 to 120 columns, and colors add nothing that the text does not say", () => {
    for (const report of [hostileReport, mixed]) {
      for (const [width, most] of [
        [20, 80],
        [97, 97],
        [500, 120],
      ] as const) {
        const text = formatReport(report, "table", { ...plainTerminal, width });
        const widths = text.split("\n").map((line) => stringWidth(line));
        assert.ok(Math.max(...widths) <= most && Math.max(...widths) > most - 8, String(width));
      }
      const colored = formatReport(report, "table", { ...plainTerminal, hasColors: true });
      assert.match(colored, /\u001b\[31merror +violated\u001b\[0m/);
      assert.equal(
        colored.replace(/\u001b\[\d+m/g, ""),
        formatReport(report, "table", plainTerminal),
      );
    }
  });

  for (const format of formatNames) {
    it(`${format} lets no text of the service move the cursor, change the reading direction or be invisible`, () => {
      const text = formatReport(mixed, format, plainTerminal)
        .replace(/<script type="module">.*<\/script>/s, "") // has no text of the service
        .replaceAll("\n", "")
        .replaceAll(format === "markdown" ? "\u200b" : "\n", ""); // Markdown uses it to break links
      assert.doesNotMatch(text, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      assert.match(text, /é 漢字 👩 🏴/u);
    });
  }

  for (const format of formatNames) {
    it(`${format} has no command of a runner, whatever the service says, and at every width`, () => {
      const report = mixedReport();
      for (let width = 80; width <= (format === "table" ? 120 : 80); width++) {
        const text = formatReport(report, format, { ...plainTerminal, width });
        assert.deepEqual(commandsIn(text), [], `at ${width} columns`);
      }
    });
  }

  it("SARIF messages have no links of the service", () => {
    const [shop] = sampleProjects();
    shop!.projectEnvironments[0]!.projectEnvironmentCode.webroot = "/[see](https://x.example)\\";
    const log = JSON.parse(formatReport(reportOn([shop!]), "sarif", plainTerminal)) as Log;
    const texts = (log.runs[0]?.results ?? []).map(({ message }) => message.text ?? "");
    const links = texts.flatMap((text) => [...text.matchAll(/(?<!\\)(?:\\\\)*\[.*?\]\(/g)]);
    assert.deepEqual(links, []);
    assert.ok(
      texts.some((text) => text.includes("/\\[see\\](https://x.example)\\\\")),
      texts.join("\n"),
    );
  });

  it("Markdown shows the code point of an invisible character, also above U+FFFF", () => {
    const { findings } = hostileReport;
    const invisible = findings.filter(({ projectName }) => projectName.includes("\u{e0041}"));
    const text = formatReport({ ...hostileReport, findings: invisible }, "markdown", plainTerminal);
    assert.ok(text.includes("u\\{e0041\\}\\\\u0085"), text);
  });

  it("Markdown lets no text of the service be Markdown or HTML, or mention anybody", () => {
    const rows = formatReport(hostileReport, "markdown", plainTerminal)
      .split("\n")
      .filter((line) => line.startsWith("| "));
    for (const row of rows) {
      assert.doesNotMatch(row, /<(?!details|summary|\/)/);
      assert.doesNotMatch(row, /(?<!\\)[`*[\]]|@(?!\u200b)|https:\/\//);
    }
  });

  it("Markdown fits a comment, and counts the findings that do not fit", () => {
    const many = reportOn(Array.from({ length: 60 }, () => hostileProjects()).flat());
    const text = formatReport(many, "markdown", plainTerminal);
    assert.ok(text.length < 65_536);
    const visibleRows = readers.markdown(text).length;
    const hidden = Number(/^(\d+) more findings/m.exec(text)?.[1]);
    assert.ok(visibleRows > 100);
    assert.equal(visibleRows + hidden, many.findings.length);
  });

  describe("Markdown fits a comment, and says what it leaves out, if the report has", () => {
    const long = "&\u200b".repeat(20_000);
    const many = <T>(elementOf: (index: number) => T) =>
      Array.from({ length: 400 }, (_, index) => elementOf(index));
    const { rules, findings, scope } = hostileReport;
    const withFilters = (filters: string[]) => ({ scope: { filters, listedProjects: 999 } });
    const notes = {
      head: /^This summary ends early\. The formats json and html contain everything\.$/m,
      findings: /^\d{2,} more findings do not fit here\./m,
      rules: /^\d+ more rules? do(es)? not fit here\./m,
      accepted: /^\d{2,} more accepted findings do not fit here\./m,
      stale: /^\d{2,} more accepted entries do not fit here\./m,
    };
    const cases: Record<string, [Partial<AuditReport>, ...RegExp[]]> = {
      "many filters": [
        withFilters(many((index) => `name~=shop-${index}`)),
        /name\\~=shop-19 and 380 more filters audited, /,
      ],
      "many long filters": [withFilters(many((index) => `name~=${index}${long}`)), notes.head],
      "a long address": [{ service: `https://projects.example.com/${long}` }, notes.head],
      "many rules that compared different numbers of projects": [
        {
          rules: many((index) => {
            const name = `${"rule-".repeat(15)}${index}`;
            return { ...rules[0]!, name, comparedProjects: index };
          }),
          scope: { ...scope, listedProjects: 999 },
        },
        notes.head,
      ],
      "long texts of rules": [
        { rules: rules.map((rule) => ({ ...rule, reason: long, remedy: long })) },
        notes.rules,
      ],
      "long findings": [
        {
          findings: findings.map((finding) => ({
            ...finding,
            ...{ projectName: long, rule: long, subject: long, message: long },
          })),
        },
        notes.findings,
      ],
      "long reasons": [
        {
          findings: findings.map((finding) => ({
            ...finding,
            accepted: { reason: long, acceptedBy: long, until: "2026-03-02" },
          })),
        },
        notes.accepted,
      ],
      "long stale entries": [
        {
          staleAcceptances: many(() => ({
            ...{ rule: long, projectId: long, environmentId: long, subject: long },
            ...{ state: "violated", reason: long },
          })),
        },
        notes.stale,
      ],
    };
    const everything = Object.values(cases).map(([changes]) => changes);
    cases["all of this"] = [
      Object.assign({}, ...everything) as Partial<AuditReport>,
      ...[notes.head, notes.accepted, notes.stale],
    ];
    for (const [what, [changes, ...expected]] of Object.entries(cases)) {
      it(what, () => {
        const text = formatReport({ ...hostileReport, ...changes }, "markdown", plainTerminal);
        assert.ok(text.length < 65_536, String(text.length));
        for (const note of expected) assert.match(text, note);
      });
    }
  });

  it("JSON has the documented fields, with the texts that the service sent", () => {
    const report = JSON.parse(formatReport(hostileReport, "json", plainTerminal)) as Record<
      string,
      unknown
    >;
    assert.deepEqual(Object.keys(report), [
      "formatVersion",
      "tool",
      "service",
      "createdAt",
      "scope",
      "failOn",
      "rules",
      "projects",
      "findings",
      "staleAcceptances",
      "summary",
    ]);
    assert.deepEqual(report["projects"], hostileReport.projects);
  });

  it("SARIF has a place and a unique, stable fingerprint for each finding", () => {
    const read = (report: AuditReport) =>
      (JSON.parse(formatReport(report, "sarif", plainTerminal)) as Log).runs[0]?.results ?? [];
    const results = read(hostileReport);
    for (const { locations, partialFingerprints } of results) {
      const { artifactLocation, region } = locations?.[0]?.physicalLocation ?? {};
      assert.match(artifactLocation?.uri ?? "", /^projects\/[^/\s<>]+(\/[^/\s<>]+)?$/);
      assert.equal(region?.startLine, 1);
      assert.match(partialFingerprints?.["primaryLocationLineHash"] ?? "", /^[0-9a-f]{32}:1$/);
    }
    const prints = (report: AuditReport) =>
      read(report).map((result) => result.partialFingerprints?.["projectServiceFinding/v1"]);
    assert.equal(new Set(prints(hostileReport)).size, results.length);
    const reversed = reportOn(hostileProjects().reverse());
    assert.deepEqual(prints(reversed).sort(), prints(hostileReport).sort());
  });
});
