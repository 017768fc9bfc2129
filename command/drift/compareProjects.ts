import { isDeepStrictEqual } from "node:util";
import {
  type Field,
  type Fields,
  type ListField,
  projectFields,
} from "../../provider/model/projectFields.js";
import type { JsonObject } from "./readState.js";

export interface ProjectChange {
  readonly environmentId?: string;
  /** The element of a list, such as `database shop_live`. */
  readonly subject?: string;
  /** The path of the field, such as `environments.webroot`. For a whole element, the path of its list. */
  readonly field: string;
  readonly change: "added" | "removed" | "changed";
  /** Absent for whole elements. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** What two records are compared at. */
interface Position {
  /** The path of the object with a period, or an empty text for the project itself. */
  readonly path: string;
  readonly element: Pick<ProjectChange, "environmentId" | "subject">;
  /** Whether both records contain a field, or fields below it. */
  readonly isRecorded: (path: string, field: Field) => boolean;
}

/**
 * Compares two records of a project, field by field as projectFields.ts describes them. Elements of lists are
 * compared by what identifies them, so a position is no change. Credentials are not read.
 */
export function compareProjects(
  before: object,
  after: object,
  isRecorded: Position["isRecorded"],
): ProjectChange[] {
  const start: Position = { path: "", element: {}, isRecorded };
  return compareFields(projectFields, before as JsonObject, after as JsonObject, start);
}

function compareFields(
  fields: Fields,
  before: JsonObject,
  after: JsonObject,
  at: Position,
): ProjectChange[] {
  return Object.entries<Field>(fields).flatMap(([key, field]): ProjectChange[] => {
    const path = at.path + key;
    const [was, is] = [before[key], after[key]];
    if ("isCredential" in field || !at.isRecorded(path, field)) return [];
    if (field.kind === "list") return compareLists(field, was, is, { ...at, path });
    if ("fields" in field) {
      const [wasInside = {}, isInside = {}] = [was, is] as (JsonObject | undefined)[];
      return compareFields(field.fields, wasInside, isInside, { ...at, path: `${path}.` });
    }
    if (isDeepStrictEqual(was, is)) return [];
    const change = was === undefined ? "added" : is === undefined ? "removed" : "changed";
    return [{ ...at.element, field: path, change, before: was, after: is }];
  });
}

function compareLists(
  list: ListField,
  before: unknown,
  after: unknown,
  at: Position,
): ProjectChange[] {
  const [recorded, read] = [elementsByIdentity(list, before), elementsByIdentity(list, after)];
  return [...new Set([...recorded.keys(), ...read.keys()])].flatMap((key): ProjectChange[] => {
    const [was, is] = [recorded.get(key), read.get(key)];
    const name = String((was ?? is)?.[list.identifiedBy[0] as string]);
    const element =
      list.element === "environment"
        ? { environmentId: name }
        : { ...at.element, subject: `${list.element} ${name}` };
    const field = at.path;
    if (was === undefined) return [{ ...element, field, change: "added" }];
    if (is === undefined) return [{ ...element, field, change: "removed" }];
    return compareFields(list.of, was, is, { ...at, path: `${field}.`, element });
  });
}

/** Returns the elements of a list by what identifies them, and by their order if nothing else tells them apart. */
function elementsByIdentity({ identifiedBy }: ListField, list: unknown): Map<string, JsonObject> {
  const elements = new Map<string, JsonObject>();
  for (const element of (list ?? []) as readonly JsonObject[]) {
    const identity = identifiedBy.map((key) => element[key]);
    let order = 0;
    while (elements.has(JSON.stringify([...identity, order]))) order++;
    elements.set(JSON.stringify([...identity, order]), element);
  }
  return elements;
}
