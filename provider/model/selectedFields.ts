/* The fields that a ProjectsSnapshot records of each project, as its argument `fields` names them. */
import { type Field, type Fields, innerFields, projectFields } from "./projectFields.js";
import type { Project } from "./project.js";

type KeysOf<T> = T extends readonly (infer E)[]
  ? KeysOf<E>
  : T extends object
    ? { [K in keyof T & string]: K | `${K}.${KeysOf<T[K]>}` }[keyof T & string]
    : never;

/** The path of a field, or the start of a path: `environments.branch` stands for all fields of the branch. */
export type ProjectFieldKey = KeysOf<Project>;

type Partly<T> = T extends readonly (infer E)[]
  ? Partly<E>[]
  : T extends object
    ? { [K in keyof T]?: Partly<T[K]> }
    : T;

/** A project of which only some fields are recorded. Its id and name always are. */
export type PartialProject = Pick<Project, (typeof alwaysRecorded)[number]> & Partly<Project>;

/** A record has these fields of the project, whatever `fields` names. */
const alwaysRecorded = ["projectId", "name"] as const;

/**
 * Returns the keys that `fields` may name.
 *
 * @internal
 */
export function recordableKeys(fields: Fields = projectFields, prefix = ""): string[] {
  return Object.entries(fields).flatMap(([key, field]) => {
    if ("isCredential" in field) return [];
    const path = prefix + key;
    return [path, ...recordableKeys(innerFields(field), `${path}.`)];
  });
}

/**
 * Whether a record with these fields contains the field at a path, or a part of it. `missingFields`
 * counts only if it is named, because otherwise its entries depend on the other fields.
 */
export function isRecorded(fields: readonly string[], path: string): boolean {
  return hasPart(projectFields, alwaysRecorded, fields, path.split("."));
}

function hasPart(
  described: Fields,
  always: readonly string[],
  named: readonly string[],
  [key = "", ...rest]: readonly string[],
): boolean {
  if (always.includes(key) || named.includes(key)) return true;
  const inner = namedBelow(named, key);
  const field = described[key];
  if (field === undefined || inner.length === 0) return false;
  return rest.length === 0 || hasPart(innerFields(field), identityOf(field), inner, rest);
}

/**
 * Returns what a record contains of a project: everything but the credentials, or the named fields. Elements of
 * lists keep what identifies them, and `missingFields` the entries of recorded fields.
 */
export function recordedPart(project: object, fields?: readonly string[]): object {
  return partOf(projectFields, alwaysRecorded, fields, project);
}

/** @param named undefined for all fields. */
function partOf(
  described: Fields,
  always: readonly string[],
  named: readonly string[] | undefined,
  original: object,
): object {
  const part: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(described)) {
    if ("isCredential" in field) continue;
    const value = (original as Record<string, unknown>)[key];
    const isWhole = named === undefined || always.includes(key) || named.includes(key);
    const below = isWhole ? undefined : namedBelow(named, key);
    if (field.kind === "missingFields" && !isWhole) {
      part[key] = (value as string[]).filter((path) =>
        hasPart(described, always, named, path.split(".")),
      );
    } else if (isWhole || below?.length !== 0) {
      const inner = innerFields(field);
      const innerPart = (element: object) => partOf(inner, identityOf(field), below, element);
      if (Object.keys(inner).length === 0) part[key] = value;
      else part[key] = Array.isArray(value) ? value.map(innerPart) : value && innerPart(value);
    }
  }
  return part;
}

function namedBelow(named: readonly string[], key: string): string[] {
  return named
    .filter((path) => path.startsWith(`${key}.`))
    .map((path) => path.slice(key.length + 1));
}

function identityOf(field: Field): readonly string[] {
  return field.kind === "list" ? field.identifiedBy : [];
}
