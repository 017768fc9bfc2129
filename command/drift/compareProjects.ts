import { isDeepStrictEqual } from "node:util";
import {
  type Field,
  type Fields,
  type ListField,
  projectFields,
} from "../../provider/model/projectFields.js";
import type { Json } from "./preview.js";

/** A difference between two records of a project. */
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

/** Where two records are compared. */
interface Place {
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
  before: Json,
  after: Json,
  isRecorded: Place["isRecorded"],
): ProjectChange[] {
  return compareFields(projectFields, before, after, { path: "", element: {}, isRecorded });
}

/** Returns how a value has changed. Both may be undefined, but they differ. */
function changeOf(before: unknown, after: unknown) {
  if (before === undefined) return { change: "added", after } as const;
  if (after === undefined) return { change: "removed", before } as const;
  return { change: "changed", before, after } as const;
}

function compareFields(fields: Fields, before: Json, after: Json, place: Place): ProjectChange[] {
  return Object.entries(fields).flatMap(([key, field]): ProjectChange[] => {
    const path = place.path + key;
    const [one, other] = [before[key], after[key]];
    if ("isCredential" in field || !place.isRecorded(path, field)) return [];
    if (field.kind === "list") return compareLists(field, one, other, { ...place, path });
    if ("fields" in field) {
      const inside = { ...place, path: `${path}.` };
      return compareFields(field.fields, (one ?? {}) as Json, (other ?? {}) as Json, inside);
    }
    if (isDeepStrictEqual(one, other)) return [];
    return [{ ...place.element, field: path, ...changeOf(one, other) }];
  });
}

function compareLists(
  list: ListField,
  before: unknown,
  after: unknown,
  place: Place,
): ProjectChange[] {
  const [recorded, read] = [elementsOf(list, before), elementsOf(list, after)];
  return [...new Set([...recorded.keys(), ...read.keys()])].flatMap((key): ProjectChange[] => {
    const [one, other] = [recorded.get(key), read.get(key)];
    const name = String((one ?? other)?.[list.identifiedBy[0] as string]);
    const element =
      list.element === "environment"
        ? { environmentId: name }
        : { ...place.element, subject: `${list.element} ${name}` };
    const field = place.path;
    if (one === undefined) return [{ ...element, field, change: "added" }];
    if (other === undefined) return [{ ...element, field, change: "removed" }];
    return compareFields(list.of, one, other, { ...place, path: `${field}.`, element });
  });
}

/** Returns the elements of a list by what identifies them, and by their order if nothing else tells them apart. */
function elementsOf({ identifiedBy }: ListField, list: unknown): Map<string, Json> {
  const elements = new Map<string, Json>();
  for (const element of (list ?? []) as readonly Json[]) {
    const identity = identifiedBy.map((key) => element[key]);
    let order = 0;
    while (elements.has(JSON.stringify([...identity, order]))) order++;
    elements.set(JSON.stringify([...identity, order]), element);
  }
  return elements;
}
