import { isDeepStrictEqual } from "node:util";
import {
  type Field,
  type Fields,
  type ListField,
  projectFields,
} from "../../provider/model/projectFields.js";
import { asList, asObject } from "./preview.js";

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
  before: unknown,
  after: unknown,
  isRecorded: Place["isRecorded"],
): ProjectChange[] {
  return compareFields(projectFields, before, after, { path: "", element: {}, isRecorded });
}

/** Returns how a value has changed. Both may be undefined, but they differ. */
export function changeOf(before: unknown, after: unknown) {
  if (before === undefined) return { change: "added", after } as const;
  if (after === undefined) return { change: "removed", before } as const;
  return { change: "changed", before, after } as const;
}

function compareFields(
  fields: Fields,
  before: unknown,
  after: unknown,
  place: Place,
): ProjectChange[] {
  return Object.entries(fields).flatMap(([key, field]): ProjectChange[] => {
    const path = place.path + key;
    const [one, other] = [asObject(before)?.[key], asObject(after)?.[key]];
    if ("isCredential" in field || !place.isRecorded(path, field)) return [];
    if (field.kind === "list") return compareLists(field, one, other, { ...place, path });
    if ("fields" in field) {
      return compareFields(field.fields, one, other, { ...place, path: `${path}.` });
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
  const keys = [...new Set([...recorded.keys(), ...read.keys()])];
  const firstParts = keys.map((key) => partsOf(key)[0]);
  return keys.flatMap((key): ProjectChange[] => {
    const isAmbiguous = firstParts.filter((first) => first === partsOf(key)[0]).length > 1;
    const element = { ...place.element, ...nameOf(list, partsOf(key), isAmbiguous) };
    const field = place.path;
    if (!recorded.has(key)) return [{ ...element, field, change: "added" }];
    if (!read.has(key)) return [{ ...element, field, change: "removed" }];
    const inside = { ...place, path: `${place.path}.`, element };
    return compareFields(list.of, recorded.get(key), read.get(key), inside);
  });
}

/** Returns the elements of a list by what identifies them, and by their order if nothing else tells them apart. */
function elementsOf({ identifiedBy }: ListField, list: unknown): Map<string, unknown> {
  const elements = new Map<string, unknown>();
  for (const element of asList(list)) {
    const identity = identifiedBy.map((key) => asObject(element)?.[key] ?? null);
    let order = 0;
    while (elements.has(JSON.stringify([...identity, order]))) order++;
    elements.set(JSON.stringify([...identity, order]), element);
  }
  return elements;
}

function partsOf(key: string): string[] {
  return (JSON.parse(key) as (string | number | null)[])
    .slice(0, -1)
    .map((part) => String(part ?? ""));
}

/** Returns how a change names an element. The first part of its identity is enough if no other has it. */
function nameOf(
  { element, identifiedBy }: ListField,
  [first = "", ...others]: readonly string[],
  isAmbiguous: boolean,
): Place["element"] {
  if (element === "environment") return { environmentId: first };
  const details = others.flatMap((part, index) =>
    isAmbiguous && part !== "" ? [` (${identifiedBy[index + 1]} ${part})`] : [],
  );
  return { subject: `${element} ${first}${details.join("")}` };
}
