/*
 * The filters that select projects, by the value of a field at a path such as `codeRepository.group`.
 * The types of the paths follow from the types of the results, and the keys from the fields.
 */
import type { Scalar } from "./compareValues.js";
import { type Field, listFields } from "./projectFields.js";
import type { Project, ProjectSummary } from "./project.js";

/** Paths to the scalars of T, also through lists. JSON of undocumented shape has none. */
type ScalarPaths<T> = {
  [K in keyof T & string]: unknown extends T[K]
    ? never
    : T[K] extends Scalar
      ? K
      : T[K] extends readonly (infer E)[]
        ? unknown extends E
          ? never
          : E extends Scalar
            ? K
            : `${K}.${ScalarPaths<E>}`
        : `${K}.${ScalarPaths<T[K]>}`;
}[keyof T & string];

/** A field of the list form. */
export type ProjectListKey = ScalarPaths<ProjectSummary>;

/** A field of the full form, including fields of environments, databases and so on. */
export type ProjectFilterKey = ScalarPaths<Project>;

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
  matchBy?: "exact" | "substring";
}

/**
 * Whether a filter can compare a field.
 *
 * @internal
 */
export function isComparable({ kind }: Field): boolean {
  return ["id", "text", "integer", "flag", "missingFields"].includes(kind);
}

/** Returns the scalars at a path: several if it leads through lists, none if the field is missing. */
export function scalarsAt(project: object, path: readonly string[]): Scalar[] {
  const valuesAt = (nodes: unknown[], key: string) =>
    nodes.flatMap((node) => (node as Record<string, unknown>)[key] ?? []);
  return path.reduce(valuesAt, [project]) as Scalar[];
}

/** Whether a project matches. A project without the field does not. */
type ProjectPredicate = (project: object) => boolean;

/** Makes one predicate from several filters, which were checked. A project must match all of them. */
export function compileFilters(filters: readonly ProjectFilter[]): ProjectPredicate {
  const tests = filters.map((filter): ProjectPredicate => {
    const path = filter.key.split(".");
    const isMatch = compileValues(filter);
    return (project) => scalarsAt(project, path).map(String).some(isMatch);
  });
  return (project) => tests.every((test) => test(project));
}

/** Makes the predicate of one filter for the text of a value. */
export function compileValues({ values, matchBy }: ProjectFilter): (text: string) => boolean {
  const wanted = values.map(String);
  return matchBy === "substring"
    ? (text) => wanted.some((part) => text.includes(part))
    : (text) => wanted.includes(text);
}

/** Whether a filter can be applied to the list form, before any project is read. */
export function appliesToListForm({ key }: ProjectFilter): boolean {
  return Object.hasOwn(listFields, key);
}
