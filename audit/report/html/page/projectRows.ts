import { checkedPlaces } from "../../checkedPlaces.js";
import type { ReportedRule } from "../../report.js";
import { projectTitle } from "../findingCards.js";
import { markup, type Markup } from "../markup.js";
import { type Filters, formatFragment } from "./filters.js";
import type { SearchableFinding, SearchableProject } from "./search.js";

/**
 * Returns the rows of the table: a cell for each rule, with a link to the first finding of each kind.
 *
 * @param firstIndex index of the first row among all matching projects.
 */
export function projectRows(
  projects: readonly SearchableProject[],
  firstIndex: number,
  rules: readonly ReportedRule[],
  filters: Filters,
): Markup {
  return markup`${projects.map(
    ({ project, findings }, row) =>
      // The first row is the header.
      markup`<tr aria-rowindex="${firstIndex + row + 2}">
        <th scope="row">${projectTitle(project)}</th>
        ${rules.map((rule) => {
          const ofRule = findings.filter(({ finding }) => finding.rule === rule.name);
          if (ofRule.length > 0) return markup`<td>${linksTo(ofRule, filters)}</td>`;
          return checkedPlaces(rule, project).length === 0
            ? markup`<td><span class="faint">not checked</span></td>`
            : markup`<td><span class="state ok">✓ ok</span></td>`;
        })}
      </tr>`,
  )}`;
}

function linksTo(findings: readonly SearchableFinding[], filters: Filters): Markup {
  const isAccepted = ({ finding }: SearchableFinding) => finding.accepted !== undefined;
  const open = findings.filter((each) => !isAccepted(each));
  const violated = open.filter(({ finding }) => finding.state === "violated");
  const unknown = open.filter(({ finding }) => finding.state === "unknown");
  return markup`${linkTo(violated, "✗", "violated", filters)}
    ${linkTo(unknown, "?", "unknown", filters)}
    ${linkTo(findings.filter(isAccepted), "–", "accepted", filters)}`;
}

function linkTo(
  findings: readonly SearchableFinding[],
  mark: string,
  kind: string,
  filters: Filters,
): Markup {
  const [first] = findings;
  if (first === undefined) return markup``;
  const style = kind === "accepted" ? kind : first.finding.level;
  return markup`<a class="state ${style}" href="${formatFragment(filters, first.index)}">${mark} ${findings.length} ${kind}</a>`;
}
