import { displayText } from "../../provider/errors/displayText.js";
import { type Level, levels } from "../rules/finding.js";
import type { ReportedFinding } from "./acceptance.js";
import { checkedPlaces } from "./checkedPlaces.js";
import { groupBy } from "../../provider/model/groupBy.js";
import { type AuditReport, isFailing, type ReportedProject, type ReportedRule } from "./report.js";
import {
  acceptanceSentence,
  staleSentence,
  subjectSentence,
  summarySentence,
} from "./sentences.js";

/**
 * Returns the report as JUnit XML: a suite for each rule, and in it a case for each project or
 * environment that the rule checked, also for those without a finding.
 *
 * A case with a finding that fails the audit is a `failure`. A case whose findings are all accepted, or
 * less serious than `failOn`, is `skipped`, so that a build does not fail on a test report if the audit
 * succeeds. Both name all the findings. Their `type` is the level of the most serious one.
 */
export function junitFormat(report: AuditReport): string {
  const byRule = groupBy(report.findings, ({ rule }) => rule);
  const suites = report.rules.map((rule) => suiteOf(rule, report, byRule.get(rule.name) ?? []));
  const counts = countsOf(suites.flatMap(({ results }) => results));
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<testsuites${attributes({ name: "Project Service audit", ...counts })}>`,
    ...suites.map(({ xml }) => xml),
    "</testsuites>",
    "",
  ].join("\n");
}

function suiteOf(
  rule: ReportedRule,
  report: AuditReport,
  findings: readonly ReportedFinding[],
): { xml: string; results: Case["result"][] } {
  const byProject = groupBy(findings, ({ projectId }) => projectId);
  const cases = report.projects.flatMap((project) =>
    casesOf(rule, project, byProject.get(project.projectId) ?? [], report.failOn),
  );
  const results = cases.map(({ result }) => result);
  const timestamp = report.createdAt.replace(/(\.\d+)?Z$/, "");
  const lines = [
    `  <testsuite${attributes({ name: rule.name, ...countsOf(results), timestamp })}>`,
    "    <properties>",
    ...Object.entries(propertiesOf(rule, report)).map(
      ([name, value]) => `      <property${attributes({ name, value })}/>`,
    ),
    "    </properties>",
    ...cases.map(({ xml }) => xml),
    "  </testsuite>",
  ];
  return { xml: lines.join("\n"), results };
}

function countsOf(results: readonly Case["result"][]): Record<string, number> {
  const count = (kind: Case["result"]) => results.filter((result) => result === kind).length;
  return {
    tests: results.length,
    failures: count("failure"),
    errors: 0,
    skipped: count("skipped"),
    time: 0,
  };
}

interface Case {
  readonly xml: string;
  readonly result: "passed" | "failure" | "skipped";
}

/** Returns a case for each place of a project that the rule checked, or that has a finding. */
function casesOf(
  rule: ReportedRule,
  project: ReportedProject,
  findings: readonly ReportedFinding[],
  failOn: AuditReport["failOn"],
): Case[] {
  const byPlace = groupBy(findings, ({ environmentId }) => environmentId);
  const places = new Set([...checkedPlaces(rule, project), ...byPlace.keys()]);
  return [...places].map((environmentId) => {
    const name = caseName(project, environmentId);
    const start = `    <testcase${attributes({ classname: rule.name, name, time: 0 })}`;
    const found = byPlace.get(environmentId) ?? [];
    if (found.length === 0) return { xml: `${start}/>`, result: "passed" };
    const result = found.some((finding) => isFailing(finding, failOn)) ? "failure" : "skipped";
    return { xml: `${start}${resultOf(found, result, failOn)}`, result };
  });
}

function caseName({ name, projectId }: ReportedProject, environmentId: string | undefined): string {
  const project = `${displayText(name, 300)} (${displayText(projectId, 300)})`;
  return environmentId === undefined
    ? project
    : `${project}, environment ${displayText(environmentId, 300)}`;
}

function propertiesOf(
  { description, severity, comparedProjects }: ReportedRule,
  report: AuditReport,
): Record<string, string> {
  return {
    service: report.service,
    rule: description,
    severity,
    ...(comparedProjects === undefined ? {} : { comparedProjects: String(comparedProjects) }),
    scope: displayText(report.scope.filters.join(" and ") || "all projects", 1000),
    summary: summarySentence(report),
    ...Object.fromEntries(
      report.staleAcceptances
        .slice(0, 20)
        .map((entry, index) => [`staleAcceptance${index + 1}`, staleSentence(entry)]),
    ),
  };
}

function resultOf(
  findings: readonly ReportedFinding[],
  element: "failure" | "skipped",
  failOn: AuditReport["failOn"],
): string {
  // The findings that fail come first.
  const ordered = [
    ...findings.filter((finding) => isFailing(finding, failOn)),
    ...findings.filter((finding) => !isFailing(finding, failOn)),
  ];
  const level = levels.find((one) => ordered.some((finding) => finding.level === one)) as Level;
  const about = ordered.map((finding) => headlineOf(finding, failOn)).join(" ");
  const text = ordered.map(textOf).join("\n\n");
  return [
    ">",
    `      <${element} type="${level}" message="${xmlText(about)}">${xmlText(text)}</${element}>`,
    "    </testcase>",
  ].join("\n");
}

function headlineOf(finding: ReportedFinding, failOn: AuditReport["failOn"]): string {
  const { level, state, message, accepted } = finding;
  if (accepted !== undefined) {
    return [...acceptanceSentence(finding), `${state}: ${message}`].join(" ");
  }
  return isFailing(finding, failOn)
    ? `${state}: ${message}`
    : `A finding with the level ${level} does not fail the audit. ${state}: ${message}`;
}

function textOf(finding: ReportedFinding): string {
  const { level, state, message, remedy } = finding;
  return [
    `${level}, ${state}: ${message}`,
    ...subjectSentence(finding),
    remedy,
    ...acceptanceSentence(finding),
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
