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
  checkList(value, place);
  return value as SandboxProject[];
}

/**
 * Checks one project as {@link checkProjects} does.
 *
 * @throws TypeError
 */
export function checkProject(value: unknown, place: string): void {
  projectCheck(value, place);
}

/** @throws TypeError if the value breaks a rule. */
type Check = (value: unknown, place: string) => void;

const text: Check = (value, place) => {
  if (typeof value !== "string") fail(place, "must be a string");
};

const id: Check = (value, place) => {
  text(value, place);
  if (value === "") fail(place, "must not be empty");
};

function object(required: Record<string, Check>, optional: Record<string, Check> = {}): Check {
  return (value, place) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      fail(place, "must be an object");
    }
    const fields = value as Record<string, unknown>;
    for (const [key, check] of Object.entries(required)) {
      if (fields[key] === undefined) fail(`${place}.${key}`, "is missing");
      check(fields[key], `${place}.${key}`);
    }
    for (const [key, check] of Object.entries(optional)) {
      const field = fields[key] ?? undefined;
      if (field !== undefined) check(field, `${place}.${key}`);
    }
  };
}

/** @param unique key whose value must differ between the items. */
function listOf(item: Check, unique?: string): Check {
  return (value, place) => {
    if (!Array.isArray(value)) fail(place, "must be a list");
    const places = new Map<unknown, string>();
    for (const [index, member] of (value as unknown[]).entries()) {
      const memberPlace = `${place}[${index}]`;
      item(member, memberPlace);
      if (unique === undefined) continue;
      const key = (member as Record<string, unknown>)[unique];
      const first = places.get(key);
      if (first !== undefined) {
        fail(`${memberPlace}.${unique}`, `must differ from ${first}.${unique}`);
      }
      places.set(key, memberPlace);
    }
  };
}

function fail(place: string, rule: string): never {
  throw new TypeError(`${place === "" ? "the JSON" : place} ${rule}`);
}

const environment = object(
  { environmentId: id },
  {
    projectEnvironmentAssets: object({}, { assetGroups: listOf(object({ id })) }),
    projectEnvironmentCode: object({}, { latestDeploymentPaths: listOf(() => {}) }),
    projectEnvironmentDatabases: object(
      {},
      { databases: listOf(object({ name: id, username: text, password: text })) },
    ),
    symLinks: listOf(object({ id })),
  },
);

const projectCheck = object(
  { _id: id, name: id },
  { projectEnvironments: listOf(environment, "environmentId") },
);
const checkList = listOf(projectCheck, "_id");
