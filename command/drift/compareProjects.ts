import { isDeepStrictEqual } from "node:util";
import {
  type Field,
  type Fields,
  type ListField,
  projectFields,
} from "../../provider/model/fields.js";
import { groupBy } from "../../provider/model/groupBy.js";
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

/** Whether both records contain a field, or fields below it. */
export type IsRecorded = (path: string, field: Field) => boolean;

/**
 * Compares two records of a project, field by field as fields.ts describes them. Elements of lists are
 * compared by what identifies them, so a position is no change. Credentials are not read.
 */
export function compareProjects(
  before: unknown,
  after: unknown,
  isRecorded: IsRecorded,
): ProjectChange[] {
  return changesOfFields(projectFields, before, after, { path: "", element: {}, isRecorded });
}

/** What is known about the place of an object. */
interface Place {
  /** The path of the object with a period, or an empty text for the project itself. */
  readonly path: string;
  readonly element: Pick<ProjectChange, "environmentId" | "subject">;
  readonly isRecorded: IsRecorded;
}

function changesOfFields(
  fields: Fields,
  before: unknown,
  after: unknown,
  place: Place,
): ProjectChange[] {
  const [recorded, read] = [asObject(before), asObject(after)];
  return Object.entries(fields).flatMap(([key, field]): ProjectChange[] => {
    const path = place.path + key;
    const [one, other] = [recorded?.[key], read?.[key]];
    if ("isCredential" in field) return [];
    if (!place.isRecorded(path, field)) return [];
    if (field.kind === "list") return changesOfList(field, one, other, { ...place, path });
    if (field.kind === "object" || field.kind === "group") {
      return changesOfFields(field.fields, one, other, { ...place, path: `${path}.` });
    }
    return changesOfValue(path, one, other, place);
  });
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
  before: unknown,
  after: unknown,
  place: Place,
): ProjectChange[] {
  const identityOf = (value: unknown) =>
    JSON.stringify(list.identifiedBy.map((key) => asObject(value)?.[key] ?? null));
  const recorded = groupBy(asList(before), identityOf);
  const read = groupBy(asList(after), identityOf);
  const identities = [...new Set([...recorded.keys(), ...read.keys()])];
  const firstOf = (identity: string) => (JSON.parse(identity) as unknown[])[0];
  const namesakes = groupBy(identities, firstOf);
  return identities.flatMap((identity) => {
    const [ones, others] = [recorded.get(identity) ?? [], read.get(identity) ?? []];
    const isAmbiguous = (namesakes.get(firstOf(identity)) ?? []).length > 1;
    const element = { ...place.element, ...nameOf(list, identity, isAmbiguous) };
    // Elements that nothing tells apart have an order all the same.
    return Array.from({ length: Math.max(ones.length, others.length) }).flatMap(
      (_, index): ProjectChange[] => {
        const field = place.path;
        if (index >= ones.length) return [{ ...element, field, change: "added" }];
        if (index >= others.length) return [{ ...element, field, change: "removed" }];
        const inside = { ...place, path: `${place.path}.`, element };
        return changesOfFields(list.of, ones[index], others[index], inside);
      },
    );
  });
}

/** Returns how a change names an element. The first part of its identity is enough if no other has it. */
function nameOf(
  { element, identifiedBy }: ListField,
  identity: string,
  isAmbiguous: boolean,
): Place["element"] {
  const [first, ...others] = (JSON.parse(identity) as (string | number | null)[]).map((part) =>
    String(part ?? ""),
  );
  if (element === "environment") return { environmentId: first as string };
  const details = others.flatMap((part, index) =>
    isAmbiguous && part !== "" ? [` (${identifiedBy[index + 1]} ${part})`] : [],
  );
  return { subject: `${element} ${first}${details.join("")}` };
}
