import { groupBy } from "../../provider/model/groupBy.js";
import { placeOf } from "../rules/finding.js";
import {
  type AuditReport,
  checkedPlaces,
  type ReportedFinding,
  type ReportedRule,
} from "./auditReport.js";
import { findingSentence } from "./sentences.js";

/**
 * Returns the report as JUnit XML: a suite for each rule, and in it a case for each project or
 * environment that the rule checked, also for those without a finding.
 *
 * A case with a finding that fails the audit is a `failure`. A case whose findings are all accepted, or
 * less serious than `failOn`, is `skipped`, so that a build does not fail on a test report if the audit
 * succeeds. Both name all the findings.
 */
export function junitFormat(report: AuditReport): string {
  const byRule = groupBy(report.findings, ({ rule }) => rule);
  const suites = report.rules.map((rule) => suiteOf(rule, report, byRule.get(rule.name) ?? []));
  const all = element("testsuites", { name: "Project Service audit" }, suites.join(""));
  return `<?xml version="1.0" encoding="UTF-8"?>${all}\n`;
}

function suiteOf(
  rule: ReportedRule,
  report: AuditReport,
  findings: readonly ReportedFinding[],
): string {
  const timestamp = report.createdAt.slice(0, "YYYY-MM-DDTHH:mm:ss".length);
  const byProject = groupBy(findings, ({ projectId }) => projectId);
  const cases = report.projects.flatMap((project) => {
    const { projectId, name: projectName } = project;
    const byPlace = groupBy(byProject.get(projectId) ?? [], (found) => found.environmentId);
    const places = new Set([...checkedPlaces(rule, project), ...byPlace.keys()]);
    return [...places].map((environmentId) => {
      const name = placeOf({ projectName, projectId, environmentId });
      const { result, xml } = caseResult(byPlace.get(environmentId) ?? []);
      return { result, xml: element("testcase", { classname: rule.name, name, time: 0 }, xml) };
    });
  });
  const count = (wanted: Result) => cases.filter(({ result }) => result === wanted).length;
  const [failures, skipped] = [count("failure"), count("skipped")];
  const counts = { tests: cases.length, failures, errors: 0, skipped };
  // Without a time, a reporter shows NaN. The form of the schema has no fraction and no zone.
  const attributes = { name: rule.name, ...counts, time: 0, timestamp };
  return element("testsuite", attributes, cases.map(({ xml }) => xml).join(""));
}

type Result = "passed" | "failure" | "skipped";

function caseResult(findings: readonly ReportedFinding[]): { result: Result; xml: string } {
  if (findings.length === 0) return { result: "passed", xml: "" };
  const message = findings.map(({ state, message }) => `${state}: ${message}`).join(" ");
  const texts = findings.map((each) => `${each.level}, ${each.state}: ${findingSentence(each)}`);
  const result = findings.some(({ failing }) => failing) ? "failure" : "skipped";
  return { result, xml: element(result, { message }, xmlText(texts.join("\n\n"))) };
}

function element(name: string, attributes: object, content = ""): string {
  const texts = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${xmlText(`${value}`)}"`,
  );
  return `\n<${name}${texts.join("")}${content === "" ? "/>" : `>${content}</${name}>`}`;
}

/** Escapes a text for XML. XML cannot contain some characters, which become U+FFFD: https://www.w3.org/TR/xml/#charsets */
function xmlText(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
