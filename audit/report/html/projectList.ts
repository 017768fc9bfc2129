import { displayCount, displayText } from "../../../provider/errors/displayText.js";
import { compareValues } from "../../../provider/model/compareValues.js";
import { groupBy } from "../../../provider/model/groupBy.js";
import { levels } from "../../rules/finding.js";
import type { AuditReport, ReportedFinding, ReportedProject } from "../auditReport.js";
import { extraSentences } from "../sentences.js";
import { type Markup, markup } from "./markup.js";

/** With more findings than this, the projects are closed at first. */
const maxOpenFindings = 60;

/** Returns a row for each project with findings, the worst ones first. */
export function projectList({ projects, findings }: AuditReport): Markup {
  const byProject = groupBy(findings, ({ projectId }) => projectId);
  const isOpen = findings.length <= maxOpenFindings;
  const rows = projects
    .map((project) => {
      const found = byProject.get(project.projectId) ?? [];
      return { project, found, counts: countsOf(found) };
    })
    .filter(({ found }) => found.length > 0)
    .sort((a, b) => {
      const worse = levels.map((_, rank) => b.counts[rank]! - a.counts[rank]!).find(Boolean);
      return worse ?? compareValues(a.project.name, b.project.name);
    });
  return markup`<ul id="projects">${rows.map(({ project, found, counts }) => projectRow(project, found, counts, isOpen))}</ul>`;
}

/** Returns the numbers of open findings by level, and of accepted ones. */
function countsOf(findings: readonly ReportedFinding[]): number[] {
  const counts = [...levels.map(() => 0), 0];
  for (const each of findings) counts[rankOf(each)]!++;
  return counts;
}

function rankOf({ level, accepted }: ReportedFinding): number {
  return accepted === undefined ? levels.indexOf(level) : levels.length;
}

function projectRow(
  { projectId, name, group }: ReportedProject,
  findings: readonly ReportedFinding[],
  counts: readonly number[],
  isOpen: boolean,
): Markup {
  const shownGroup = displayText(group ?? "");
  const badges = counts.flatMap((count, rank) => {
    const kind = levels[rank] ?? "accepted";
    const text = rank === levels.length ? `${count} accepted` : displayCount(count, kind);
    return count === 0 ? [] : markup` <i class="${kind}">${text}</i>`;
  });
  const sorted = [...findings].sort((a, b) => rankOf(a) - rankOf(b));
  return markup`<li data-group="${shownGroup}"><details${isOpen ? " open" : ""}><summary><b>${displayText(name)}</b> ${displayText(projectId)}${group === undefined ? "" : ` · ${shownGroup}`}${badges}</summary><ul>${sorted.map(findingRow)}</ul></details></li>\n`;
}

function findingRow(finding: ReportedFinding): Markup {
  const { rule, state, level, environmentId, message, accepted } = finding;
  const kind = accepted === undefined ? level : "accepted";
  const badge = state === "undecided" ? `${kind}, undecided` : kind;
  const place = environmentId === undefined ? "whole project" : displayText(environmentId);
  const text = [message, ...extraSentences(finding)].join(" ");
  return markup`<li><i class="${kind}">${badge}</i> ${place}: ${text} <a href="#rule-${rule}">${rule}</a></li>`;
}
