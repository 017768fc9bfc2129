import { compareValues } from "../../provider/model/compareValues.js";
import { groupBy } from "../../provider/model/groupBy.js";
import { textsAt } from "../../provider/model/projectFilter.js";
import type { AuditedProject } from "../rules/auditedProject.js";
import { findingKey, levels } from "../rules/finding.js";
import { isChecked, type Rule } from "../rules/rule.js";
import type { Checked } from "../rules/runRules.js";
import {
  type AcceptedEntry,
  applyEntries,
  dayOf,
  entriesByKey,
  expiresSoon,
  type JudgedFinding,
} from "./acceptance.js";
import { environmentIdsOf, type runAudit } from "./runAudit.js";

/**
 * The result of an audit, which every format shows. Contains no credentials.
 * `schemas/audit-report.schema.json` describes its fields.
 */
export interface AuditReport {
  readonly tool: { readonly name: string; readonly version: string };
  readonly service: string;
  readonly createdAt: string;
  readonly scope: {
    readonly filters: readonly string[];
    readonly exclude: readonly string[];
    readonly listedProjects: number;
  };
  readonly failOn: FailOn;
  /** The key by which the projects are grouped. */
  readonly groupBy?: string | undefined;
  readonly groups?: ReturnType<typeof projectGroups> | undefined;
  readonly rules: readonly ReportedRule[];
  readonly projects: readonly ReportedProject[];
  readonly findings: readonly ReportedFinding[];
  readonly staleAcceptances: readonly AcceptedEntry[];
  readonly expiringAcceptances: readonly AcceptedEntry[];
  /** Numbers of projects, and of findings: of those that are not accepted, except `accepted`. */
  readonly summary: ReturnType<typeof summaryCounts>;
}

/** The levels that can fail an audit, from the fewest findings that fail it to the most, or `never`. */
export const failOnLevels = [...levels, "never"] as const;

type FailOn = (typeof failOnLevels)[number];

export type ReportedRule = ReturnType<typeof reportedRule>;

export type ReportedProject = ReturnType<typeof reportedProject>;

export interface ReportedFinding extends JudgedFinding {
  readonly failing: boolean;
}

/**
 * Returns the report of an audit. The accepted entries expire by the day of `createdAt`.
 *
 * @param isFiltered whether the audit had a filter. Then no entry is stale, because its finding may be in a project that
 *   the filter leaves out.
 */
export function createAuditReport(
  context: Pick<AuditReport, "tool" | "service" | "createdAt" | "scope" | "failOn" | "groupBy">,
  audit: ReturnType<typeof runAudit>,
  entries: readonly AcceptedEntry[],
  isFiltered: boolean,
): AuditReport {
  const today = dayOf(context.createdAt);
  const projects = audit.projects.map((project) => reportedProject(project, context.groupBy));
  const byKey = entriesByKey(entries);
  const findings = applyEntries(audit.findings, byKey, today).map((finding) => ({
    ...finding,
    failing: isFailing(finding, context.failOn),
  }));
  const keys = new Set(findings.map(findingKey));
  return {
    ...context,
    rules: audit.results.map(({ rule, checked }) => reportedRule(rule, checked)),
    groups: context.groupBy === undefined ? undefined : projectGroups(projects, findings),
    projects,
    findings,
    staleAcceptances: isFiltered ? [] : entries.filter(staleTest(audit, keys)),
    expiringAcceptances: [...byKey.values()]
      .filter((each) => keys.has(findingKey(each)) && expiresSoon(each, today))
      .sort((a, b) => compareValues(a.until ?? "", b.until ?? "")),
    summary: summaryCounts(findings, projects),
  };
}

