import { type Fields, innerFields, placeOf, projectFields } from "../model/projectFields.js";
import type { Project } from "../model/project.js";
import { withSortedKeys } from "../model/sortedJson.js";

type Json = Record<string, unknown>;

/**
 * Returns a project in the JSON of the service: the described fields that the response had, without credentials.
 * The keys are in the order of the description, and sorted in JSON of undocumented shape.
 */
export function serviceForm(project: Project): object {
  return addFields({}, projectFields, { ...project });
}

function addFields(json: Json, fields: Fields, object: Json): Json {
  const missing = (object["missingFields"] ?? []) as string[];
  for (const [key, field] of Object.entries(fields)) {
    const value = object[key];
    if (field.kind === "group") addFields(json, field.fields, value as Json);
    if (field.kind === "group" || field.kind === "missingFields" || "isCredential" in field)
      continue;
    // A list that the response omitted is empty here.
    if (value === undefined || missing.includes(key)) continue;
    const names = placeOf(key, field).split(".");
    const last = names.pop() as string;
    const parent = names.reduce((node, name) => (node[name] ??= {}) as Json, json);
    const inner = innerFields(field);
    if (field.kind === "list") {
      parent[last] = (value as Json[]).map((element) => addFields({}, inner, element));
    } else {
      parent[last] =
        field.kind === "object" ? addFields({}, inner, value as Json) : withSortedKeys(value);
    }
  }
  return json;
}
