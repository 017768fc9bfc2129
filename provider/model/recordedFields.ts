/*
 * The fields that a ProjectsSnapshot records of each project, as its argument `fields` names them. The
 * keys, what a record contains and its type are derived from the description of the fields.
 */
import { type Field, type Fields, innerFields, projectFields } from "./fields.js";
import type { Project } from "./project.js";

type KeysOf<Fs> = {
  [K in keyof Fs & string]: Fs[K] extends { isCredential: true }
    ? never
    : Fs[K] extends { fields: infer Inner } | { of: infer Inner }
      ? K | `${K}.${KeysOf<Inner>}`
      : K;
}[keyof Fs & string];

/** The path of a field, or the start of a path: `environments.branch` stands for all fields of the branch. */
export type ProjectFieldKey = KeysOf<typeof projectFields>;

/** The part of a project that a record with these fields contains. `never` stands for no argument `fields`. */
export type RecordedProject<F extends readonly ProjectFieldKey[]> = [F] extends [never]
  ? Project
  : // A list of unknown length may name any fields, so only the id and the name are certain.
    PartOf<
      Project,
      typeof projectFields,
      number extends F["length"] ? never : F[number],
      (typeof alwaysRecorded)[number]
    >;

/** The part of T, which Fs describes, that has the keys in Always and the paths in Named. */
type PartOf<T, Fs, Named, Always> = {
  [
    K in keyof T & string as K extends Always | HeadOf<Named> | "missingFields" ? K : never
  ]: K extends Always | Named | "missingFields"
    ? T[K]
    : PartOfValue<T[K], Fs[K & keyof Fs], TailOf<Named, K>>;
};

type PartOfValue<T, F, Named> = F extends { identifiedBy: readonly (infer Id)[]; of: infer Fs }
  ? T extends (infer E)[]
    ? PartOf<E, Fs, Named, Id>[]
    : never
  : F extends { fields: infer Fs }
    ? PartOf<T, Fs, Named, never>
    : never;

type HeadOf<Path> = Path extends `${infer Head}.${string}` ? Head : Path;
type TailOf<Path, Head extends string> = Path extends `${Head}.${infer Tail}` ? Tail : never;

/** A record has these fields of the project, whatever `fields` names. */
const alwaysRecorded = ["projectId", "name"] as const;

/** Returns the keys that `fields` may name. */
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
 * Returns the part of a project that a record with these fields contains. Elements of lists keep what
 * identifies them, and `missingFields` the entries of recorded fields.
 */
export function recordedPart(project: Project, fields: readonly string[]): object {
  return partOf(projectFields, alwaysRecorded, fields, project);
}

function partOf(
  described: Fields,
  always: readonly string[],
  named: readonly string[],
  original: object,
): object {
  const part: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(described)) {
    const value = (original as Record<string, unknown>)[key];
    const inner = namedBelow(named, key);
    const innerPart = (value: object) =>
      partOf(innerFields(field), identityOf(field), inner, value);
    if (always.includes(key) || named.includes(key)) {
      part[key] = value;
    } else if (field.kind === "missingFields") {
      part[key] = (value as string[]).filter((path) =>
        hasPart(described, always, named, path.split(".")),
      );
    } else if (inner.length > 0) {
      part[key] = Array.isArray(value) ? value.map(innerPart) : value && innerPart(value);
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