/** Whether an entry matches nothing, although the audit looked at its place, or its project is not listed. */
function staleTest(
  { projects, results }: ReturnType<typeof runAudit>,
  findingKeys: ReadonlySet<string>,
): (entry: AcceptedEntry) => boolean {
  const listedIds = new Set(projects.map((project) => project.projectId));
  const unread = projects.filter(({ inaccessible }) => inaccessible !== undefined);
  const runs = new Map(
    results.map(({ rule, findings }) => {
      const undecided = findings.filter(({ state }) => state === "undecided");
      const unsureIds = new Set([...unread, ...undecided].map(({ projectId }) => projectId));
      return [rule.name, { rule, unsureIds }];
    }),
  );
  return (entry) => {
    const { projectId, environmentId } = entry;
    const run = runs.get(entry.rule);
    if (run === undefined || findingKeys.has(findingKey(entry))) return false;
    if (!listedIds.has(projectId)) return true;
    const { rule, unsureIds } = run;
    const hasRun = environmentId === undefined || isChecked(rule.environments, environmentId);
    // A rule that compares projects finds less if it does not see all of them.
    return hasRun && (rule.checkProjects ? unsureIds.size === 0 : !unsureIds.has(projectId));
  };
}

function reportedRule(rule: Rule, checked: Checked) {
  const { name, level, description, reason, remedy, environments } = rule;
  return { name, level, description, reason, remedy, environments, checked };
}

function reportedProject(project: AuditedProject, key: string | undefined) {
  const { projectId, name, inaccessible } = project;
  const group = key === undefined ? undefined : (textsAt(project, key)[0] ?? "(none)");
  const environmentIds = "environments" in project ? environmentIdsOf(project) : undefined;
  return { projectId, name, group, environmentIds, inaccessible };
}

function isFailing({ level, accepted }: JudgedFinding, failOn: FailOn): boolean {
  if (accepted !== undefined || failOn === "never") return false;
  return levels.indexOf(level) <= levels.indexOf(failOn);
}

export type ProjectStates = ReturnType<typeof projectStates>;

/** Numbers of projects: with open findings, with accepted ones only, and without findings. */
export function projectStates(
  projects: readonly ReportedProject[],
  findings: readonly ReportedFinding[],
) {
  const count = (some: readonly ReportedFinding[]) => {
    const ids = new Set(some.map(({ projectId }) => projectId));
    return projects.filter(({ projectId }) => ids.has(projectId)).length;
  };
  const found = count(findings);
  const open = count(findings.filter(({ accepted }) => accepted === undefined));
  return { open, accepted: found - open, clean: projects.length - found };
}

/** Groups projects by the key of `--group-by`, those with the most open projects first. */
function projectGroups(projects: readonly ReportedProject[], findings: readonly ReportedFinding[]) {
  const byProject = groupBy(findings, ({ projectId }) => projectId);
  return [...groupBy(projects, ({ group = "" }) => group)]
    .map(([name, members]) => {
      const found = members.flatMap(({ projectId }) => byProject.get(projectId) ?? []);
      return { name, ...projectStates(members, found) };
    })
    .sort((a, b) => b.open - a.open || b.accepted - a.accepted || compareValues(a.name, b.name));
}

function summaryCounts(findings: readonly ReportedFinding[], projects: readonly ReportedProject[]) {
  const open = findings.filter(({ accepted }) => accepted === undefined);
  const count = (test: (finding: ReportedFinding) => boolean) => open.filter(test).length;
  return {
    projects: projects.length,
    projectStates: projectStates(projects, findings),
    violated: count(({ state }) => state === "violated"),
    undecided: count(({ state }) => state === "undecided"),
    failing: count(({ failing }) => failing),
    accepted: findings.length - open.length,
  };
}

/**
 * Returns the places of a project that a rule checked: undefined for the project as a whole, or the ids of
 * environments. The list is empty if the project could not be read.
 */
export function checkedPlaces(
  { checked, environments }: ReportedRule,
  { inaccessible, environmentIds = [] }: ReportedProject,
): (string | undefined)[] {
  if (inaccessible !== undefined) return [];
  if ("projects" in checked) return [undefined];
  return environmentIds.filter((id) => isChecked(environments, id));
}
