import { groupBy } from "../../provider/model/groupBy.js";
import {
  type AuditedProject,
  auditedProject,
  type ProjectToCheck,
} from "../rules/auditedProject.js";
import type { Finding } from "../rules/finding.js";
import { readableProject } from "../houseRules/readableProject.js";
import type { Rule } from "../rules/rule.js";
import { type AcceptedEntry, applyEntries, dayOf, type ReportedFinding } from "./acceptance.js";
import {
  type AuditReport,
  type FailOn,
  isFailing,
  type ReportedProject,
  type ReportedRule,
  type ReportSummary,
} from "./report.js";
import { staleEntries } from "./staleEntries.js";

/** A report before anything is said about acceptances. */
type UnacceptedReport = Omit<AuditReport, "findings" | "staleAcceptances" | "summary"> & {
  readonly findings: readonly Finding[];
};

/** What an audit knows before it checks its projects. */
export interface AuditContext extends Pick<
  AuditReport,
  "tool" | "service" | "createdAt" | "scope" | "failOn"
> {
  readonly acceptedEntries: readonly AcceptedEntry[];
}

/**
 * Checks projects against rules, and returns the report. Only {@link readableProject} sees the projects
 * that could not be read.
 */
export function createReport(
  context: AuditContext,
  projects: readonly ProjectToCheck[],
  rules: readonly Rule[],
): AuditReport {
  const { acceptedEntries, ...about } = context;
  const audited = projects.map(auditedProject);
  const readable = audited.filter(({ inaccessible }) => inaccessible === undefined);
  const byRule = rules.map((rule) => {
    const seen = rule === readableProject ? audited : readable;
    return groupBy(rule.checkAll(seen), ({ projectId }) => projectId);
  });
  return withAcceptances(
    {
      ...about,
      rules: rules.map((rule) => reportedRule(rule, audited)),
      projects: audited.map((project) => reportedProject(project, rules)),
      findings: audited.flatMap(({ projectId }) =>
        byRule.flatMap((findings) => findings.get(projectId) ?? []),
      ),
    },
    acceptedEntries,
  );
}

/** Returns the report with accepted entries. They expire by the day of `createdAt`. */
export function withAcceptances(
  report: UnacceptedReport,
  entries: readonly AcceptedEntry[],
): AuditReport {
  const { findings, unmatched } = applyEntries(report.findings, entries, dayOf(report.createdAt));
  return {
    ...report,
    findings,
    staleAcceptances: staleEntries(unmatched, { ...report, findings }),
    summary: summaryOf(findings, report.projects.length, report.failOn),
  };
}

function reportedRule(rule: Rule, projects: readonly AuditedProject[]): ReportedRule {
  const { name, severity, description, reason, remedy, checks } = rule;
  const { checkedEnvironments, comparesProjects } = rule;
  return {
    name,
    severity,
    description,
    reason,
    remedy,
    checks,
    ...(checkedEnvironments === undefined ? {} : { checkedEnvironments }),
    ...(comparesProjects ? { comparedProjects: projects.filter(rule.checksProject).length } : {}),
  };
}

function reportedProject(project: AuditedProject, rules: readonly Rule[]): ReportedProject {
  const { projectId, name, environments, missingFields, inaccessible } = project;
  const environmentIds = environments.map(({ environmentId }) => environmentId);
  const isUnknown = inaccessible !== undefined || missingFields.includes("environments");
  return {
    projectId,
    name,
    ...(isUnknown ? {} : { environmentIds }),
    ...(inaccessible === undefined ? {} : { inaccessible }),
    uncheckedBy: rules.filter((rule) => !rule.checksProject(project)).map((rule) => rule.name),
  };
}

function summaryOf(
  findings: readonly ReportedFinding[],
  projects: number,
  failOn: FailOn,
): ReportSummary {
  const open = findings.filter(({ accepted }) => accepted === undefined);
  const count = (test: (finding: Finding) => boolean) => open.filter(test).length;
  return {
    projects,
    clean: projects - new Set(open.map(({ projectId }) => projectId)).size,
    violated: count(({ state }) => state === "violated"),
    unknown: count(({ state }) => state === "unknown"),
    levels: {
      error: count(({ level }) => level === "error"),
      warning: count(({ level }) => level === "warning"),
      note: count(({ level }) => level === "note"),
    },
    failing: count((finding) => isFailing(finding, failOn)),
    accepted: findings.length - open.length,
  };
}
