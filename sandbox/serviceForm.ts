import {
  type Fields,
  listFields,
  type ServiceField,
  serviceFields,
  type WireOf,
} from "../provider/model/projectFields.js";
import type { SandboxProject } from "./project.js";

/** Returns the fields of a project that the list form has. */
export function inListForm(project: SandboxProject): object {
  const names = serviceFields(listFields).map(([path]) => path[0] as string);
  return Object.fromEntries(names.map((name) => [name, project[name as keyof SandboxProject]]));
}

/** Returns the JSON of the service for fields, without content: empty texts and lists, 0, false and null. */
export function emptyOf<F extends Fields>(fields: F): WireOf<F> {
  const object: Record<string, unknown> = {};
  for (const [path, field] of serviceFields(fields)) {
    let parent = object;
    for (const outer of path.slice(0, -1)) {
      parent = (parent[outer] ??= {}) as Record<string, unknown>;
    }
    parent[path.at(-1) as string] = emptyValueOf(field);
  }
  return object as WireOf<F>;
}

const emptyValues = { id: "", string: "", text: "", integer: 0, flag: false, json: null };

function emptyValueOf(field: ServiceField): unknown {
  if (field.kind === "object") return emptyOf(field.fields);
  return field.kind === "list" || field.kind === "jsonList" ? [] : emptyValues[field.kind];
}
