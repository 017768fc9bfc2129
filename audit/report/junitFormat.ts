import { displayText } from "../../provider/errors/displayText.js";
import { groupBy } from "../../provider/model/groupBy.js";
import { levels } from "../rules/finding.js";
import type { ReportedFinding } from "./acceptance.js";
import { checkedPlaces } from "./report.js";
import { type AuditReport, isFailing, type ReportedProject, type ReportedRule } from "./report.js";
import { checkedText, findingSentence, staleSentence, summarySentence } from "./sentences.js";

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
  // The schema of Jenkins allows no `skipped` here.
  const { skipped: _, ...counts } = countsOf(suites.flatMap(({ cases }) => cases));
  const attributes = { name: "Project Service audit", ...counts };
  const all = element("testsuites", attributes, suites.map(({ xml }) => xml).join(""));
  return `<?xml version="1.0" encoding="UTF-8"?>${all}\n`;
}

interface Case {
  readonly xml: string;
  readonly result: "passed" | "failure" | "skipped";
}

function suiteOf(rule: ReportedRule, report: AuditReport, findings: readonly ReportedFinding[]) {
  const byProject = groupBy(findings, ({ projectId }) => projectId);
  const cases = report.projects.flatMap((project) => {
    const byPlace = groupBy(byProject.get(project.projectId) ?? [], (found) => found.environmentId);
    const places = new Set([...checkedPlaces(rule, project), ...byPlace.keys()]);
    return [...places].map((environmentId): Case => {
      const name = caseName(project, environmentId);
      const { result, xml } = resultOf(byPlace.get(environmentId) ?? [], report);
      return { result, xml: element("testcase", { classname: rule.name, name, time: 0 }, xml) };
    });
  });
  const timestamp = report.createdAt.replace(/(\.\d+)?Z$/, "");
  const attributes = { name: rule.name, ...countsOf(cases), timestamp };
  const content = propertiesOf(rule, report) + cases.map(({ xml }) => xml).join("");
  return { cases, xml: element("testsuite", attributes, content) };
}

function caseName({ name, projectId }: ReportedProject, environmentId: string | undefined): string {
  const project = `${displayText(name, 300)} (${displayText(projectId, 300)})`;
  if (environmentId === undefined) return project;
  return `${project}, environment ${displayText(environmentId, 300)}`;
}

/** Returns the result of a case. Findings that fail the audit come first. */
function resultOf(findings: readonly ReportedFinding[], { failOn }: AuditReport): Case {
  if (findings.length === 0) return { result: "passed", xml: "" };
  const failing = findings.filter((finding) => isFailing(finding, failOn));
  const all = [...failing, ...findings.filter((finding) => !failing.includes(finding))];
  const type = levels.find((one) => all.some(({ level }) => level === one)) ?? "note";
  const message = all.map(({ state, message }) => `${state}: ${message}`).join(" ");
  const texts = all.map((each) => `${each.level}, ${each.state}: ${findingSentence(each)}`);
  const result = failing.length > 0 ? "failure" : "skipped";
  return { result, xml: element(result, { type, message }, xmlText(texts.join("\n\n"))) };
}

function propertiesOf(rule: ReportedRule, report: AuditReport): string {
  const stale = report.staleAcceptances.slice(0, 20).map(staleSentence);
  const properties = [
    ["service", report.service],
    ["rule", rule.description],
    ["severity", rule.severity],
    ["checked", checkedText(rule)],
    ["summary", summarySentence(report)],
    ...stale.map((sentence, index) => [`staleAcceptance${index + 1}`, sentence]),
  ].map(([name = "", value = ""]) => element("property", { name, value }));
  return element("properties", {}, properties.join(""));
}

function countsOf(cases: readonly Case[]) {
  const count = (kind: Case["result"]) => cases.filter(({ result }) => result === kind).length;
  const [failures, skipped] = [count("failure"), count("skipped")];
  return { tests: cases.length, failures, errors: 0, skipped, time: 0 };
}

/** Returns an element on a line of its own. */
function element(name: string, attributes: object, content = ""): string {
  const texts = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${xmlText(`${value}`)}"`,
  );
  return `\n<${name}${texts.join("")}${content === "" ? "/>" : `>${content}</${name}>`}`;
}

/** Escapes a text for XML. XML 1.0 cannot contain some characters, which become U+FFFD. */
function xmlText(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
