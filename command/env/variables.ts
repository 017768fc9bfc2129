import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import type { Environment, Project } from "../../provider/model/project.js";
import { hiddenSecret } from "../pulumi.js";
import { valueNotShown, type StackOutputs } from "./stackOutputs.js";

export interface Variable {
  readonly name: string;
  /** The name for messages. It ends with `…` if the rest is secret. */
  readonly shownName: string;
  readonly value: string | number | boolean;
  /** Whether a log must not show the value. */
  readonly secret: boolean;
}

/**
 * Returns the variables of an environment, at most 19 without credentials: GitLab accepts 20 by default.
 * https://docs.gitlab.com/ci/variables/dotenv_variables
 *
 * The name of a variable is the prefix and the path of its field, in capitals, with underscores. A
 * database stands under its name. Fields without a value have no variable.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if two names are equal, or if a value is hidden or a number above 2^53 - 1.
 */
export function variablesOf(outputs: StackOutputs, prefix: string): Variable[] {
  const { project, environment, credentials } = outputs;
  const variables = leavesOf(prefix, [], fieldsOf(project, environment));
  for (const { name, username, password } of credentials?.databases ?? []) {
    const path = ["databases", name];
    variables.push(...leavesOf(prefix, path, { name }));
    variables.push(...leavesOf(prefix, path, { username, password }, true));
  }
  const importPath = ["codeRepository", "importRepository"];
  for (const leaf of leavesOf(prefix, importPath, credentials?.importRepository, true)) {
    // The keys in it are as secret as the values.
    variables.push({ ...leaf, shownName: `${prefix}CODE_REPOSITORY_IMPORT_REPOSITORY…` });
  }
  const names = new Set<string>();
  for (const { name, shownName, value } of variables) {
    if (value === hiddenSecret) throw valueNotShown(`value of ${shownName}`);
    if (typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
      throw argumentInvalid(
        `The value of ${shownName} in standard input is a number that JavaScript cannot keep exactly. Export it as a text.`,
      );
    }
    if (names.has(name)) {
      throw argumentInvalid(
        `Two values would both be the variable ${shownName}. Take them from the JSON of pulumi stack output instead.`,
      );
    }
    names.add(name);
  }
  return variables;
}

/** Returns the fields that a deploy job needs. */
function fieldsOf(project: Project, environment: Environment): object {
  const { codeRepository, ...ofProject } = project;
  const { environmentId, branch, deploymentTargetGroupIds, ...ofEnvironment } = environment;
  return {
    ...pick(ofProject, "projectId", "name", "type", "status", "domain"),
    codeRepository: pick(codeRepository, "gitHost", "group", "name", "sshRepoUrl"),
    environmentId,
    branch: pick(branch, "name", "guarded"),
    ...pick(ofEnvironment, "currentTag", "webroot", "webServer", "deploymentsToKeep"),
    deploymentTargetGroupIds: pick(deploymentTargetGroupIds, "code", "assets", "databases"),
  };
}

function pick<T extends object>(object: T | undefined, ...keys: (keyof T)[]): object {
  return Object.fromEntries(keys.map((key) => [key, object?.[key]]));
}

function leavesOf(prefix: string, path: string[], value: unknown, secret = false): Variable[] {
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, member]) =>
      leavesOf(prefix, [...path, key], member, secret),
    );
  }
  if (!["string", "number", "boolean"].includes(typeof value)) return [];
  const name = prefix + path.map(toWords).join("_");
  return [{ name, shownName: name, value: value as Variable["value"], secret }];
}

/** `currentTag` becomes `CURRENT_TAG`, and `shop-live` becomes `SHOP_LIVE`. */
function toWords(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toUpperCase();
}
