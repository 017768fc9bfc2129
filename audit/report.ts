import type { AuditedProject } from "./auditedProject.js";
import { namedProject } from "./auditedProject.js";
import { checkProject } from "./checkProject.js";
import type { Finding } from "./finding.js";
import type { Rule } from "./rule.js";

/** What an audit found, as every format shows it. Holds no credential. */
export interface AuditReport {
  /** What made it. */
  readonly tool: { readonly name: string; readonly version: string };
  /** Address of the Project Service that was read. */
  readonly service: string;
  /** When it was read, as ISO 8601. */
  readonly createdAt: string;
  readonly rules: readonly RuleTexts[];
  /** In the order of the service. */
  readonly projects: readonly ReportedProject[];
  /** By project, then by rule, then by environment. */
  readonly findings: readonly Finding[];
  readonly summary: ReportSummary;
}

/** A rule without its function. */
export type RuleTexts = Pick<Rule, "name" | "description" | "reason" | "remedy">;

export interface ReportedProject {
  readonly projectId: string;
  readonly name: string;
  readonly environmentIds: readonly string[];
}

export interface ReportSummary {
  /** How many were read. */
  readonly projects: number;
  /** Projects without a finding. */
  readonly clean: number;
  /** Findings of something wrong. */
  readonly violated: number;
  /** Findings of something that the service does not say. */
  readonly unknown: number;
}

/** Checks projects and puts together what was found. */
export function makeReport(
  about: Pick<AuditReport, "tool" | "service" | "createdAt">,
  projects: readonly AuditedProject[],
  rules: readonly Rule[],
): AuditReport {
  const findings = projects.flatMap((project) => checkProject(project, rules));
  const withFindings = new Set(findings.map(({ projectId }) => projectId));
  const count = (state: Finding["state"]) =>
    findings.filter((finding) => finding.state === state).length;
  return {
    ...about,
    rules: rules.map(({ name, description, reason, remedy }) => ({
      name,
      description,
      reason,
      remedy,
    })),
    projects: projects.map(namedProject).map(({ projectId, name, environments }) => ({
      projectId,
      name,
      environmentIds: environments.map(({ environmentId }) => environmentId),
    })),
    findings,
    summary: {
      projects: projects.length,
      clean: projects.length - withFindings.size,
      violated: count("violated"),
      unknown: count("unknown"),
    },
  };
}

/** The summary in a sentence. */
export function summarySentence({ projects, clean, violated, unknown }: ReportSummary): string {
  const findings = [`${violated} violated`, ...(unknown === 0 ? [] : [`${unknown} unknown`])].join(
    ", ",
  );
  const read = projects === 1 ? "1 project" : `${projects} projects`;
  return violated + unknown === 0
    ? `${read} audited: no findings.`
    : `${read} audited, ${clean} without findings: ${findings}.`;
}
