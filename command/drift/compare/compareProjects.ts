import { isDeepStrictEqual } from "node:util";
import {
  type Field,
  type Fields,
  type ListField,
  projectFields,
} from "../../../provider/model/fields.js";
import { groupBy } from "../../../provider/model/groupBy.js";
import { elementsOf, membersOf } from "../preview.js";

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

/**
 * Compares two records of a project, field by field as fields.ts describes them. Elements of lists are
 * compared by what identifies them, so a position is no change. Credentials are not read.
 *
 * @param isRecorded whether both records contain a field or fields below it. Default: all of them.
 */
export function compareProjects(
  before: unknown,
  after: unknown,
  isRecorded: (path: string) => boolean = () => true,
): ProjectChange[] {
  return changesOfFields(projectFields, before, after, { path: "", element: {}, isRecorded });
}

/** What is known about the place of an object. */
interface Place {
  /** The path of the object with a period, or an empty text for the project itself. */
  readonly path: string;
  readonly element: Pick<ProjectChange, "environmentId" | "subject">;
  readonly isRecorded: (path: string) => boolean;
}

function changesOfFields(
  fields: Fields,
  before: unknown,
  after: unknown,
  place: Place,
): ProjectChange[] {
  const [one, other] = [membersOf(before), membersOf(after)];
  return Object.entries(fields).flatMap(([key, field]) =>
    changesOf(field, `${place.path}${key}`, one.get(key), other.get(key), place),
  );
}

function changesOf(
  field: Field,
  path: string,
  before: unknown,
  after: unknown,
  place: Place,
): ProjectChange[] {
  if ("isCredential" in field) return [];
  if (field.kind === "missingFields") {
    const recorded = (list: unknown) =>
      elementsOf(list).filter(
        (missing) => place.isRecorded(path) || place.isRecorded(`${place.path}${String(missing)}`),
      );
    return changesOfValue(path, recorded(before), recorded(after), place);
  }
  if (!place.isRecorded(path)) return [];
  if (field.kind === "list") return changesOfList(field, path, before, after, place);
  if (field.kind === "object" || field.kind === "group") {
    return changesOfFields(field.fields, before, after, { ...place, path: `${path}.` });
  }
  return changesOfValue(path, before, after, place);
}

function changesOfValue(
  field: string,
  before: unknown,
  after: unknown,
  { element }: Place,
): ProjectChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (before === undefined) return [{ ...element, field, change: "added", after }];
  if (after === undefined) return [{ ...element, field, change: "removed", before }];
  return [{ ...element, field, change: "changed", before, after }];
}

function changesOfList(
  list: ListField,
  path: string,
  before: unknown,
  after: unknown,
  place: Place,
): ProjectChange[] {
  const [recorded, read] = [byIdentity(list, before), byIdentity(list, after)];
  const all = [...new Map([...recorded, ...read])];
  const namesakes = groupBy(all, ([, { identity }]) => identity[0]);
  return all.flatMap(([key, { identity, number }]): ProjectChange[] => {
    const isAmbiguous = (namesakes.get(identity[0])?.length ?? 0) > 1;
    const name = nameOf(list, identity, number, isAmbiguous);
    const element = { ...place.element, ...name };
    const [one, other] = [recorded.get(key), read.get(key)];
    if (one === undefined) return [{ ...element, field: path, change: "added" }];
    if (other === undefined) return [{ ...element, field: path, change: "removed" }];
    return changesOfFields(list.of, one.value, other.value, {
      ...place,
      path: `${path}.`,
      element,
    });
  });
}

interface Element {
  readonly value: unknown;
  readonly identity: readonly string[];
  /** 1, or more if earlier elements have the same identity. */
  readonly number: number;
}

function byIdentity({ identifiedBy }: ListField, list: unknown): Map<string, Element> {
  const found = new Map<string, Element>();
  const counts = new Map<string, number>();
  for (const value of elementsOf(list)) {
    const members = membersOf(value);
    const identity = identifiedBy.map((key) => textOf(members.get(key)));
    const key = JSON.stringify(identity);
    const number = (counts.get(key) ?? 0) + 1;
    counts.set(key, number);
    found.set(`${key} ${number}`, { value, identity, number });
  }
  return found;
}

/** Returns how a change names an element. The first part of its identity is enough if no other has it. */
function nameOf(
  { element, identifiedBy }: ListField,
  identity: readonly string[],
  number: number,
  isAmbiguous: boolean,
): Place["element"] {
  const [first = "", ...others] = identity;
  if (element === "environment") return { environmentId: first };
  const details = others.flatMap((value, index) =>
    isAmbiguous && value !== "" ? [` (${identifiedBy[index + 1]} ${value})`] : [],
  );
  return { subject: `${element} ${first}${details.join("")}${number > 1 ? ` #${number}` : ""}` };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
