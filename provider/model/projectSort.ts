import { compareValues } from "./compareValues.js";
import { type ProjectSortKey, scalarsAt } from "./filterAndSortKeys.js";

/** Sorts projects by a field. */
export interface ProjectSort<K extends ProjectSortKey = ProjectSortKey> {
  /** The path of the field. */
  key: K;
  /** Default `asc`. Projects without the field come last in both directions. */
  direction?: SortDirection;
}

export type SortDirection = (typeof sortDirections)[number];

export const sortDirections = ["asc", "desc"] as const;

/**
 * Returns the projects sorted by the first sort, equal ones by the second, and so on. Projects that
 * are equal in all sorts keep their order. See {@link compareValues}.
 */
export function sortProjects<P extends object>(
  projects: readonly P[],
  sorts: readonly ProjectSort[],
): P[] {
  const orders = sorts.map(({ key, direction }) => ({
    path: key.split("."),
    sign: direction === "desc" ? (-1 as const) : (1 as const),
  }));
  return projects
    .map((project) => ({ project, values: orders.map(({ path }) => scalarsAt(project, path)[0]) }))
    .sort((a, b) => {
      for (const [index, { sign }] of orders.entries()) {
        const difference = compareValues(a.values[index], b.values[index], sign);
        if (difference !== 0) return difference;
      }
      return 0;
    })
    .map(({ project }) => project);
}
