import { hash } from "node:crypto";
import type { Log, Message, ReportingDescriptor, Result } from "sarif";
import { displayJson } from "../../provider/errors/displayText.js";
import { type Finding, findingKey } from "../rules/finding.js";
import type { ReportedFinding } from "./acceptance.js";
import type { AuditReport, FormatOptions, ReportedRule } from "./report.js";
import { checkedText, findingSentence, staleSentence } from "./sentences.js";

/**
 * Returns the report as SARIF 2.1.0, for the code scanning of GitHub, GitLab and others.
 *
 * Code scanning shows a result only at a file. So each finding is at line 1 of
 * `projects/<projectId>/<environmentId>`, a path that does not exist, which the list of alerts shows.
 *
 * An accepted finding has a suppression. `omitAccepted` leaves it out, because GitHub shows suppressed
 * results as open alerts. The counts in the properties of the run stay the same.
 */
export function sarifFormat(report: AuditReport, { omitAccepted }: FormatOptions): string {
  const { tool, rules, findings, createdAt, scope, failOn, summary, staleAcceptances } = report;
  const log: Log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: tool.name,
            semanticVersion: tool.version,
            rules: rules.map(descriptorOf),
          },
        },
        automationDetails: { id: "project-service-audit/" },
        invocations: [
          {
            executionSuccessful: true,
            endTimeUtc: createdAt,
            toolExecutionNotifications: staleAcceptances.map((entry) => ({
              level: "note",
              message: sarifMessage(staleSentence(entry)),
            })),
          },
        ],
        properties: { scope, failOn, summary },
        results: findings
          .filter(({ accepted }) => accepted === undefined || !omitAccepted)
          .map(sarifResult),
      },
    ],
  };
  return `${displayJson(log, 0)}\n`;
}

/** Returns the fingerprint of a finding, 64 hexadecimal digits, which stands for its identity. */
export function fingerprintOf(finding: Finding): string {
  return hash("sha256", findingKey(finding));
}

/** Returns a path that does not exist, but that lists of results show. */
export function findingPath({ projectId, environmentId }: Finding): string {
  const names = ["projects", projectId, environmentId ?? []].flat();
  return names.map((name) => encodeURIComponent(name.toWellFormed())).join("/");
}

function descriptorOf(rule: ReportedRule): ReportingDescriptor {
  const { name, severity, description, reason, remedy } = rule;
  const help = `${description}\n\n${reason}\n\n${remedy}`;
  return {
    id: name,
    shortDescription: { text: description },
    fullDescription: { text: reason },
    help: { text: help, markdown: help },
    defaultConfiguration: { level: severity },
    properties: { checked: checkedText(rule) },
  };
}

function sarifResult(finding: ReportedFinding): Result {
  const { rule, state, level, projectId, environmentId, subject } = finding;
  const fingerprint = fingerprintOf(finding);
  return {
    ruleId: rule,
    level,
    message: sarifMessage(findingSentence(finding)),
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: findingPath(finding) },
          region: { startLine: 1 },
        },
      },
    ],
    // GitHub compares only primaryLocationLineHash. Other tools compare any fingerprint.
    partialFingerprints: {
      primaryLocationLineHash: `${fingerprint.slice(0, 32)}:1`,
      "projectServiceFinding/v1": fingerprint,
    },
    ...suppressionOf(finding),
    properties: { projectId, environmentId, subject, state },
  };
}

function suppressionOf({ accepted }: ReportedFinding): Pick<Result, "suppressions"> {
  if (accepted === undefined) return {};
  const { reason: justification, ...properties } = accepted;
  return {
    suppressions: [{ kind: "external", status: "accepted", justification, properties }],
  };
}

/** A message of SARIF can contain links, such as `[text](address)`. Texts of the service contain none. */
function sarifMessage(text: string): Message {
  return { text: text.includes("](") ? text.replace(/[\\[\]]/g, "\\$&") : text };
}
