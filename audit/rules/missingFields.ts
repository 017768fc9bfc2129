/*
 * Copies of projects for rules. They have no credentials, no rule can change them, and they tell which missing fields
 * a check reads.
 */
import { didYouMean } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import type { Field, Fields } from "../../provider/model/projectFields.js";
import { subjectValue } from "./finding.js";

/** The paths of missing fields that a check has read, by the id of their project. */
export type MissingFields = Map<string, Set<string>>;

/** The observations of the check that runs now. Checks are synchronous, so at most one runs. */
let observed: MissingFields | undefined;

/** Runs a check, and adds the missing fields that it reads. A check can run inside another one. */
export function observeMissingFields<T>(missing: MissingFields, check: () => T): T {
  const outer = observed;
  observed = missing;
  try {
    return check();
  } finally {
    observed = outer;
    for (const [projectId, paths] of missing) for (const path of paths) markRead(projectId, path);
  }
}

function markRead(projectId: string, path: string): void {
  observed?.set(projectId, (observed.get(projectId) ?? new Set()).add(path));
}

/** Marks a problem of one thing, found without a missing field of this thing. It stays, whatever other things lack. */
interface Certain {
  readonly isCertain: true;
}

export function isCertain(problem: object | undefined): boolean {
  return (problem as Partial<Certain> | undefined)?.isCertain === true;
}

/** Checks each thing separately, for a built-in rule. A thing that lacks a field which the check reads has no problems. */
export function checkEach<T, P extends object>(
  things: readonly T[],
  check: (thing: T) => readonly P[],
): (P & Certain)[] {
  return things.flatMap((thing) => {
    const missing: MissingFields = new Map();
    const problems = observeMissingFields(missing, () => check(thing));
    return missing.size > 0 ? [] : problems.map((problem) => ({ ...problem, isCertain: true }));
  });
}

/** In which project an object is, and at which path, such as `environments[live].branch.`. */
interface ObjectPath {
  readonly projectId: string;
  readonly path: string;
}

type Values = Readonly<Record<string, unknown>>;

/**
 * Returns the copy of a described object.
 *
 * @param more further values, which are no fields.
 * @internal
 */
export function copyForRules(fields: Fields, original: object, at: ObjectPath, more = {}): object {
  const values = original as Values;
  const named = "missingFields" in fields ? values["missingFields"] : undefined;
  const missingFields = elementsIn(named ?? []) as readonly unknown[];
  const copy: Record<string, unknown> = { ...more };
  for (const [key, field] of Object.entries(fields)) {
    if ("isCredential" in field) continue;
    const value = values[key] ?? neverMissing(field) ?? values[key];
    if (isMissing(field, value, missingFields.includes(key))) continue;
    copy[key] = copyOfValue(field, value, { ...at, path: at.path + key });
  }
  return observeReads(Object.freeze(copy), fields, at);
}

/** Returns the value of a field that the service cannot omit. */
function neverMissing({ kind, from }: Field): object | undefined {
  if (kind === "missingFields") return [];
  return from === "" ? {} : undefined;
}

function copyOfValue(field: Field, value: unknown, at: ObjectPath): unknown {
  if (field.kind === "object") {
    return copyForRules(field.fields, value as Values, { ...at, path: `${at.path}.` });
  }
  if (field.kind !== "list") return frozenCopy(value);
  const elements = elementsIn(value).map((element) => {
    const ids = field.identifiedBy.flatMap((key) => element[key] ?? []) as (string | number)[];
    const name = ids.map(subjectValue).join(" ");
    return copyForRules(field.of, element, { ...at, path: `${at.path}[${name}].` });
  });
  return Object.freeze(elements);
}

/** Without this check, an object that is not a project could pass the rules. */
function elementsIn(value: unknown): readonly Values[] {
  const isThere = (element: unknown) => element !== undefined && element !== null;
  if (Array.isArray(value) && value.every(isThere)) return value as Values[];
  throw notAProject();
}

export function notAProject() {
  return argumentInvalid(
    "Checking a project failed: the object is not a project. It needs projectId and name, its environments need an environmentId, and its lists must be lists. Pass a result of getProject or the properties of a ProjectSnapshot.",
  );
}

/** Returns a copy of a JSON value that no rule can change, for instance with `sort`. */
function frozenCopy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy));
  const entries = Object.entries(value).map(([key, inner]) => [key, frozenCopy(inner)] as const);
  return Object.freeze(Object.fromEntries(entries));
}

/** In a result, a list that the service omits is empty, and only `missingFields` tells it apart. */
function isMissing({ kind }: Field, value: unknown, isNamed: boolean): boolean {
  if (value === undefined || value === null) return value === undefined || kind !== "json";
  return (kind === "list" || kind === "jsonList") && isNamed && (value as unknown[]).length === 0;
}

const emptyList: readonly never[] = Object.freeze([]);

/**
 * Reading these is no mistake. JSON.stringify, await, zod and lodash look for the first three in any object. Only a
 * project that could not be read has the last one.
 */
const otherKeys = ["toJSON", "then", "length", "inaccessible"];

/**
 * Marks the missing fields that a check reads. To list all fields, as a spread does, counts as reading them. A field that
 * rules do not have is a mistake of the check: in JavaScript it would be undefined, and the project might pass.
 */
function observeReads(copy: object, fields: Fields, { projectId, path }: ObjectPath): object {
  const isVisible = (key: string) => {
    const field = fields[key];
    return field !== undefined && !("isCredential" in field);
  };
  const readMissing = (key: string) => {
    markRead(projectId, path + key);
    const { kind } = fields[key] as Field;
    return kind === "list" || kind === "jsonList" ? emptyList : undefined;
  };
  return new Proxy(copy, {
    get: function get(target, key) {
      if (key in target || typeof key === "symbol") return (target as never)[key];
      if (isVisible(key)) return readMissing(key);
      if (observed === undefined || otherKeys.includes(key)) return undefined;
      const known = Object.keys(fields).filter(isVisible);
      const error = new Error(`There is no field ${key}. ${didYouMean(key, known, "fields")}`);
      Error.captureStackTrace(error, get); // begins at the check
      throw error;
    },
    ownKeys(target) {
      for (const key of Object.keys(fields)) {
        if (isVisible(key) && !(key in target)) readMissing(key);
      }
      return Reflect.ownKeys(target);
    },
  });
}
