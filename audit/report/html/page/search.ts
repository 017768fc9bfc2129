import { groupBy } from "../../../../provider/model/groupBy.js";
import type { ReportedFinding } from "../../acceptance.js";
import type { AuditReport, ReportedProject } from "../../report.js";
import type { IndexedFinding } from "../findingCards.js";
import { type Filters, noFilters } from "./filters.js";

/** A project with what the search needs, computed once. */
export interface SearchableProject {
  readonly project: ReportedProject;
  readonly findings: readonly SearchableFinding[];
  /** Name and id, in lower case. */
  readonly nameText: string;
  /** Name, id and environments, in lower case. */
  readonly text: string;
}

export interface SearchableFinding extends IndexedFinding {
  /** Everything that the page shows of the finding, in lower case. */
  readonly text: string;
}

/** Prepares the report for {@link findMatches}. */
export function searchableProjects({ projects, findings }: AuditReport): SearchableProject[] {
  const searchable = findings.map((finding, index) => ({ finding, index, text: textOf(finding) }));
  const byProject = groupBy(searchable, ({ finding }) => finding.projectId);
  return projects.map((project) => {
    const { projectId, name, environmentIds = [] } = project;
    return {
      project,
      findings: byProject.get(projectId) ?? [],
      nameText: `${name} ${projectId}`.toLowerCase(),
      text: [name, projectId, ...environmentIds].join(" ").toLowerCase(),
    };
  });
}

function textOf(finding: ReportedFinding): string {
  const { state, level, environmentId, rule, subject, message, remedy, accepted, expired } =
    finding;
  const acceptance = accepted ?? expired;
  return [state, level, environmentId, rule, subject, message, remedy]
    .concat(acceptance?.reason, acceptance?.until, acceptance?.acceptedBy)
    .join(" ")
    .toLowerCase();
}

/**
 * Returns the findings that match all filters, and their projects, in the order of the report. Projects
 * without findings match too, unless a filter asks for findings.
 */
export function findMatches(projects: readonly SearchableProject[], filters: Filters) {
  const words = filters.search.toLowerCase().split(/\s+/).filter(Boolean);
  const asksForFindings = [filters.rule, filters.state, filters.level, filters.acceptance].some(
    (value) => value !== "",
  );
  const open = { ...noFilters, rule: filters.rule, acceptance: "open" };
  const matchingFindings: SearchableFinding[] = [];
  const matchingProjects = projects.filter(({ findings, nameText, text }) => {
    const matchesText = words.every((word) => text.includes(word));
    if (filters.state === "ok") {
      return matchesText && !findings.some(({ finding }) => passes(finding, open));
    }
    if (findings.length === 0) return matchesText && !asksForFindings;
    const otherWords = words.filter((word) => !nameText.includes(word));
    const matching = findings.filter(
      (searchable) =>
        passes(searchable.finding, filters) &&
        otherWords.every((word) => searchable.text.includes(word)),
    );
    for (const finding of matching) matchingFindings.push(finding);
    return matching.length > 0;
  });
  return { projects: matchingProjects, findings: matchingFindings };
}

function passes(finding: ReportedFinding, { rule, state, level, acceptance }: Filters): boolean {
  return (
    (rule === "" || finding.rule === rule) &&
    (state === "" || finding.state === state) &&
    (level === "" || finding.level === level) &&
    (acceptance !== "open" || finding.accepted === undefined) &&
    (acceptance !== "accepted" || finding.accepted !== undefined) &&
    (acceptance !== "expired" || finding.expired !== undefined)
  );
}
