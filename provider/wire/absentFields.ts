import { type Fields, innerFields, projectFields, serviceNames } from "../model/projectFields.js";

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
 * compared. A part that the project does not have, by its own flag, is not absent.
 *
 * @param isNullAbsent whether null in place of an object or a list is absent, too. Null at the key itself is a value.
 */
export function lacksField(project: object, key: string, isNullAbsent: boolean): boolean {
  const lacks = (fields: Fields, node: Json, [key, ...rest]: string[], outer = ""): boolean => {
    const field = fields[key ?? ""];
    if (key === undefined || field === undefined || field.kind === "missingFields") return false;
    const names = serviceNames(key, field);
    const flag = flags[names[0] ?? ""] ?? outer;
    let value: unknown = node;
    for (const [index, name] of names.entries()) {
      value = (value as Json)[name];
      const isAtKey = index === names.length - 1 && rest.length === 0;
      if (value === null && (isAtKey || !isNullAbsent)) return false;
      if (value === undefined || value === null) return (project as Json)[flag] !== false;
    }
    const elements = field.kind === "list" ? (value as Json[]) : [value as Json];
    return elements.some((element) => lacks(innerFields(field), element, rest, flag));
  };
  return lacks(projectFields, project as Json, key.split("."));
}
