import { type Fields, innerFields, projectFields, servicePath } from "../model/projectFields.js";
import type { Project } from "../model/project.js";
import { recordedPart } from "../model/selectedFields.js";

type Json = Record<string, unknown>;

/**
 * Returns a project in the JSON of the service: the described fields that the response had, without credentials.
 * The keys are in the order of the description, and sorted in JSON of undocumented shape.
 */
export function serviceForm(project: Project): object {
  return addFields({}, projectFields, recordedPart(project));
}

function addFields(json: Json, fields: Fields, object: object): Json {
  const { missingFields = [], ...values } = object as Json & { missingFields?: string[] };
  for (const [key, field] of Object.entries(fields)) {
    const value = values[key];
    // A list that the response omitted is empty here.
    if (value === undefined || missingFields.includes(key)) continue;
    if (field.kind === "group") {
      addFields(json, field.fields, value as object);
      continue;
    }
    const names = servicePath(key, field).split(".");
    const last = names.pop() as string;
    const parent = names.reduce((node, name) => (node[name] ??= {}) as Json, json);
    const inService = (inner: object) => addFields({}, innerFields(field), inner);
    if (field.kind === "list") parent[last] = (value as object[]).map(inService);
    else parent[last] = field.kind === "object" ? inService(value as object) : value;
  }
  return json;
}
