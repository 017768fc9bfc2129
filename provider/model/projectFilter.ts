/* The filters that select projects, by the value of a field at a path such as `codeRepository.group`. */
import { displayText } from "../errors/displayText.js";
import { argumentInvalid } from "../errors/projectServiceError.js";
import type { Scalar } from "./compareValues.js";
import { type Field, listFields } from "./projectFields.js";
import type { Project, ProjectSummary } from "./project.js";

type ElementOf<T> = T extends readonly (infer E)[] ? E : T;

/** Paths to the scalars of T, also through lists. JSON of undocumented shape has none. */
type ScalarPaths<T> = {
  [K in keyof T & string]: unknown extends ElementOf<T[K]>
    ? never
    : ElementOf<T[K]> extends Scalar
      ? K
      : `${K}.${ScalarPaths<ElementOf<T[K]>>}`;
}[keyof T & string];

/** A field of the list form. */
export type ProjectListKey = ScalarPaths<ProjectSummary>;

/** A field of the full form, including fields of environments, databases and so on. */
export type ProjectFilterKey = ScalarPaths<Project>;

/** Selects projects by the value of a field. */
export interface ProjectFilter<K extends ProjectFilterKey = ProjectFilterKey> {
  /** The path of the field. Through lists, as in `environments.branch.name`, it stands for the values of all elements. */
  key: K;
  /** At least one value, of which one must match. A number or boolean may also be given as text. */
  values: Scalar[];
  /** Whether a value is compared with the whole field, or with any part of it. Default `exact`. */
  matchBy?: "exact" | "substring" | undefined;
}

/** @internal */
export function isComparable({ kind }: Field): boolean {
  return ["id", "text", "integer", "flag", "missingFields"].includes(kind);
}

/** Returns the values at a key as texts: several if it leads through lists, none if the field is missing. */
export function textsAt(project: object, key: string): string[] {
  const valuesAt = (nodes: unknown[], name: string) =>
    nodes.flatMap((node) => (node as Record<string, unknown>)[name] ?? []);
  return key.split(".").reduce(valuesAt, [project]).map(String);
}

/** A filter that was checked, with what it says of a project. */
export interface CompiledFilter extends ProjectFilter {
  /** A project without the field does not match. */
  readonly matches: (project: object) => boolean;
}

/** Prepares filters, so that a fleet is compared without preparing them for each project. */
export function compileFilters(filters: readonly ProjectFilter[]): CompiledFilter[] {
  return filters.map((filter) => {
    const wanted = new Set(filter.values.map(String));
    const isMatch = (text: string) =>
      wanted.has(text) ||
      (filter.matchBy === "substring" && [...wanted].some((part) => text.includes(part)));
    return { ...filter, matches: (project) => textsAt(project, filter.key).some(isMatch) };
  });
}

/** Whether a filter can be applied to the list form, before any project is read. */
export function appliesToListForm({ key }: ProjectFilter): boolean {
  return Object.hasOwn(listFields, key);
}

/**
 * Decides whether filters select a project. If it lacks the field of each filter that does not match, nothing is decided.
 *
 * @param lacks whether the project lacks the field of a filter that does not match. Default: whether the list form has no
 *   value there. The full form may have one.
 */
export function decide(
  project: ProjectSummary,
  filters: readonly CompiledFilter[],
  lacks = ({ key }: CompiledFilter) => textsAt(project, key).length === 0,
): "selected" | "not selected" | { readonly undecidedBy: CompiledFilter } {
  const unmatched = filters.filter(({ matches }) => !matches(project));
  const [first] = unmatched;
  if (first === undefined) return "selected";
  return unmatched.every(lacks) ? { undecidedBy: first } : "not selected";
}

/** The values that projects have at the keys of filters. */
export class FilterValues {
  private readonly found: readonly (readonly [ProjectFilter, Set<string>])[];

  constructor(filters: readonly ProjectFilter[]) {
    this.found = filters.map((filter) => [filter, new Set()]);
  }

  /** Adds the values of a project, in list form or in full form. */
  add(project: object): void {
    for (const [{ key }, texts] of this.found)
      textsAt(project, key).forEach((text) => texts.add(text));
  }

  /** @throws ProjectServiceError `ARGUMENT_INVALID` if an exact value differs only in case from one that exists. */
  checkSpelling(): void {
    for (const [{ key, values, matchBy }, texts] of this.found) {
      const wanted = new Set(values.map(String));
      const byLowerCase = new Map([...texts].map((text) => [text.toLowerCase(), text]));
      for (const value of matchBy === "substring" ? [] : wanted) {
        const similar = byLowerCase.get(value.toLowerCase());
        if (similar === undefined || texts.has(value) || wanted.has(similar)) continue;
        throw argumentInvalid(
          `No project has ${key} "${displayText(value)}". Did you mean "${displayText(similar)}"? Filters are case-sensitive.`,
        );
      }
    }
  }
}
