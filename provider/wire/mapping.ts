import { InvalidResponseError } from "../errors/requestFailure.js";
import { compareValues, type Scalar } from "../model/compareValues.js";
import {
  type Fields,
  innerFields,
  listFields,
  servicePath,
  projectFields,
} from "../model/projectFields.js";
import type { CodeRepository, Database, Project, ProjectSummary } from "../model/project.js";
import { checkCredentials, type CredentialMapper, withoutCredentials } from "./credentials.js";
import type { WireProject } from "./validate.js";
import { checkPulumiSafeKey, pulumiSafeJson } from "./pulumiSafeJson.js";

/**
 * Maps a project from the service's shape to ours. docs/reference.md documents the rule.
 *
 * A field that the response omits is `undefined`. Lists without a meaningful order are sorted, so
 * that another order in the response changes nothing.
 */
export function mapProject<R extends CodeRepository, D extends Database>(
  wire: WireProject,
  mapCredential: CredentialMapper<R, D>,
): Project<R, D> {
  checkPulumiSafeKey(wire._id, "the id of a project");
  checkEnvironmentIds(wire);
  if (mapCredential !== withoutCredentials) checkCredentials(wire);
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
    if (field.kind === "missingFields") {
      result[key] = missing;
      continue;
    }
    const inner = innerFields(field);
    if (field.kind === "group") {
      result[key] = mapObject(inner, wire, parent, mapCredential, missing, `${prefix}${key}.`);
      continue;
    }
    const name = servicePath(key, field);
    const place = parent + name;
    const value = valueAt(wire, name);
    if (field.kind === "json" ? value === undefined : isAbsent(value)) missing.push(prefix + key);
    switch (field.kind) {
      case "object":
        result[key] = isAbsent(value)
          ? undefined
          : mapObject(inner, value, `${place}.`, mapCredential, missing, `${key}.`);
        break;
      case "list":
        result[key] = elementsOf(value)
          .map((element, index) => mapObject(inner, element, `${place}[${index}].`, mapCredential))
          .sort(byKeys(field.sortedBy ?? field.identifiedBy));
        break;
      case "jsonList":
        result[key] = pulumiSafeJson(elementsOf(value), place);
        break;
      default: {
        if (field.kind === "json") pulumiSafeJson(value, place);
        const scalar = field.kind === "json" ? value : (value ?? undefined);
        if (field.isCredential !== true) result[key] = scalar;
        // An empty user name or password is none.
        else mapCredential(result, key, field.kind === "json" ? scalar : scalar || undefined);
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

/** Compares elements of a list by their values at some keys, of which the first counts most. */
function byKeys(keys: readonly string[]) {
  return (a: Json, b: Json): number => {
    const orders = keys.map((key) => compareValues(a[key] as Scalar, b[key] as Scalar));
    return orders.find((order) => order !== 0) ?? 0;
  };
}
