import { InvalidResponseError } from "../errors/internalErrors.js";
import { compareValues } from "../model/selection.js";
import {
  type Field,
  type Fields,
  innerFields,
  type ListField,
  listFields,
  placeOf,
  projectFields,
} from "../model/fields.js";
import type { CodeRepository, Database, Project, ProjectSummary } from "../model/project.js";
import type { WireProject } from "./validate.js";
import { checkPulumiSafeKey, pulumiSafeJson } from "./pulumiSafeJson.js";

/**
 * Decides what becomes of a credential: called with the object to which it belongs, its key and its value.
 * `R` and `D` are the types of repositories and databases that come out.
 */
export interface CredentialMapper<R extends CodeRepository, D extends Database> {
  (object: object, key: string, value: unknown): void;
  /** Only a type. */
  readonly result?: readonly [R, D];
}

/** Leaves out the credentials and their keys. */
export const withoutCredentials: CredentialMapper<CodeRepository, Database> = () => {};

/** Keeps the credentials in clear. */
export const inClear: CredentialMapper<
  CodeRepository & { importRepository: unknown },
  Database & { username: string; password: string }
> = (object, key, value) => {
  (object as Json)[key] = value;
};

/**
 * Maps a project from the service's shape to ours. docs/functions.md documents the rule.
 *
 * A field that the response omits is `undefined`. Lists without a meaningful order are sorted, so
 * that another order in the response changes nothing.
 */
export function mapProject<R extends CodeRepository, D extends Database>(
  wire: WireProject,
  mapCredential: CredentialMapper<R, D>,
): Project<R, D> {
  checkEnvironmentIds(wire);
  return mapObject(projectFields, wire, "", mapCredential) as unknown as Project<R, D>;
}

export function mapSummary(wire: object): ProjectSummary {
  return mapObject(listFields, wire, "", withoutCredentials) as unknown as ProjectSummary;
}

/** A program that asks for an environment by its id would get one of two. */
function checkEnvironmentIds({ projectEnvironments }: WireProject): void {
  const ids = new Set<string>();
  for (const [index, { environmentId }] of (projectEnvironments ?? []).entries()) {
    const place = `projectEnvironments[${index}].environmentId`;
    if (ids.has(environmentId)) throw new InvalidResponseError(`${place} is not unique`);
    ids.add(environmentId);
    checkPulumiSafeKey(environmentId, place);
  }
}

type Json = Record<string, unknown>;

/**
 * @param parent the place of the object, for messages.
 * @param missing collects the paths of missing fields, each after `prefix`.
 */
function mapObject(
  fields: Fields,
  wire: object,
  parent: string,
  mapCredential: CredentialMapper<CodeRepository, Database>,
  missing: string[] = [],
  prefix = "",
): Json {
  const result: Json = {};
  for (const [key, field] of Object.entries(fields)) {
    const place = placeOf(key, field);
    const inner = innerFields(field);
    if (field.kind === "missingFields") {
      result[key] = missing;
      continue;
    }
    if (field.kind === "group") {
      result[key] = mapObject(inner, wire, parent, mapCredential, missing, `${prefix}${key}.`);
      continue;
    }
    const value = valueAt(wire, place);
    if (field.kind === "json" ? value === undefined : isAbsent(value)) missing.push(prefix + key);
    switch (field.kind) {
      case "object":
        result[key] = isAbsent(value)
          ? undefined
          : mapObject(inner, value, `${parent}${place}.`, mapCredential, missing, `${key}.`);
        break;
      case "list":
        result[key] = elementsOf(value)
          .map((element, index) => ({
            element,
            mapped: mapObject(inner, element, `${parent}${place}[${index}].`, mapCredential),
          }))
          .sort((a, b) => compareElements(field, a.element, b.element))
          .map(({ mapped }) => mapped);
        break;
      case "jsonList":
        result[key] = pulumiSafeJson(elementsOf(value), `${parent}${place}`);
        break;
      default: {
        if (field.kind === "json") pulumiSafeJson(value, `${parent}${place}`);
        const scalar = field.kind === "json" ? value : (value ?? undefined);
        if (field.isCredential === true) mapCredential(result, key, scalar);
        else result[key] = scalar;
      }
    }
  }
  if ("missingFields" in result) missing.sort();
  return result;
}

function valueAt(wire: object, place: string): unknown {
  let node: unknown = wire;
  for (const name of place.split(".")) node = (node as Json | null | undefined)?.[name];
  return node;
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function elementsOf(value: unknown): object[] {
  return (value ?? []) as object[];
}

/**
 * Compares two elements of a list by the fields that sort it, and then by all others with one value, so that
 * almost equal ones have one order too.
 */
function compareElements(
  { of, identifiedBy, sortedBy = identifiedBy }: ListField,
  a: object,
  b: object,
): number {
  const others = Object.keys(of).filter((key) => !sortedBy.includes(key) && isScalar(of[key]!));
  for (const key of [...sortedBy, ...others]) {
    const place = placeOf(key, of[key]!);
    const [one, other] = [a, b].map((element) => valueAt(element, place) ?? undefined);
    const order = compareValues(one as string | undefined, other as string | undefined);
    if (order !== 0) return order;
  }
  return 0;
}

function isScalar({ kind }: Field): boolean {
  return ["id", "string", "text", "integer", "flag"].includes(kind);
}
