import type { SandboxProject } from "./projects.js";
import { type ElementTemplate, type Given, projectTemplate } from "./projectTemplate.js";

/** Some fields of a value, at every depth. The elements of a list may be incomplete too. */
export type DeepPartial<T> = T extends readonly (infer E)[]
  ? readonly DeepPartial<E>[]
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> | undefined }
    : T;

/** Some fields of a project in the JSON form of the service, at every depth. Only `name` is required. */
export type SandboxProjectFields = DeepPartial<SandboxProject> & { readonly name: string };

/**
 * Builds a complete project for a sandbox: a template with the fields that a test cares about.
 *
 * Objects merge, and a given list replaces the list of the template. Each element of
 * `projectEnvironments`, `databases`, `assetGroups` and `symLinks` is merged into the template of its
 * kind. The template is a deployed project with one environment `live`, one database, one asset group and
 * one symlink. Its ids, names and paths follow from the name of the project, and so do its invented
 * credentials: equal arguments give equal projects.
 *
 * @param overrides the name, and any other fields in the JSON form of the service. `undefined` stands for
 *   the template.
 * @throws TypeError for a field that the service does not have, and for an object or a list that is none.
 *   The message names the place.
 *
 * @example
 * const shop = sandboxProject({
 *   name: "shop",
 *   projectEnvironments: [{ projectEnvironmentCode: { webroot: "/srv/shop" } }],
 * });
 * const sandbox = await startSandbox({ projects: [shop] });
 */
export function sandboxProject(overrides: SandboxProjectFields): SandboxProject {
  const { name, _id } = Object(overrides) as Partial<SandboxProjectFields>;
  if (typeof name !== "string" || name === "") {
    throw new TypeError('sandboxProject needs a name, such as sandboxProject({ name: "shop" }).');
  }
  const template = projectTemplate(name, _id ?? `p-${name}`);
  return merge(template, overrides, "project") as SandboxProject;
}

function merge(template: object, given: unknown, place: string): object {
  if (!isJsonObject(given)) throw new TypeError(`${place} must be an object.`);
  const unknownKey = Object.keys(given).find((key) => !Object.hasOwn(template, key));
  if (unknownKey !== undefined) {
    throw new TypeError(
      `${place}.${unknownKey} is not a field of the service. Use one of these: ${Object.keys(template).join(", ")}.`,
    );
  }
  return Object.fromEntries(
    Object.entries(template).map(([key, value]) => [
      key,
      mergeValue(value, given[key], `${place}.${key}`),
    ]),
  );
}

function mergeValue(template: unknown, given: unknown, place: string): unknown {
  if (typeof template === "function") {
    return mergeList(template as ElementTemplate, given === undefined ? [{}] : given, place);
  }
  if (isJsonObject(template)) return merge(template, given === undefined ? {} : given, place);
  return given === undefined ? template : given;
}

function mergeList(template: ElementTemplate, given: unknown, place: string): object[] {
  if (!Array.isArray(given)) throw new TypeError(`${place} must be a list.`);
  return given.map((element: unknown, index) =>
    merge(template(isJsonObject(element) ? element : {}, index), element, `${place}[${index}]`),
  );
}

function isJsonObject(value: unknown): value is Given {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
