import { displayCount, displayNumber, displayText } from "../../../provider/errors/displayText.js";
import { groupBy } from "../../../provider/model/groupBy.js";
import { type AuditReport, checkedPlaces, type ReportedRule } from "../auditReport.js";
import { type ProjectStates, projectStates } from "../projectStates.js";
import { coverage } from "../sentences.js";
import { type Insert, type Markup, markup } from "./markup.js";

/** Returns the rules as sentences, those with the most open projects first. */
export function rulesTable({ rules, projects, findings }: AuditReport): Markup {
  const byRule = groupBy(findings, ({ rule }) => rule);
  const rows = rules.map((rule) => {
    const found = byRule.get(rule.name) ?? [];
    const ids = new Set(found.map(({ projectId }) => projectId));
    const checked = projects.filter(
      (project) => ids.has(project.projectId) || checkedPlaces(rule, project).length > 0,
    );
    const open = found.filter(({ accepted }) => accepted === undefined);
    const states = projectStates(checked, found);
    return {
      states,
      row: tableRow(ruleHead(rule, displayCount(open.length, "open finding")), states),
    };
  });
  rows.sort((a, b) => b.states.open - a.states.open || b.states.accepted - a.states.accepted);
  const sorted = rows.map(({ row }) => row);
  return headedTable("Rules", ["Rule", ...stateColumns], sorted);
}

function ruleHead(rule: ReportedRule, count: string): Markup {
  const { name, severity, description, reason, remedy } = rule;
  return markup`<a href="#projects-title" data-name="rule" data-value="${name}">${description}</a>
    <details id="rule-${name}"><summary>${severity} · ${coverage(rule)} checked · ${count}</summary>
    <p>${name}</p><p>${reason}</p><p>${remedy}</p></details>`;
}

export function groupsTable({ groupBy: key, groups = [] }: AuditReport): Insert {
  if (key === undefined) return "";
  const rows = groups.map(({ name, ...states }) => {
    const text = displayText(name);
    const link = markup`<a href="#projects-title" data-name="group" data-value="${text}">${text}</a>`;
    return tableRow(link, states);
  });
  return headedTable("Groups", [key, ...stateColumns], rows);
}

export function headedTable(title: string, columns: readonly string[], rows: Insert): Markup {
  return markup`<h2>${title}</h2>
    <table>
    <thead><tr>${columns.map((text) => markup`<th scope="col">${text}</th>`)}</tr></thead>
    <tbody>${rows}</tbody>
    </table>`;
}

const stateColumns = ["Open", "Accepted", "Projects"];

/** Returns a row with numbers of projects. */
function tableRow(head: Insert, states: ProjectStates): Markup {
  const { open, accepted, clean } = states;
  const cells = [open, accepted, open + accepted + clean].map(
    (count) => markup`<td>${displayNumber(count)}</td>`,
  );
  return markup`<tr><th scope="row">${head}${barOf(states)}</th>${cells}</tr>\n`;
}

/** Returns a bar of the open and the accepted projects. The policy of the page allows no attribute with a style. */
export function barOf({ open, accepted, clean }: ProjectStates): Markup {
  const total = Math.max(1, open + accepted + clean);
  // One of thousands must be visible too.
  const share = (count: number) => (count === 0 ? 0 : Math.max(1, (100 * count) / total));
  return markup`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
    <rect class="open" width="${share(open)}" height="1" />
    <rect class="debt" x="${share(open)}" width="${share(accepted)}" height="1" />
    </svg>`;
}
