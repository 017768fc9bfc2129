/*
 * The filters that select projects, by the value of a field at a path such as `codeRepository.group`.
 * The types of the paths follow from the types of the results, and the keys from the fields.
 */
import { didYouMean, displayList, displayText } from "../errors/displayText.js";
import { type Field, type Fields, innerFields, listFields } from "./projectFields.js";
import type { Project, ProjectSummary } from "./project.js";

export type Scalar = string | number | boolean;

/** Paths to the scalars of T, also through lists. JSON of undocumented shape has none. */
type Paths<T> = {
  [K in keyof T & string]: unknown extends T[K]
    ? never
    : T[K] extends Scalar
      ? K
      : T[K] extends readonly (infer E)[]
        ? unknown extends E
          ? never
          : E extends Scalar
            ? K
            : `${K}.${Paths<E>}`
        : `${K}.${Paths<T[K]>}`;
}[keyof T & string];

/** A field of the list form. */
export type ProjectListKey = Paths<ProjectSummary>;

/** A field of the full form, including fields of environments, databases and so on. */
export type ProjectFilterKey = Paths<Project>;

/** Selects projects by the value of a field. */
export interface ProjectFilter<K extends ProjectFilterKey = ProjectFilterKey> {
  /**
   * The path of the field. A path through lists, such as `environments.branch.name`, stands for the
   * values of all elements.
   */
  key: K;
  /** At least one value, of which one must match. A number or boolean may also be given as text. */
  values: Scalar[];
  /** Whether a value is compared with the whole field, or with any part of it. Default `exact`. */
  matchBy?: MatchBy;
}

export type MatchBy = "exact" | "substring";

/** The kinds of fields that filters can compare, each with the kind of its values. */
const kinds: Partial<Record<Field["kind"], "string" | "number" | "boolean">> = {
  id: "string",
  text: "string",
  integer: "number",
  flag: "boolean",
  missingFields: "string",
};
type Kind = NonNullable<(typeof kinds)["id"]>;

/**
 * Returns the paths of the fields that filters can compare, each with the kind of its values.
 *
 * @internal
 */
export function filterKeysOf(fields: Fields, prefix = ""): Map<string, Kind> {
  const keys = new Map<string, Kind>();
  for (const [key, field] of Object.entries(fields)) {
    const kind = kinds[field.kind];
    if ("isCredential" in field) continue;
    if (kind !== undefined) keys.set(prefix + key, kind);
    for (const inner of filterKeysOf(innerFields(field), `${prefix}${key}.`)) keys.set(...inner);
  }
  return keys;
}

/** Returns the scalars at a path: several if it leads through lists, none if the field is missing. */
export function scalarsAt(project: object, path: readonly string[]): Scalar[] {
  const valuesAt = (nodes: unknown[], key: string) =>
    nodes.flatMap((node) => (node as Record<string, unknown>)[key] ?? []);
  return path.reduce(valuesAt, [project]) as Scalar[];
}

/** Whether a project matches. A project without the field does not. */
type ProjectPredicate = (project: object) => boolean;

/** The values that filters have compared, by filter. */
export type ComparedValues = Map<ProjectFilter, Set<string>>;

/**
 * Makes one predicate from several filters, which were checked. A project must match all of them.
 *
 * @param compared receives the values of the projects.
 */
export function compileFilters(
  filters: readonly ProjectFilter[],
  compared?: ComparedValues,
): ProjectPredicate {
  const tests = filters.map((filter): ProjectPredicate => {
    const path = filter.key.split(".");
    const wanted = filter.values.map(String);
    const isMatch =
      filter.matchBy === "substring"
        ? (text: string) => wanted.some((part) => text.includes(part))
        : (text: string) => wanted.includes(text);
    return (project) => {
      const texts = scalarsAt(project, path).map(String);
      if (compared !== undefined) {
        const occurring = compared.get(filter) ?? new Set();
        for (const text of texts) occurring.add(text);
        compared.set(filter, occurring);
      }
      return texts.some(isMatch);
    };
  });
  return (project) => tests.every((test) => test(project));
}

/**
 * Says which filter has left no project, and the most similar value that occurs.
 *
 * @param compared what the filters have compared. The filters must not be secret.
 */
export function explainNoMatch(compared: ComparedValues): string {
  // A filter compares only projects that match the filters before it, so nothing matches the last one.
  const [last, ...earlier] = [...compared].reverse();
  if (last === undefined) return "The service lists no projects.";
  const [{ key, values, matchBy }, occurring] = last;
  const others = displayList(earlier.map(([filter]) => filter.key));
  const projects =
    others === "" ? "No project has" : `No project that matches the filter of ${others} has`;
  if (occurring.size === 0) return `${projects} a value in ${key}.`;
  const wanted = values.map((value) => `"${displayText(String(value))}"`).join(" or ");
  if (matchBy === "substring") return `${projects} ${wanted} as a part of ${key}.`;
  return `${projects} ${wanted} in ${key}. ${didYouMean(String(values[0]), [...occurring])}`;
}

/** Whether a filter can be applied to the list form, before any project is read. */
export function appliesToListForm({ key }: ProjectFilter): boolean {
  return Object.hasOwn(listFields, key);
}

/**
 * Compares two values for `sort`. Text is compared by code units, so that the order is the same on
 * every machine. False comes before true. A missing value comes last.
 */
export function compareValues<T extends Scalar>(a: T | undefined, b: T | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  return a < b ? -1 : 1;
}
