/*
 * The fields by which projects can be filtered and sorted, as paths such as `codeRepository.group`.
 * The types are derived from the types of the results, and the keys from the description of the fields.
 */
import type * as Re2js from "re2js";
import { didYouMean, displayList, displayText } from "../errors/displayText.js";
import { argumentInvalid } from "../errors/projectServiceError.js";
import { type Field, type Fields, listFields, projectFields } from "./fields.js";
import type { Project, ProjectSummary } from "./project.js";

export type Scalar = string | number | boolean;

/** Paths to the scalars of T. JSON of undocumented shape has none. A path leads through lists only if they are in Lists. */
type Paths<T, Lists = never> = {
  [K in keyof T & string]: unknown extends T[K]
    ? never
    : T[K] extends Scalar
      ? K
      : T[K] extends readonly (infer E)[]
        ? unknown extends E
          ? never
          : [T[K]] extends [Lists]
            ? E extends Scalar
              ? K
              : `${K}.${Paths<E, Lists>}`
            : never
        : `${K}.${Paths<T[K], Lists>}`;
}[keyof T & string];

/** A field of the list form. */
export type ProjectListKey = Paths<ProjectSummary>;

/** A field of the full form that a project has once. */
export type ProjectSortKey = Paths<Project>;

/** A field of the full form, including fields of environments, databases and so on. */
export type ProjectFilterKey = Paths<Project, readonly unknown[]>;

export type Kind = "string" | "number" | "boolean";

const kinds: Partial<Record<Field["kind"], Kind>> = {
  id: "string",
  text: "string",
  integer: "number",
  flag: "boolean",
};

/** Returns the kind of each field that has one value, or with `inLists` also of the elements of lists. */
function keysOf(fields: Fields, inLists: boolean, prefix = ""): Record<string, Kind> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, field]): [string, Kind][] => {
      const inner = (of: Fields) => Object.entries(keysOf(of, inLists, `${prefix}${key}.`));
      switch (field.kind) {
        case "object":
        case "group":
          return inner(field.fields);
        case "list":
          return inLists ? inner(field.of) : [];
        case "missingFields":
          return inLists ? [[prefix + key, "string"]] : [];
        default: {
          const kind = kinds[field.kind];
          return kind === undefined ? [] : [[prefix + key, kind]];
        }
      }
    }),
  );
}

export const listKeys = keysOf(listFields, false) as Record<ProjectListKey, Kind>;
export const sortKeys = keysOf(projectFields, false) as Record<ProjectSortKey, Kind>;
export const filterKeys = keysOf(projectFields, true) as Record<ProjectFilterKey, Kind>;

/** Returns the scalars at a path: several if it leads through lists, none if the field is missing. */
export function scalarsAt(project: object, path: readonly string[]): Scalar[] {
  let nodes: unknown[] = [project];
  for (const key of path) {
    nodes = nodes
      .flatMap((node) => (node as Record<string, unknown>)[key])
      .filter((node) => node !== undefined && node !== null);
  }
  return nodes as Scalar[];
}

/** Selects projects by the value of a field. */
export interface ProjectFilter<K extends ProjectFilterKey = ProjectFilterKey> {
  /**
   * The path of the field. A path through lists, such as `environments.branch.name`, stands for the
   * values of all elements.
   */
  key: K;
  /** At least one value. A number or boolean may also be given as text. */
  values: (string | number | boolean)[];
  /**
   * How values are compared: `exact` (default) with the whole field, `substring` with any part of it,
   * `re` as a regular expression in RE2 syntax that may match anywhere in it.
   */
  matchBy?: MatchBy;
  /**
   * Whether each of the `values` must match, for instance another element of a list each. Default
   * false: one matching value is enough.
   */
  all?: boolean;
}

export type MatchBy = (typeof matchBys)[number];

export const matchBys = ["exact", "re", "substring"] as const;

/** Whether a project matches. A project without the field does not. */
export type ProjectPredicate = (project: object) => boolean;

/** The values that filters have compared, by filter. */
export type ComparedValues = Map<ProjectFilter, Set<string>>;

/**
 * Makes one predicate from several filters. A project must match all of them.
 *
 * @param compared receives the values of the projects.
 * @throws ProjectServiceError `ARGUMENT_INVALID`
 */
