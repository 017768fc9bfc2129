import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { didYouMean, displayText } from "../../provider/errors/displayText.js";
import { groupBy } from "../../provider/model/groupBy.js";
import { readableProject } from "../houseRules/readableProject.js";
import {
  type AuditedProject,
  auditedProject,
  type ProjectToCheck,
} from "../rules/auditedProject.js";
import type { Finding } from "../rules/finding.js";
import { environmentsOf, type Rule } from "../rules/rule.js";
import { type Checked, runRule } from "../rules/runRules.js";
import { type AcceptedEntry, applyEntries, dayOf, type ReportedFinding } from "./acceptance.js";
import {
  type AuditReport,
  type FailOn,
  isFailing,
  type ReportedProject,
  type ReportedRule,
  type ReportSummary,
} from "./report.js";

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
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if a rule names an environment that certainly does not
 *   exist, or if a rule fails.
 */
export function createReport(
  context: AuditContext,
  projects: readonly ProjectToCheck[],
  rules: readonly Rule[],
): AuditReport {
  const { acceptedEntries, ...about } = context;
  const audited = projects.map(auditedProject);
  const readable = audited.filter(({ inaccessible }) => inaccessible === undefined);
  if (context.scope.filters.length === 0) refuseUnknownEnvironments(rules, audited);
  const results = rules.map((rule) => {
    const { findings, checked } = runRule(rule, rule === readableProject ? audited : readable);
    return {
      rule: reportedRule(rule, checked),
      byProject: groupBy(findings, ({ projectId }) => projectId),
    };
  });
  return withAcceptances(
    {
      ...about,
      rules: results.map(({ rule }) => rule),
      projects: audited.map(reportedProject),
      findings: audited.flatMap(({ projectId }) =>
        results.flatMap(({ byProject }) => byProject.get(projectId) ?? []),
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
    // With a filter, the finding of an entry may be in another project.
    staleAcceptances: report.scope.filters.length === 0 ? unmatched : [],
    summary: summaryOf(findings, report.projects.length, report.failOn),
  };
}

/**
 * A rule for an environment that nobody has would never run, and the audit would be green. Nothing is said
 * if the environments of a project are not known.
 */
function refuseUnknownEnvironments(
  rules: readonly Rule[],
  projects: readonly AuditedProject[],
): void {
  // Where environments are not seen, one of them may have the id.
  const isSeen = (project: AuditedProject) =>
    project.inaccessible === undefined && "environments" in project;
  if (!projects.every(isSeen)) return;
  const existing = new Set(projects.flatMap(environmentIdsOf));
  for (const { name, environments = [] } of rules) {
    const unknown = environments.find((id) => !existing.has(id));
    if (unknown === undefined || projects.length === 0) continue;
    throw argumentInvalid(
      `The rule ${name} is for the environment ${displayText(unknown)}, but no project has it. ${didYouMean(unknown, [...existing], "environments")}. Correct the option environments of the rule.`,
    );
  }
}

function environmentIdsOf({ environments }: AuditedProject): string[] {
  return environments.map(({ environmentId }) => environmentId);
}

function reportedRule(rule: Rule, checked: Checked): ReportedRule {
  const { name, severity, description, reason, remedy } = rule;
  const environments = environmentsOf(rule);
  const limit = environments === undefined ? {} : { environments };
  return { name, severity, description, reason, remedy, ...limit, checked };
}

function reportedProject(project: AuditedProject): ReportedProject {
  const { projectId, name, inaccessible } = project;
  return {
    projectId,
    name,
    ...("environments" in project ? { environmentIds: environmentIdsOf(project) } : {}),
    ...(inaccessible === undefined ? {} : { inaccessible }),
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
