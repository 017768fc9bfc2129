import { type Fields, projectFields, serviceFields } from "../../provider/model/fields.js";
import type { SandboxProject } from "./project.js";

/**
 * Checks the parts of the service's JSON form that make a project: lists, ids, names and the
 * credentials of databases. Every other field may be missing or have any value, so that users can try
 * unusual responses.
 *
 * @param place the beginning of each place in messages. Empty for JSON that is a list of projects.
 * @throws TypeError that names the place and the rule, such as `[0].name is missing`
 */
export function checkProjects(value: unknown, place = ""): SandboxProject[] {
  const projects = checkList(value, place, projectFields);
  refuseRepeated(projects, place, "_id");
  return projects as unknown as SandboxProject[];
}

/**
 * Checks one project as {@link checkProjects} does.
 *
 * @throws TypeError
 */
export function checkProject(value: unknown, place: string): void {
  checkObject(value, place, projectFields);
}

type Json = Readonly<Record<string, unknown>>;

function checkList(value: unknown, place: string, elements?: Fields): Json[] {
  if (!Array.isArray(value)) fail(place, "must be a list");
  const list = value as Json[];
  if (elements !== undefined) {
    list.forEach((element, index) => checkObject(element, `${place}[${index}]`, elements));
  }
  return list;
}

function checkObject(value: unknown, place: string, fields: Fields): void {
  requireObject(value, place);
  for (const [path, field] of serviceFields(fields)) {
    let parent = value as Json;
    let parentPlace = place;
    for (const name of path.slice(0, -1)) {
      parentPlace += `.${name}`;
      parent = (parent[name] ?? {}) as Json;
      requireObject(parent, parentPlace);
    }
    const name = path.at(-1) as string;
    const member = parent[name];
    const memberPlace = `${parentPlace}.${name}`;
    if (field.kind === "id") {
      if (member === undefined) fail(memberPlace, "is missing");
      if (typeof member !== "string") fail(memberPlace, "must be a string");
      if (member === "") fail(memberPlace, "must not be empty");
    } else if (member === undefined || member === null) {
      continue;
    } else if (field.kind === "list") {
      const list = checkList(member, memberPlace, field.of);
      if (name === "projectEnvironments") refuseRepeated(list, memberPlace, "environmentId");
    } else if (field.kind === "jsonList") {
      checkList(member, memberPlace);
    }
  }
}

function requireObject(value: unknown, place: string): void {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return;
  fail(place, "must be an object");
}

function refuseRepeated(list: readonly Json[], place: string, key: string): void {
  const places = new Map<unknown, string>();
  for (const [index, element] of list.entries()) {
    const own = `${place}[${index}].${key}`;
    const first = places.get(element[key]);
    if (first !== undefined) fail(own, `must differ from ${first}`);
    places.set(element[key], own);
  }
}

function fail(place: string, rule: string): never {
  throw new TypeError(`${place === "" ? "the JSON" : place} ${rule}`);
}
