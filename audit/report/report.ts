import { type AuditedProject, identifiedProject } from "../rules/auditedProject.js";
import { checkProject } from "../rules/checkProject.js";
import type { Finding } from "../rules/finding.js";
import type { Rule } from "../rules/rule.js";

/** The result of an audit, which every format shows. Contains no credentials. */
export interface AuditReport {
  /** The program that created the report. */
  readonly tool: { readonly name: string; readonly version: string };
  /** Address of the audited Project Service. */
  readonly service: string;
  /** Time of the audit, as ISO 8601. */
  readonly createdAt: string;
  readonly rules: readonly ReportedRule[];
  /** In the order of the service's list. */
  readonly projects: readonly ReportedProject[];
  /** Sorted by project, then by rule, then by environment. */
  readonly findings: readonly Finding[];
  readonly summary: ReportSummary;
}

/** The texts of a rule. */
export type ReportedRule = Pick<Rule, "name" | "description" | "reason" | "remedy">;

/** A project as the report names it. */
export interface ReportedProject {
  readonly projectId: string;
  readonly name: string;
  readonly environmentIds: readonly string[];
}

/** Counts of projects and findings. */
export interface ReportSummary {
  /** Number of audited projects. */
  readonly projects: number;
  /** Number of projects without findings. */
  readonly clean: number;
  /** Number of findings with the state `violated`. */
  readonly violated: number;
  /** Number of findings with the state `unknown`. */
  readonly unknown: number;
}

/** Checks projects against rules, and returns the report. */
export function createReport(
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
    projects: projects.map(identifiedProject).map(({ projectId, name, environments }) => ({
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

/** Returns the summary as a sentence. */
export function summarySentence({ projects, clean, violated, unknown }: ReportSummary): string {
  const findings = [`${violated} violated`, ...(unknown === 0 ? [] : [`${unknown} unknown`])].join(
    ", ",
  );
  const audited = projects === 1 ? "1 project" : `${projects} projects`;
  return violated + unknown === 0
    ? `${audited} audited: no findings.`
    : `${audited} audited, ${clean} without findings: ${findings}.`;
}
