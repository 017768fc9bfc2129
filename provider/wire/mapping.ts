import { InvalidResponseError } from "../errors/requestFailure.js";
import { compareValues, type Scalar } from "../model/compareValues.js";
import {
  type Field,
  type Fields,
  innerFields,
  listFields,
  type ListField,
  projectFields,
  serviceNames,
} from "../model/projectFields.js";
import type { Project, ProjectSummary } from "../model/project.js";
import { isComparable } from "../model/projectFilter.js";
import { type CredentialMapper, readWithoutAdvice, withoutCredentials } from "./credentials.js";
import type { WireProject } from "./validate.js";
import { checkPulumiSafeKey, pulumiSafeJson } from "./pulumiSafeJson.js";

/**
 * Maps a project from the service's shape to ours. docs/reference.md documents the rule.
 *
 * A field that the response omits is `undefined`. Lists without a meaningful order are sorted, so
 * that another order in the response changes nothing.
 */
export function mapProject(wire: WireProject, mapCredential: CredentialMapper): Project {
  checkPulumiSafeKey(wire._id, "the id of a project");
  checkEnvironmentIds(wire);
  if (mapCredential !== withoutCredentials) checkCredentials(wire);
  return mapObject(projectPlan, wire, "", mapCredential) as unknown as Project;
}

/** Accepts a text that Pulumi does not carry: in a list, it must not end the reads of other projects. */
export function mapSummary(wire: object): ProjectSummary {
  const entries = listPlan.map(({ key, names }) => [key, valueAt(wire, names) ?? undefined]);
  return Object.fromEntries(entries) as ProjectSummary;
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

/** A user who may not see credentials gets none at all. A single one that is missing may not be needed. */
function checkCredentials({ projectEnvironments }: WireProject): void {
  let hasDatabases = false;
  for (const { projectEnvironmentDatabases } of projectEnvironments ?? []) {
    for (const { username, password } of projectEnvironmentDatabases?.databases ?? []) {
      if (username || password) return;
      hasDatabases = true;
    }
  }
  if (!hasDatabases) return;
  throw new InvalidResponseError(
    "it has no user name and no password for any database, so this user is not shown credentials",
    `Set username to a user who may see them, or ${readWithoutAdvice}.`,
  );
}

type Json = Record<string, unknown>;

/**
 * A field, with what its mapping needs of the description. Made once: a fleet has a million fields, and reading the
 * description for each of them takes a quarter longer.
 */
interface FieldPlan {
  readonly key: string;
  readonly kind: Field["kind"];
  readonly isCredential: boolean;
  /** The place of the field in the JSON object around it, and the names that lead there. */
  readonly place: string;
  readonly names: readonly string[];
  readonly inner: readonly FieldPlan[];
  /** The keys by which the elements of a list are sorted, of which the first counts most. */
  readonly sortKeys: readonly string[];
}

const projectPlan = makePlan(projectFields);
const listPlan = makePlan(listFields);

function makePlan(fields: Fields): readonly FieldPlan[] {
  return Object.entries(fields).map(([key, field]) => {
    const names = serviceNames(key, field);
    return {
      key,
      kind: field.kind,
      isCredential: "isCredential" in field,
      place: names.join("."),
      names,
      inner: makePlan(innerFields(field)),
      sortKeys: field.kind === "list" ? sortKeysOf(field) : [],
    };
  });
}

/** If nothing else tells two elements apart, their places in the response must not. */
function sortKeysOf({ of, identifiedBy, sortedBy = identifiedBy }: ListField): string[] {
  return [...sortedBy, ...Object.keys(of)].filter((key) => {
    const field = of[key] as Field;
    return isComparable(field) && !("isCredential" in field);
  });
}

/**
 * @param parent the place of the object, for messages.
 * @param missing collects the paths of missing fields, each after `prefix`.
 */
function mapObject(
  plan: readonly FieldPlan[],
  wire: object,
  parent: string,
  mapCredential: CredentialMapper,
  missing: string[] = [],
  prefix = "",
): Json {
  const result: Json = {};
  // Destructuring all members of each field here made the mapping take a third longer.
  for (const field of plan) {
    const { key, kind } = field;
    if (kind === "missingFields") {
      result[key] = missing;
      continue;
    }
    const value = valueAt(wire, field.names);
    if (kind === "json" ? value === undefined : isAbsent(value)) missing.push(prefix + key);
    const place = parent + field.place;
    switch (kind) {
      case "object": {
        const inside = field.place === "" ? parent : `${place}.`;
        result[key] = isAbsent(value)
          ? undefined
          : mapObject(field.inner, value, inside, mapCredential, missing, `${prefix}${key}.`);
        break;
      }
      case "list":
        result[key] = elementsOf(value)
          .map((element, index) =>
            mapObject(field.inner, element, `${place}[${index}].`, mapCredential),
          )
          .sort((a, b) => compareElements(field.sortKeys, a, b));
        break;
      case "jsonList":
        result[key] = pulumiSafeJson(elementsOf(value), place);
        break;
      default: {
        pulumiSafeJson(value, place);
        const scalar = kind === "json" ? value : (value ?? undefined);
        if (!field.isCredential) result[key] = scalar;
        else mapCredential(result, key, scalar);
      }
    }
  }
  if ("missingFields" in result) missing.sort();
  return result;
}

function valueAt(wire: object, names: readonly string[]): unknown {
  let node: unknown = wire;
  for (const name of names) node = (node as Json | null | undefined)?.[name];
  return node;
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function elementsOf(value: unknown): object[] {
  return (value ?? []) as object[];
}

function compareElements(keys: readonly string[], a: Json, b: Json): number {
  for (const key of keys) {
    const order = compareValues(a[key] as Scalar, b[key] as Scalar);
    if (order !== 0) return order;
  }
  return 0;
}
