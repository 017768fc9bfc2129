import { InvalidResponseError } from "../errors/requestFailure.js";
import { compareValues, type Scalar } from "../model/compareValues.js";
import {
  type Field,
  type Fields,
  listFields,
  type ListField,
  projectFields,
} from "../model/projectFields.js";
import type { Project, ProjectSummary } from "../model/project.js";
import { isComparable } from "../model/projectFilter.js";
import { bareProjects, type CredentialMapper, withoutCredentials } from "./credentials.js";
import type { WireProject } from "./validate.js";
import { checkPulumiSafeKey, pulumiSafeJson } from "./pulumiSafeJson.js";

/**
 * Maps a project from the service's shape to ours. docs/reference.md documents the rule.
 *
 * A field that the response omits is `undefined`. Lists without a meaningful order are sorted, so
 * that another order in the response changes nothing.
 */
export function mapProject<P extends Project>(
  wire: WireProject,
  mapCredential: CredentialMapper<P>,
): P {
  checkPulumiSafeKey(wire._id, "the id of a project");
  checkEnvironmentIds(wire);
  if (mapCredential !== withoutCredentials) checkCredentials(wire);
  const project = mapObject(projectFields, wire, "", mapCredential);
  if (mapCredential === withoutCredentials) bareProjects.add(project);
  return project as unknown as P;
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
    "Pass includeCredentials: false, or set username to a user who may see them.",
  );
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
  mapCredential: CredentialMapper,
  missing: string[] = [],
  prefix = "",
): Json {
  const result: Json = {};
  // Not Object.entries, which makes the mapping of a fleet take twice as long.
  for (const key in fields) {
    const field = fields[key] as Field;
    if (field.kind === "missingFields") {
      result[key] = missing;
      continue;
    }
    const from = field.from ?? key;
    const place = parent + from;
    const value = valueAt(wire, from);
    if (field.kind === "json" ? value === undefined : isAbsent(value)) missing.push(prefix + key);
    switch (field.kind) {
      case "object": {
        const inside = from === "" ? parent : `${place}.`;
        result[key] = isAbsent(value)
          ? undefined
          : mapObject(field.fields, value, inside, mapCredential, missing, `${prefix}${key}.`);
        break;
      }
      case "list":
        result[key] = elementsOf(value)
          .map((element, index) =>
            mapObject(field.of, element, `${place}[${index}].`, mapCredential),
          )
          .sort((a, b) => compareElements(field, a, b));
        break;
      case "jsonList":
        result[key] = pulumiSafeJson(elementsOf(value), place);
        break;
      default: {
        if (field.kind === "json") pulumiSafeJson(value, place);
        const scalar = field.kind === "json" ? value : (value ?? undefined);
        // JSON has -0, which a state does not keep.
        if (!field.isCredential) result[key] = scalar === 0 ? 0 : scalar;
        else mapCredential(result, key, scalar);
      }
    }
  }
  if ("missingFields" in result) missing.sort();
  return result;
}

/** The names in each path. A fleet has a million fields, and some twenty paths. */
const namesIn = new Map([["", [] as readonly string[]]]);

function valueAt(wire: object, path: string): unknown {
  let names = namesIn.get(path);
  if (names === undefined) namesIn.set(path, (names = path.split(".")));
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

/** If nothing else tells two elements apart, their places in the response must not. */
function compareElements(
  { of, identifiedBy, sortedBy = identifiedBy }: ListField,
  a: Json,
  b: Json,
): number {
  for (const key of [...sortedBy, ...Object.keys(of)]) {
    const field = of[key] as Field;
    if (!isComparable(field) || "isCredential" in field) continue;
    const order = compareValues(a[key] as Scalar, b[key] as Scalar);
    if (order !== 0) return order;
  }
  return 0;
}
