import { createHash } from "node:crypto";
import type { Log, ReportingDescriptor, Result } from "sarif";
import { displayText } from "../../provider/errors/displayText.js";
import { type Finding, sentenceOf } from "../rules/finding.js";
import type { AuditReport, ReportedRule } from "./report.js";
import { displayJson } from "./displayJson.js";

/**
 * Returns the report as SARIF 2.1.0, for the code scanning of GitHub, GitLab and others.
 *
 * Code scanning shows a result only at a file, and a project is not a file. So each finding is at line
 * 1 of `projects/<projectId>/<environmentId>`, a path that does not exist. The list of alerts then
 * shows the project and the environment. A violated finding is an error, an unknown one a warning. A
 * finding keeps its fingerprint as long as rule, project and environment are the same.
 */
export function sarifFormat(report: AuditReport): string {
  const { tool, rules, findings, createdAt } = report;
  const indexes = new Map(rules.map(({ name }, index) => [name, index]));
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
        invocations: [{ executionSuccessful: true, endTimeUtc: createdAt }],
        results: findings.map((finding) => resultOf(finding, indexes.get(finding.rule) ?? -1)),
      },
    ],
  };
  return `${displayJson(log)}\n`;
}

function descriptorOf({ name, description, reason, remedy }: ReportedRule): ReportingDescriptor {
  const help = `${reason}\n\n${remedy}`;
  return {
    id: name,
    shortDescription: { text: description },
    fullDescription: { text: reason },
    help: { text: help, markdown: help },
    defaultConfiguration: { level: "error" },
  };
}

function resultOf(finding: Finding, ruleIndex: number): Result {
  const { rule, state, projectId, projectName, environmentId } = finding;
  const fingerprint = createHash("sha256")
    .update(JSON.stringify([rule, projectId, environmentId ?? null]))
    .digest("hex");
  return {
    ruleId: rule,
    ruleIndex,
    level: state === "violated" ? "error" : "warning",
    message: { text: sentenceOf(finding) },
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
    properties: {
      projectId,
      ...(environmentId === undefined ? {} : { environmentId }),
      state,
    },
  };
}

function pathOf({ projectId, environmentId }: Finding): string {
  const names = environmentId === undefined ? [projectId] : [projectId, environmentId];
  return `projects/${names.map(segmentOf).join("/")}`;
}

/** Encodes a segment of a path. A segment of dots alone would lead to the parent. */
function segmentOf(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(/^\.+$/, (dots) =>
    dots.replaceAll(".", "%2E"),
  );
}
