import { groupBy } from "../../provider/model/groupBy.js";
import {
  type AuditedProject,
  auditedProject,
  type ProjectToCheck,
} from "../rules/auditedProject.js";
import { type Finding, type Level, levels } from "../rules/finding.js";
import { houseRules } from "../houseRules/houseRules.js";
import { readableProject } from "../houseRules/readableProject.js";
import type { Rule } from "../rules/rule.js";
import {
  type AcceptedEntry,
  applyEntries,
  dayOf,
  type ReportedFinding,
  type StaleEntry,
} from "./acceptance.js";

/** The result of an audit, which every format shows. Contains no credentials. */
export interface AuditReport {
  /** The program that created the report. */
  readonly tool: { readonly name: string; readonly version: string };
  /** Address of the audited Project Service. */
  readonly service: string;
  /** Time of the audit, as ISO 8601 in UTC. */
  readonly createdAt: string;
  readonly scope: ReportScope;
  /** The lowest level of a finding that fails the audit. Accepted findings never fail it. */
  readonly failOn: FailOn;
  readonly rules: readonly ReportedRule[];
  /** In the order of the service's list. */
  readonly projects: readonly ReportedProject[];
  /** Sorted by project, then by rule. */
  readonly findings: readonly ReportedFinding[];
  /**
   * The accepted entries that match no finding, although the audit looked at their project with their
   * rule, and those whose rule does not exist. They do not fail the audit.
   */
  readonly staleAcceptances: readonly StaleEntry[];
  readonly summary: ReportSummary;
}

/** The projects that the audit looked at. */
export interface ReportScope {
  /** The filters, such as `name*=shop`. A project must match all of them. Empty: all projects. */
  readonly filters: readonly string[];
  /** Number of projects that the service lists, whether they match the filters or not. */
  readonly listedProjects: number;
}

/** The levels that can fail an audit, from the fewest findings that fail it to the most, or `never`. */
export const failOnLevels = [...levels, "never"] as const;

/** The lowest level of a finding that fails the audit, or `never`. */
export type FailOn = (typeof failOnLevels)[number];

/** The texts of a rule, its severity, and the places that it checks. */
export interface ReportedRule extends Pick<
  Rule,
  "name" | "severity" | "description" | "reason" | "remedy" | "checks"
> {
  /** The number of projects that the rule compared with each other. Missing if it compares none. */
  readonly comparedProjects?: number;
}

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
  /** Number of projects without findings that are not accepted. */
  readonly clean: number;
  /** Number of findings with the state `violated` that are not accepted. */
  readonly violated: number;
  /** Number of findings with the state `unknown` that are not accepted. */
  readonly unknown: number;
  /** Number of findings that are not accepted, by level. */
  readonly levels: Readonly<Record<Level, number>>;
  /** Number of findings that fail the audit: at least as serious as `failOn`, and not accepted. */
  readonly failing: number;
  /** Number of accepted findings. */
  readonly accepted: number;
}

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
      rules: rules.map((rule) => reportedRule(rule, readable.length)),
      projects: audited.map(reportedProject),
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
    staleAcceptances: staleEntries(unmatched, report),
    summary: summaryOf(findings, report.projects.length, report.failOn),
  };
}

/** Whether a finding fails the audit. */
export function isFailing({ level, accepted }: ReportedFinding, failOn: FailOn): boolean {
  return accepted === undefined && failOnLevels.indexOf(level) <= lastFailing(failOn);
}

/** Returns the index of the least serious level that fails the audit. -1: none fails it. */
function lastFailing(failOn: FailOn): number {
  return failOn === "never" ? -1 : failOnLevels.indexOf(failOn);
}

function reportedRule(rule: Rule, projects: number): ReportedRule {
  const { name, severity, description, reason, remedy, checks, comparesProjects } = rule;
  const texts = { name, severity, description, reason, remedy, checks };
  return comparesProjects ? { ...texts, comparedProjects: projects } : texts;
}

function reportedProject({ projectId, name, environments }: AuditedProject): ReportedProject {
  return {
    projectId,
    name,
    environmentIds: environments.map(({ environmentId }) => environmentId),
  };
}

/** Returns the entries whose project the audit looked at with their rule, or whose rule does not exist. */
function staleEntries(
  unmatched: readonly StaleEntry[],
  { scope, projects, rules }: Pick<AuditReport, "scope" | "projects" | "rules">,
): StaleEntry[] {
  const ruleNames = new Set(rules.map(({ name }) => name));
  const projectIds = new Set(projects.map(({ projectId }) => projectId));
  // Without filters, a project that is not there was deleted. With filters, it may just not match.
  const isWhole = scope.filters.length === 0;
  // A rules file can leave out a house rule. Its entries are for other audits.
  const otherRules = new Set([...houseRules(), readableProject].map(({ name }) => name));
  return unmatched.flatMap((entry): StaleEntry[] => {
    const { rule, projectId } = entry;
    if (ruleNames.has(rule)) return isWhole || projectIds.has(projectId) ? [entry] : [];
    return otherRules.has(rule) ? [] : [{ ...entry, unknownRule: true }];
  });
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
