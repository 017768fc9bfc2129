import { houseRules } from "../houseRules/houseRules.js";
import { readableProject } from "../houseRules/readableProject.js";
import type { Finding } from "../rules/finding.js";
import type { StaleEntry } from "./acceptance.js";
import { isPlaceChecked } from "./checkedPlaces.js";
import type { AuditReport, ReportedRule } from "./report.js";

/**
 * Returns the entries that are stale, of those that match no finding: the audit checked what they are
 * about, their project was deleted, or their rule does not exist.
 */
export function staleEntries(
  unmatched: readonly StaleEntry[],
  {
    scope,
    ...report
  }: Pick<AuditReport, "scope" | "projects" | "rules"> & {
    readonly findings: readonly Finding[];
  },
): StaleEntry[] {
  const rules = new Map(report.rules.map((rule) => [rule.name, rule]));
  const projects = new Map(report.projects.map((project) => [project.projectId, project]));
  // A rules file can leave out a house rule. Its entries are for other audits.
  const otherRules = new Set([...houseRules(), readableProject].map(({ name }) => name));
  const unknown = report.findings.filter(({ state }) => state === "unknown");
  const undecidedRules = new Set(unknown.map(({ rule }) => rule));
  const undecidedPairs = new Set(unknown.map(({ rule, projectId }) => pairOf(rule, projectId)));
  // A field that the service omits may hide the finding of an entry. If the rule compares projects, the
  // finding depends on the fields of all of them.
  const isDecided = ({ name, comparedProjects }: ReportedRule, projectId: string) =>
    comparedProjects === undefined
      ? !undecidedPairs.has(pairOf(name, projectId))
      : !undecidedRules.has(name) && comparedProjects === scope.listedProjects;
  return unmatched.flatMap((entry): StaleEntry[] => {
    const rule = rules.get(entry.rule);
    if (rule === undefined) {
      return otherRules.has(entry.rule) ? [] : [{ ...entry, unknownRule: true }];
    }
    const project = projects.get(entry.projectId);
    // Without filters, a project that is not there was deleted. With filters, it may just not match.
    if (project === undefined) return scope.filters.length === 0 ? [entry] : [];
    const isStale = isPlaceChecked(rule, project, entry) && isDecided(rule, project.projectId);
    return isStale ? [entry] : [];
  });
}

function pairOf(rule: string, projectId: string): string {
  return JSON.stringify([rule, projectId]);
}
