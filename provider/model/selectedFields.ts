/* The fields that a snapshot records of a project, as its argument `fields` names them. */
import { withSortedKeys } from "./compareValues.js";
import { type Fields, type ListField, innerFields, projectFields } from "./projectFields.js";
import type { Project } from "./project.js";

type KeysOf<T> = T extends readonly (infer E)[]
  ? KeysOf<E>
  : T extends object
    ? { [K in keyof T & string]: K | `${K}.${KeysOf<T[K]>}` }[keyof T & string]
    : never;

/** The path of a field, or the start of a path: `environments.branch` stands for all fields of the branch. */
export type ProjectFieldKey = KeysOf<Project>;

type Partly<T> = T extends readonly (infer E)[]
  ? (Partly<E> & Pick<E, keyof E & Kept>)[]
  : T extends object
    ? { [K in keyof T]?: Partly<T[K]> }
    : T;

/** What elements of lists keep. */
type Kept = "environmentId" | "order" | "id" | "associationId" | "name" | "missingFields";

/** A project of which only some fields are recorded. Its id, its name and its flags always are. */
export type PartialProject = Partly<Project[]>[number] &
  Pick<Project, (typeof alwaysRecorded)[number]>;

/** A record has these fields of the project, whatever `fields` names. The flags explain parts that are missing later. */
const alwaysRecorded = ["projectId", "name", "hasCode", "hasDatabases", "hasAssets"] as const;

/**
 * Returns the paths of the fields in a record: all, or the named ones with everything above and below them. Elements
 * of lists keep what identifies and sorts them. With credentials, databases are recorded.
 */
export function recordedPaths(
  fields?: readonly string[],
  includeCredentials = false,
): ReadonlySet<string> {
  const paths = new Set<string>();
  const named = includeCredentials ? fields?.concat("environments.databases") : fields;
  const isNamed = (path: string) =>
    named === undefined ||
    named.some((key) => `${path}.`.startsWith(`${key}.`) || key.startsWith(`${path}.`));
  const add = (fields: Fields, prefix: string, always: readonly string[]) => {
    for (const [key, field] of Object.entries(fields)) {
      const path = prefix + key;
      if ("isCredential" in field || !(isNamed(path) || always.includes(key))) continue;
      paths.add(path);
      const { identifiedBy = [], sortedBy = [] } = field as Partial<ListField>;
      add(innerFields(field), `${path}.`, [...identifiedBy, ...sortedBy]);
    }
  };
  add(projectFields, "", alwaysRecorded);
  return paths;
}

/** Returns what a record with these paths contains of a project, and `missingFields` with the recorded entries. */
export function pickRecorded(
  project: object,
  paths = recordedPaths(),
  described: object = projectFields,
  prefix = "",
): object {
  const part: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(described as Fields)) {
    const path = prefix + key;
    const value = (project as Record<string, unknown>)[key];
    const innerPart = (part: object) => pickRecorded(part, paths, innerFields(field), `${path}.`);
    if (field.kind === "missingFields") {
      const isEntry = (entry: string) => paths.has(prefix + entry);
      part[key] = paths.has(path) ? value : (value as string[] | undefined)?.filter(isEntry);
    } else if (!paths.has(path)) continue;
    else if (field.kind === "list" && Array.isArray(value)) part[key] = value.map(innerPart);
    else if ("fields" in field) part[key] = value && innerPart(value);
    else part[key] = withSortedKeys(value);
  }
  return part;
}
