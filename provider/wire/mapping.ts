import { InvalidResponseError } from "../errors/requestFailure.js";
import { compareValues } from "../model/projectFilter.js";
import {
  type Field,
  type Fields,
  innerFields,
  listFields,
  placeOf,
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
  checkEnvironmentIds(wire);
  if (mapCredential !== withoutCredentials) checkCredentials(wire);
  return mapObject(projectPlan, wire, "", mapCredential) as unknown as Project<R, D>;
}

export function mapSummary(wire: object): ProjectSummary {
  return mapObject(listPlan, wire, "", withoutCredentials) as unknown as ProjectSummary;
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

/** How to map one field. Prepared once: without it, reading 1,000 projects in memory takes a tenth longer. */
interface Step {
  readonly key: string;
  readonly field: Field;
  /** The place in the JSON object, for messages and split. */
  readonly place: string;
  readonly path: readonly string[];
  /** The steps for the fields of an inner object or of an element. */
  readonly inner: readonly Step[];
  /** Compares two elements of a list. */
  readonly compare?: ((a: Element, b: Element) => number) | undefined;
}

interface Element {
  readonly element: object;
}

function planOf(fields: Fields): readonly Step[] {
  return Object.entries(fields).map(([key, field]) => {
    const place = placeOf(key, field);
    const inner = planOf(innerFields(field));
    const compare =
      field.kind === "list" ? byFields(field.sortedBy ?? field.identifiedBy, inner) : undefined;
    return { key, field, place, path: place.split("."), inner, compare };
  });
}

const scalarKinds: readonly Field["kind"][] = ["id", "text", "integer", "flag"];

const listPlan = planOf(listFields);
const projectPlan = planOf(projectFields);

/**
 * @param parent the place of the object, for messages.
 * @param missing collects the paths of missing fields, each after `prefix`.
 */
function mapObject(
  plan: readonly Step[],
  wire: object,
  parent: string,
  mapCredential: CredentialMapper<CodeRepository, Database>,
  missing: string[] = [],
  prefix = "",
): Json {
  const result: Json = {};
  for (const { key, field, place, path, inner, compare } of plan) {
    if (field.kind === "missingFields") {
      result[key] = missing;
      continue;
    }
    if (field.kind === "group") {
      result[key] = mapObject(inner, wire, parent, mapCredential, missing, `${prefix}${key}.`);
      continue;
    }
    const value = valueAt(wire, path);
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
          .sort(compare)
          .map(({ mapped }) => mapped);
        break;
      case "jsonList":
        result[key] = pulumiSafeJson(elementsOf(value), `${parent}${place}`);
        break;
      default: {
        if (field.kind === "json") pulumiSafeJson(value, `${parent}${place}`);
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

function valueAt(wire: object, path: readonly string[]): unknown {
  let node: unknown = wire;
  for (const name of path) node = (node as Json | null | undefined)?.[name];
  return node;
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function elementsOf(value: unknown): object[] {
  return (value ?? []) as object[];
}

/** Compares elements by the keys, and then by all other texts and numbers, so that almost equal ones have one order too. */
function byFields(
  keys: readonly string[],
  plan: readonly Step[],
): (a: Element, b: Element) => number {
  const others = plan.filter(
    ({ key, field }) => !keys.includes(key) && scalarKinds.includes(field.kind),
  );
  const steps = [...keys.map((name) => plan.find(({ key }) => key === name)!), ...others];
  return (a, b) => {
    for (const { path } of steps) {
      const order = compareValues(scalarAt(a.element, path), scalarAt(b.element, path));
      if (order !== 0) return order;
    }
    return 0;
  };
}

function scalarAt(element: object, path: readonly string[]): string | undefined {
  return (valueAt(element, path) ?? undefined) as string | undefined;
}
