import { element, projectName } from "./elements.js";
import { type Filters, formatFragment } from "./filters.js";
import type { PageReport } from "./pageReport.js";
import type { SearchableFinding, SearchableProject } from "./search.js";

/**
 * Creates the rows of the table: a cell for each rule, with a link to the first finding of each kind.
 *
 * @param firstIndex index of the first row among all matching projects.
 */
export function projectRows(
  projects: readonly SearchableProject[],
  firstIndex: number,
  { rules }: PageReport,
  filters: Filters,
): HTMLElement[] {
  return projects.map(({ project, findings }, row) =>
    element(
      "tr",
      // The first row is the header.
      { "aria-rowindex": String(firstIndex + row + 2) },
      element("th", { scope: "row" }, ...projectName(project)),
      ...rules.map(({ name }) =>
        element(
          "td",
          {},
          ...cellOf(
            findings.filter(({ finding }) => finding.rule === name),
            filters,
          ),
        ),
      ),
    ),
  );
}

function cellOf(findings: readonly SearchableFinding[], filters: Filters): (Node | string)[] {
  if (findings.length === 0) return [element("span", { class: "state ok" }, "✓ ok")];
  const isAccepted = ({ finding }: SearchableFinding) => finding.accepted !== undefined;
  const open = findings.filter((each) => !isAccepted(each));
  return [
    ...linkTo(
      open.filter(({ finding }) => finding.state === "violated"),
      "✗",
      "violated",
      filters,
    ),
    ...linkTo(
      open.filter(({ finding }) => finding.state === "unknown"),
      "?",
      "unknown",
      filters,
    ),
    ...linkTo(findings.filter(isAccepted), "–", "accepted", filters),
  ];
}

function linkTo(
  findings: readonly SearchableFinding[],
  mark: string,
  kind: string,
  filters: Filters,
): (Node | string)[] {
  const [first] = findings;
  if (first === undefined) return [];
  return [
    element(
      "a",
      {
        class: `state ${kind === "accepted" ? kind : first.finding.level}`,
        href: formatFragment(filters, first.index),
      },
      `${mark} ${findings.length} ${kind}`,
    ),
    " ",
  ];
}
