import { type Fields, innerFields, projectFields, servicePath } from "../model/projectFields.js";

type Json = Readonly<Record<string, unknown>>;

/** The flag of a project that says whether it has a part at all, by the object of the service that has the part. */
const flags: Readonly<Record<string, "hasCode" | "hasAssets" | "hasDatabases">> = {
  codeRepository: "hasCode",
  projectEnvironmentCode: "hasCode",
  projectEnvironmentAssets: "hasAssets",
  symLinks: "hasAssets",
  projectEnvironmentDatabases: "hasDatabases",
};

/**
 * Whether a project of the service lacks a field, or an object on the way to it: the key of a filter then cannot be
 * compared. Null is a value. A part that the project does not have, by its own flag, is not absent.
 */
export function isAbsent(project: object, key: string): boolean {
  return lacks(project as Json, projectFields, project as Json, key.split("."));
}

function lacks(project: Json, fields: Fields, node: Json, [key, ...rest]: string[]): boolean {
  const field = key === undefined ? undefined : fields[key];
  if (key === undefined || field === undefined || field.kind === "missingFields") return false;
  const names = field.kind === "group" ? [] : servicePath(key, field).split(".");
  let value: unknown = node;
  for (const name of names) {
    value = (value as Json)[name];
    if (value === null) return false;
    if (value === undefined) return project[flags[names[0] as string] ?? ""] !== false;
  }
  const elements = field.kind === "list" ? (value as Json[]) : [value as Json];
  return elements.some((element) => lacks(project, innerFields(field), element, rest));
}
