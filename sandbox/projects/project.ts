import {
  type Fields,
  listFields,
  placeOf,
  type projectFields,
  type WireOf,
} from "../../provider/model/fields.js";

/** A project in the JSON of the service, with all its fields. */
export type SandboxProject = WireOf<typeof projectFields>;

/** An environment in the JSON of the service. */
export type SandboxEnvironment = SandboxProject["projectEnvironments"][number];

/** A database in the JSON of the service, with its credentials in clear text. */
export type SandboxDatabase =
  SandboxEnvironment["projectEnvironmentDatabases"]["databases"][number];

/** Returns the fields of a project that the list form has. */
export function inListForm(project: SandboxProject): object {
  const names = Object.entries(listFields).map(([key, field]) => placeOf(key, field));
  return Object.fromEntries(names.map((name) => [name, project[name as keyof SandboxProject]]));
}

/** Returns the JSON of the service for fields, without content: empty texts and lists, 0, false and null. */
export function emptyOf<F extends Fields>(fields: F): WireOf<F> {
  return addEmpty({}, fields) as WireOf<F>;
}

const emptyValues = { id: "", string: "", text: "", integer: 0, flag: false, json: null };

function addEmpty(object: Record<string, unknown>, fields: Fields): Record<string, unknown> {
  for (const [key, field] of Object.entries(fields)) {
    if (field.kind === "missingFields") continue;
    if (field.kind === "group") {
      addEmpty(object, field.fields);
      continue;
    }
    const names = placeOf(key, field).split(".");
    const name = names.pop() as string;
    let parent = object;
    for (const outer of names) parent = (parent[outer] ??= {}) as Record<string, unknown>;
    if (field.kind === "object") parent[name] = addEmpty({}, field.fields);
    else if (field.kind === "list" || field.kind === "jsonList") parent[name] = [];
    else parent[name] = emptyValues[field.kind];
  }
  return object;
}
