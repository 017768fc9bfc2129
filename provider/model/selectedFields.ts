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
 * Whether a record with these fields contains the field at a path, or a part of it. `missingFields`
 * counts only if it is named, because otherwise its entries depend on the other fields.
 */
export function isRecorded(fields: readonly string[], path: string): boolean {
  const isNamed = fields.some(
    (named) => named === path || path.startsWith(`${named}.`) || named.startsWith(`${path}.`),
  );
  if (isNamed) return true;
  const outerKeys = path.split(".");
  const key = outerKeys.pop() as string;
  if (outerKeys.length === 0) return (alwaysRecorded as readonly string[]).includes(key);
  const list = fieldAt(outerKeys);
  const identifiesElement = list?.kind === "list" && list.identifiedBy.includes(key);
  return identifiesElement && isRecorded(fields, outerKeys.join("."));
}

function fieldAt(keys: readonly string[]): Field | undefined {
  let fields: Fields = projectFields;
  let field: Field | undefined;
  for (const key of keys) {
    field = fields[key];
    fields = field === undefined ? {} : innerFields(field);
  }
  return field;
}

/**
 * Returns what a record contains of a project: everything but the credentials, or the named fields. Elements of
 * lists keep what identifies them, and `missingFields` the entries of recorded fields.
 */
export function recordedPart(project: object, fields?: readonly string[]): object {
  const isIn = (path: string) => fields === undefined || isRecorded(fields, path);
  return partOf(projectFields, project, "", isIn);
}

function partOf(
  described: Fields,
  original: object,
  prefix: string,
  isIn: (path: string) => boolean,
): object {
  const part: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(described)) {
    if ("isCredential" in field) continue;
    const path = prefix + key;
    const value = (original as Record<string, unknown>)[key];
    const inner = innerFields(field);
    const innerPart = (element: object) => partOf(inner, element, `${path}.`, isIn);
    if (field.kind === "missingFields" && !isIn(path)) {
      part[key] = (value as string[]).filter((entry) => isIn(prefix + entry));
    } else if (field.kind === "missingFields" || isIn(path)) {
      if (Object.keys(inner).length === 0) part[key] = value;
      else part[key] = Array.isArray(value) ? value.map(innerPart) : value && innerPart(value);
    }
  }
  return part;
}
