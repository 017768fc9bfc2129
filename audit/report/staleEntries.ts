import { groupBy } from "../../provider/model/groupBy.js";
import { houseRules } from "../houseRules/houseRules.js";
import { readableProject } from "../houseRules/readableProject.js";
import { type AcceptedEntry, placeKey, type StaleEntry } from "./acceptance.js";
import { isPlaceChecked } from "./checkedPlaces.js";
import type { AuditReport, ReportedRule } from "./report.js";

/**
 * Returns the entries that are stale, of those that match no finding: the audit checked what they are
 * about, their project was deleted, or their rule does not exist.
 */
export function staleEntries(
  unmatched: readonly AcceptedEntry[],
  { scope, ...report }: Pick<AuditReport, "scope" | "projects" | "rules" | "findings">,
): StaleEntry[] {
  const rules = new Map(report.rules.map((rule) => [rule.name, rule]));
  const projects = new Map(report.projects.map((project) => [project.projectId, project]));
  // A rules file can leave out a house rule. Its entries are for other audits.
  const otherRules = new Set([...houseRules(), readableProject].map(({ name }) => name));
  const unknown = report.findings.filter(({ state }) => state === "unknown");
  const undecided = new Map(
    [...groupBy(unknown, ({ rule }) => rule)].map(([rule, found]) => [
      rule,
      new Set(found.map(({ projectId }) => projectId)),
    ]),
  );
  const withoutSubject = new Set(
    report.findings
      .filter(({ accepted, subject, message }) => accepted === undefined && subject === message)
      .map(placeKey),
  );
  // A field that the service omits may hide the finding of an entry. If the rule compares projects, the
  // finding depends on the fields of all of them.
  const isDecided = ({ name, comparedProjects }: ReportedRule, projectId: string) => {
    const projectIds = undecided.get(name);
    return comparedProjects === undefined
      ? projectIds?.has(projectId) !== true
      : projectIds === undefined && comparedProjects === scope.listedProjects;
  };
  return unmatched.flatMap((entry): StaleEntry[] => {
    const rule = rules.get(entry.rule);
    if (rule === undefined) {
      return otherRules.has(entry.rule) ? [] : [{ ...entry, unknownRule: true }];
    }
    const project = projects.get(entry.projectId);
    // Without filters, a project that is not there was deleted. With filters, it may just not match.
    if (project === undefined) return scope.filters.length === 0 ? [entry] : [];
    if (!isPlaceChecked(rule, project, entry) || !isDecided(rule, project.projectId)) return [];
    return [withoutSubject.has(placeKey(entry)) ? { ...entry, needsSubject: true } : entry];
  });
}
