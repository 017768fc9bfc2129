import { compared } from "./compared.js";
import { type ProjectSortKey, scalarsAt } from "./projectKeys.js";

/** Puts projects in the order of a fact. */
export interface ProjectSort<K extends ProjectSortKey = ProjectSortKey> {
  /** The fact. */
  key: K;
  /** Default `asc`. Projects that lack the fact come last either way. */
  direction?: SortDirection;
}

export type SortDirection = (typeof sortDirections)[number];

export const sortDirections = ["asc", "desc"] as const;

/**
 * The projects in the order of the first sort, those equal there in that of the second, and so on.
 *
 * Texts by code units, the same on every machine; false before true. What is equal stays in order.
 */
export function sorted<P extends object>(
  projects: readonly P[],
  sorts: readonly ProjectSort[],
): P[] {
  const orders = sorts.map(({ key, direction }) => ({
    path: key.split("."),
    sign: direction === "desc" ? (-1 as const) : (1 as const),
  }));
  return projects
    .map((project) => ({ project, facts: orders.map(({ path }) => scalarsAt(project, path)[0]) }))
    .sort((a, b) => {
      for (const [index, { sign }] of orders.entries()) {
        const difference = compared(a.facts[index], b.facts[index], sign);
        if (difference !== 0) return difference;
      }
      return 0;
    })
    .map(({ project }) => project);
}
