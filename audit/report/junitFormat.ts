import { displayText } from "../../provider/errors/displayText.js";
import type { ReportedFinding } from "./acceptance.js";
import { groupBy } from "./groupBy.js";
import { type AuditReport, isFailing, type ReportedProject, type ReportedRule } from "./report.js";
import { acceptanceSentence, staleSentence, summarySentence } from "./sentences.js";

/**
 * Returns the report as JUnit XML: a suite for each rule, and in it a case for each project or
 * environment that the rule checks, also for those without a finding.
 *
 * A finding that fails the audit is a `failure`, an accepted finding is `skipped`. A finding that is
 * less serious than `failOn` is also `skipped`, so that a build does not fail on a test report if the
 * audit succeeds. The `type` of both is the level of the finding.
 */
export function junitFormat(report: AuditReport): string {
  const { findings, rules, failOn, summary } = report;
  const projects = report.projects.map(namedProject);
  const byRule = groupBy(findings, ({ rule }) => rule);
  const suites = rules.map((rule) =>
    suiteOf(
      rule,
      report,
      projects,
      groupBy(byRule.get(rule.name) ?? [], ({ projectId }) => projectId),
    ),
  );
  const counts = {
    tests: suites.reduce((sum, { cases }) => sum + cases, 0),
    failures: summary.failing,
    errors: 0,
    skipped: findings.filter((finding) => !isFailing(finding, failOn)).length,
    time: 0,
  };
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<testsuites${attributes({ name: "Project Service audit", ...counts })}>`,
    ...suites.map(({ xml }) => xml),
    "</testsuites>",
    "",
  ].join("\n");
}

/** A project with the names of its cases, escaped for XML. Every suite has the same names. */
interface NamedProject {
  readonly projectId: string;
  readonly caseName: string;
  /** Case names by the id of the environment. */
  readonly caseNames: ReadonlyMap<string, string>;
}

function namedProject({ projectId, name, environmentIds }: ReportedProject): NamedProject {
  const caseName = xmlText(`${displayText(name, 300)} (${displayText(projectId, 300)})`);
  return {
    projectId,
    caseName,
    caseNames: new Map(
      environmentIds.map((id) => [id, `${caseName}, environment ${xmlText(displayText(id, 300))}`]),
    ),
  };
}

function suiteOf(
  rule: ReportedRule,
  report: AuditReport,
  projects: readonly NamedProject[],
  byProject: ReadonlyMap<string, readonly ReportedFinding[]>,
): { xml: string; cases: number } {
  const cases = projects.flatMap((project) =>
    casesOf(rule, project, byProject.get(project.projectId) ?? [], report.failOn),
  );
  const found = [...byProject.values()].flat();
  const failures = found.filter((finding) => isFailing(finding, report.failOn)).length;
  const counts = {
    tests: cases.length,
    failures,
    errors: 0,
    skipped: found.length - failures,
    time: 0,
    timestamp: report.createdAt.replace(/(\.\d+)?Z$/, ""),
  };
  const lines = [
    `  <testsuite${attributes({ name: rule.name, ...counts })}>`,
    "    <properties>",
    ...Object.entries(propertiesOf(rule, report)).map(
      ([name, value]) => `      <property${attributes({ name, value })}/>`,
    ),
    "    </properties>",
    ...cases,
    "  </testsuite>",
  ];
  return { xml: lines.join("\n"), cases: cases.length };
}

/** Returns a case for each place of a project that the rule checks. */
function casesOf(
  { name, checks }: ReportedRule,
  { caseName, caseNames }: NamedProject,
  findings: readonly ReportedFinding[],
  failOn: AuditReport["failOn"],
): string[] {
  const start = `    <testcase classname="${xmlText(name)}" name="`;
  const caseOf = (text: string, environmentId: string | undefined) => {
    const finding = findings.find((other) => other.environmentId === environmentId);
    return `${start}${text}" time="0"${finding === undefined ? "/>" : resultOf(finding, failOn)}`;
  };
  return [
    ...(checks.includes("project") ? [caseOf(caseName, undefined)] : []),
    ...(checks.includes("environments")
      ? [...caseNames].map(([environmentId, text]) => caseOf(text, environmentId))
      : []),
  ];
}

function propertiesOf(
  { description, severity }: ReportedRule,
  report: AuditReport,
): Record<string, string> {
  return {
    service: report.service,
    rule: description,
    severity,
    scope: report.scope.filters.join(" and ") || "all projects",
    summary: summarySentence(report),
    ...Object.fromEntries(
      report.staleAcceptances
        .slice(0, 20)
        .map((entry, index) => [`staleAcceptance${index + 1}`, staleSentence(entry)]),
    ),
  };
}

function resultOf(finding: ReportedFinding, failOn: AuditReport["failOn"]): string {
  const { level, state, message, remedy, accepted } = finding;
  const acceptance = acceptanceSentence(finding);
  const element = isFailing(finding, failOn) ? "failure" : "skipped";
  const about =
    accepted !== undefined
      ? `${acceptance} ${state}: ${message}`
      : element === "failure"
        ? `${state}: ${message}`
        : `A finding with the level ${level} does not fail the audit. ${state}: ${message}`;
  const text = [message, remedy, ...(acceptance === undefined ? [] : [acceptance])].join("\n");
  return [
    ">",
    `      <${element} type="${level}" message="${xmlText(about)}">${xmlText(text)}</${element}>`,
    "    </testcase>",
  ].join("\n");
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${xmlText(String(value))}"`)
    .join("");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** Escapes a text for XML. XML 1.0 cannot contain some characters, which become U+FFFD. */
function xmlText(text: string): string {
  if (/^[ !#-%'-;=?-~]*$/.test(text)) return text; // the usual case, and quick
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/[&<>"\t\n\r]/g, (character) => entities[character] as string);
}
