import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { didYouMean, displayText } from "../../provider/errors/displayText.js";
import { groupBy } from "../../provider/model/groupBy.js";
import {
  type AuditedProject,
  auditedProject,
  type ProjectToCheck,
} from "../rules/auditedProject.js";
import { type Finding, findingKey } from "../rules/finding.js";
import { environmentsOf, type Rule } from "../rules/rule.js";
import { type Checked, runRules } from "../rules/runRules.js";
import {
  type AcceptedEntry,
  applyEntries,
  dayOf,
  entriesByKey,
  type ReportedFinding,
} from "./acceptance.js";
import { type AuditReport, isFailing, type ReportedProject, type ReportedRule } from "./report.js";

/**
 * Checks projects against rules. The findings are in the order of the projects.
 *
 * @param isComplete whether these are all projects of the service. With a filter, an environment or the finding of
 *   an accepted entry may be in another one.
 * @throws ProjectServiceError `ARGUMENT_INVALID` if a rule names an environment that certainly does not
 *   exist, or if a rule fails.
 */
export function runAudit(
  projects: readonly ProjectToCheck[],
  rules: readonly Rule[],
  isComplete: boolean,
) {
  const audited = projects.map(auditedProject);
  if (isComplete) refuseUnknownEnvironments(rules, audited);
  const results = runRules(rules, audited);
  const byProject = groupBy(
    results.flatMap((result) => result.findings),
    ({ projectId }) => projectId,
  );
  const findings = audited.flatMap(({ projectId }) => byProject.get(projectId) ?? []);
  return { projects: audited, results, findings, isComplete };
}

/** Returns the report of an audit. The accepted entries expire by the day of `createdAt`. */
export function createAuditReport(
  context: Pick<AuditReport, "tool" | "service" | "createdAt" | "scope" | "failOn">,
  { projects, results, findings: all, isComplete }: ReturnType<typeof runAudit>,
  entries: readonly AcceptedEntry[],
): AuditReport {
  const findings = applyEntries(all, entriesByKey(entries), dayOf(context.createdAt));
  const keys = new Set(findings.map(findingKey));
  return {
    ...context,
    rules: results.map(({ rule, checked }) => reportedRule(rule, checked)),
    projects: projects.map(reportedProject),
    findings,
    staleAcceptances: isComplete ? entries.filter((each) => !keys.has(findingKey(each))) : [],
    summary: summaryCounts(findings, projects.length, context.failOn),
  };
}

/**
 * A rule for an environment that nobody has would never run, and the audit would be green. Nothing is said
 * if the environments of a project are not known: one of them may have the id.
 */
function refuseUnknownEnvironments(
  rules: readonly Rule[],
  projects: readonly AuditedProject[],
): void {
  if (projects.length === 0 || !projects.every((project) => "environments" in project)) return;
  const existing = new Set(projects.flatMap(environmentIdsOf));
  for (const { name, environments = [] } of rules) {
    const unknown = environments.find((id) => !existing.has(id));
    if (unknown === undefined) continue;
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
  return { name, severity, description, reason, remedy, environments, checked };
}

function reportedProject(project: AuditedProject): ReportedProject {
  const { projectId, name, inaccessible } = project;
  const environmentIds = "environments" in project ? environmentIdsOf(project) : undefined;
  return { projectId, name, environmentIds, inaccessible };
}

function summaryCounts(
  findings: readonly ReportedFinding[],
  projects: number,
  failOn: AuditReport["failOn"],
): AuditReport["summary"] {
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