export function compileFilters(
  filters: readonly ProjectFilter[],
  compared?: ComparedValues,
): ProjectPredicate {
  const tests = filters.map((filter, index): ProjectPredicate => {
    const { key, values, matchBy, all = false } = filter;
    const path = key.split(".");
    const matchers = values.map((value, number) =>
      compileMatcher(`filters[${index}].values[${number}]`, value, key, matchBy),
    );
    return (project) => {
      const texts = scalarsAt(project, path).map(String);
      if (compared !== undefined) {
        const met = compared.get(filter) ?? new Set();
        for (const text of texts) met.add(text);
        compared.set(filter, met);
      }
      const isMatched = (matcher: Matcher): boolean => texts.some(matcher);
      return all ? matchers.every(isMatched) : matchers.some(isMatched);
    };
  });
  return (project) => tests.every((test) => test(project));
}

/**
 * Returns a sentence about the values that occur in no project, after filters have left no project, or
 * undefined if there are none. The filters must not be secret.
 */
export function explainNoMatch(compared: ComparedValues): string | undefined {
  // A filter compares only projects that match the filters before it.
  const [last, ...earlier] = [...compared].reverse();
  if (last === undefined) return undefined;
  const [{ key, values, matchBy = "exact" }, met] = last;
  const wanted = values.map(String);
  if (matchBy !== "exact" || wanted.some((value) => met.has(value))) return undefined;
  const projects =
    earlier.length === 0
      ? "No project has"
      : `No project that matches the filter of ${displayList(earlier.map(([filter]) => filter.key))} has`;
  if (met.size === 0) return `${projects} a value in ${key}.`;
  const shown = wanted.map((value) => `"${displayText(value)}"`).join(" or ");
  return `${projects} ${shown} in ${key}. ${didYouMean(wanted[0] as string, [...met])}`;
}

/** Whether a filter can be applied to the list form, before any project is read. */
export function appliesToListForm({ key }: ProjectFilter): boolean {
  return Object.hasOwn(listKeys, key);
}

type Matcher = (text: string) => boolean;

/**
 * Makes the comparison with one value of a filter.
 *
 * @param place where the value is, for the message. The value itself may be secret.
 * @throws ProjectServiceError `ARGUMENT_INVALID` for a value that matches nothing or everything.
 */
export function compileMatcher(
  place: string,
  value: unknown,
  key: ProjectFilterKey,
  matchBy: MatchBy = "exact",
): Matcher {
  if (matchBy === "exact") {
    const kind = filterKeys[key];
    if (!isOfKind(value, kind)) {
      throw argumentInvalid(`${place} must be a ${kind}, because the field ${key} is a ${kind}.`);
    }
    const text = String(value);
    return (candidate) => candidate === text;
  }
  if (typeof value !== "string" || value === "") {
    throw argumentInvalid(`${place} must be a non-empty string if matchBy is ${matchBy}.`);
  }
  return matchBy === "re" ? search(place, value) : (candidate) => candidate.includes(value);
}

/** Accepts the text of a number or a boolean as well. */
function isOfKind(value: unknown, kind: Kind): boolean {
  if (typeof value === kind) return !Number.isNaN(value);
  if (kind === "number") return value === String(Number(value)) && value !== "NaN";
  return kind === "boolean" && (value === "true" || value === "false");
}

/** Uses RE2, whose time is linear in the length of the text. JavaScript's own patterns backtrack. */
function search(place: string, pattern: string): Matcher {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only if a filter has a pattern
  const { RE2JS, RE2JSSyntaxException } = require("re2js") as typeof Re2js;
  try {
    const compiled = RE2JS.compile(pattern);
    return (candidate) => compiled.test(candidate);
  } catch (error) {
    const reason =
      error instanceof RE2JSSyntaxException ? error.getDescription() : "it cannot be compiled";
    throw argumentInvalid(
      `${place} is not a regular expression in RE2 syntax (${reason}). RE2 has no lookahead, lookbehind and backreferences.`,
    );
  }
}

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

/**
 * Compares two values for `sort`. Text is compared by code units, so that the order is the same on
 * every machine. False comes before true. A missing value comes last in both directions.
 *
 * @param sign 1 for ascending, -1 for descending.
 */
export function compareValues<T extends string | number | boolean>(
  a: T | undefined,
  b: T | undefined,
  sign: 1 | -1 = 1,
): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  return a < b ? -sign : sign;
}
