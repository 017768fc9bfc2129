/*
 * The fields by which projects can be filtered and sorted, as paths such as `codeRepository.group`.
 * The types are derived from the types of the results, and the keys from the description of the fields.
 */
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
