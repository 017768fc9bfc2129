/*
 * Copies of projects for rules. They have no credentials, no rule can change them, and they note which
 * missing fields a check reads.
 */
import type { Field, Fields } from "../../provider/model/fields.js";
import { subjectValue } from "./subjectValue.js";

/** The paths of missing fields that a check has read, by the id of their project. */
export type MissingFields = Map<string, Set<string>>;

/** Where missing fields are noted. Undefined outside of a check. Checks are synchronous, so one place is enough. */
let noted: MissingFields | undefined;

/** Runs a check, and notes the missing fields that it reads. */
export function notingMissingFields<T>(missing: MissingFields, check: () => T): T {
  const outer = noted;
  noted = missing;
  try {
    return check();
  } finally {
    noted = outer;
  }
}

/** Where an object is: in which project, and at which path, such as `environments[live].branch.`. */
interface Place {
  readonly projectId: string;
  readonly path: string;
}

/** Returns the copy of a described object, with further values that are no fields. */
export function copyForRules<T>(fields: Fields, original: object, place: Place, more = {}): T {
  const values = original as Readonly<Record<string, unknown>>;
  const missingFields = (values["missingFields"] ?? []) as readonly string[];
  const copy: Record<string, unknown> = { ...more, missingFields };
  for (const [key, field] of Object.entries(fields)) {
    const value = field.kind === "group" ? (values[key] ?? {}) : values[key];
    if (isCredential(field) || isMissing(field, value, missingFields.includes(key))) continue;
    copy[key] = copyOfValue(field, value, { ...place, path: place.path + key });
  }
  return new Proxy(Object.freeze(copy), new FieldReads(fields, place)) as T;
}

function copyOfValue(field: Field, value: unknown, place: Place): unknown {
  if (field.kind === "object" || field.kind === "group") {
    return copyForRules(field.fields, value as object, { ...place, path: `${place.path}.` });
  }
  if (field.kind !== "list") return frozenCopy(value);
  const list = value as Readonly<Record<string, string | number | null>>[];
  const elements = list.map((element, index) => {
    const identity = field.identifiedBy.map((key) => element[key]).filter((id) => id != null);
    const name = identity.length === 0 ? index : identity.map(subjectValue).join(" ");
    const path = `${place.path}[${name}].`;
    return copyForRules(field.of, element, { ...place, path });
  });
  return Object.freeze(elements);
}

/** Returns a copy of a JSON value that no rule can change. */
function frozenCopy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const copy: unknown = Array.isArray(value)
    ? value.map(frozenCopy)
    : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, frozenCopy(inner)]));
  return Object.freeze(copy);
}

function isCredential(field: Field): boolean {
  return "isCredential" in field;
}

/** In a result, a list that the service omits is empty, and only `missingFields` tells it apart. */
function isMissing({ kind }: Field, value: unknown, isNamed: boolean): boolean {
  if (value === undefined || value === null) return value === undefined || kind !== "json";
  if (kind === "list" || kind === "jsonList") return isNamed && (value as unknown[]).length === 0;
  return kind === "id" && value === "";
}

const emptyList: readonly never[] = Object.freeze([]);

/** Notes reads of missing fields. To list all fields, as a spread does, counts as reading them. */
class FieldReads implements ProxyHandler<object> {
  constructor(
    private readonly fields: Fields,
    private readonly place: Place,
  ) {}

  get(target: object, key: string | symbol): unknown {
    if (key in target || typeof key === "symbol") return Reflect.get(target, key);
    return this.note(key);
  }

  ownKeys(target: object): (string | symbol)[] {
    for (const key of Object.keys(this.fields)) if (!(key in target)) this.note(key);
    return Reflect.ownKeys(target);
  }

  private note(key: string): unknown {
    const field = Object.hasOwn(this.fields, key) ? this.fields[key] : undefined;
    if (field === undefined || isCredential(field)) return undefined;
    const { projectId, path } = this.place;
    const paths = noted?.get(projectId) ?? new Set();
    noted?.set(projectId, paths.add(path + key));
    return field.kind === "list" || field.kind === "jsonList" ? emptyList : undefined;
  }
}
