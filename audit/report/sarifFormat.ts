import { hash } from "node:crypto";
import type { Log, Message, ReportingDescriptor, Result, Suppression } from "sarif";
import { displayText } from "../../provider/errors/displayText.js";
import { type Finding, findingKey, sentenceOf } from "../rules/finding.js";
import type { Acceptance, ReportedFinding } from "./acceptance.js";
import { displayJson } from "./jsonFormat.js";
import type { AuditReport, FormatOptions, ReportedRule } from "./report.js";
import { acceptanceSentence, staleSentence, subjectSentence } from "./sentences.js";

/**
 * Returns the report as SARIF 2.1.0, for the code scanning of GitHub, GitLab and others.
 *
 * Code scanning shows a result only at a file, and a project is not a file. So each finding is at line
 * 1 of `projects/<projectId>/<environmentId>`, a path that does not exist. The list of alerts then
 * shows the project and the environment. A finding keeps its fingerprint as long as its identity is the
 * same: rule, project, environment, subject and state.
 *
 * An accepted finding has a suppression. `omitAccepted` leaves it out, because GitHub shows suppressed
 * results as open alerts. The counts in the properties of the run stay the same.
 */
export function sarifFormat(report: AuditReport, { omitAccepted }: FormatOptions): string {
  const { tool, rules, findings, createdAt, scope, failOn, summary, staleAcceptances } = report;
  const indexes = new Map(rules.map(({ name }, index) => [name, index]));
  const shown = omitAccepted ? findings.filter(({ accepted }) => accepted === undefined) : findings;
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
              message: messageOf(staleSentence(entry)),
            })),
          },
        ],
        properties: { scope, failOn, summary },
        results: shown.map((finding) => resultOf(finding, indexes.get(finding.rule) ?? -1)),
      },
    ],
  };
  return `${displayJson(log, 0)}\n`;
}

/** A message of SARIF can contain links, such as `[text](address)`. Texts of the service contain none. */
function messageOf(text: string): Message {
  return { text: text.includes("](") ? text.replace(/[\\[\]]/g, "\\$&") : text };
}

function descriptorOf(rule: ReportedRule): ReportingDescriptor {
  const { name, severity, description, reason, remedy, comparedProjects } = rule;
  const help = `${description}\n\n${reason}\n\n${remedy}`;
  return {
    id: name,
    shortDescription: { text: description },
    fullDescription: { text: reason },
    help: { text: help, markdown: help },
    defaultConfiguration: { level: severity },
    ...(comparedProjects === undefined ? {} : { properties: { comparedProjects } }),
  };
}

function resultOf(finding: ReportedFinding, ruleIndex: number): Result {
  const { rule, state, level, projectId, projectName, environmentId, subject } = finding;
  const { accepted } = finding;
  const fingerprint = fingerprintOf(finding);
  return {
    ruleId: rule,
    ruleIndex,
    level,
    message: messageOf(
      [
        sentenceOf(finding),
        ...subjectSentence(finding),
        ...(accepted === undefined ? acceptanceSentence(finding) : []),
      ].join(" "),
    ),
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: pathOf(finding) },
          region: { startLine: 1 },
        },
        logicalLocations: [
          {
            name: displayText(environmentId ?? projectName),
            fullyQualifiedName: [
              projectName,
              ...(environmentId === undefined ? [] : [environmentId]),
            ]
              .map((name) => displayText(name))
              .join("/"),
            kind: "resource",
          },
        ],
      },
    ],
    // GitHub compares only primaryLocationLineHash. Other tools compare any fingerprint.
    partialFingerprints: {
      primaryLocationLineHash: `${fingerprint.slice(0, 32)}:1`,
      "projectServiceFinding/v1": fingerprint,
    },
    ...(accepted === undefined ? {} : { suppressions: [suppressionOf(accepted)] }),
    properties: {
      projectId,
      ...(environmentId === undefined ? {} : { environmentId }),
      subject,
      state,
    },
  };
}

function suppressionOf({ reason, ...properties }: Acceptance): Suppression {
  return {
    kind: "external",
    status: "accepted",
    justification: reason,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  };
}

/** Returns the fingerprint of a finding, 64 hexadecimal digits, which stands for its identity. */
export function fingerprintOf(finding: Finding): string {
  return hash("sha256", findingKey(finding));
}

/**
 * Returns a path for a finding: `projects/<projectId>/<environmentId>`. Tools that review code show a
 * result only at a file. This path does not exist, but lists of results show it.
 */
export function pathOf({ projectId, environmentId }: Finding): string {
  const names = environmentId === undefined ? [projectId] : [projectId, environmentId];
  return `projects/${names.map(segmentOf).join("/")}`;
}

/** Encodes a segment of a path. A segment of dots alone would lead to the parent. */
function segmentOf(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(/^\.+$/, (dots) =>
    dots.replaceAll(".", "%2E"),
  );
}
