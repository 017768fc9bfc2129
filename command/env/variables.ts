import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { displayText } from "../../provider/errors/displayText.js";
import type { Environment, Project } from "../../provider/model/project.js";
import { type EnvironmentCredentials, hiddenSecret, type StackOutputs } from "./stackOutputs.js";

/** An environment variable. */
export interface Variable {
  readonly name: string;
  /** The name for messages. It ends with `…` if the rest is secret. */
  readonly shownName: string;
  readonly value: string | number | boolean;
  /** Whether a log must not show the value. */
  readonly secret: boolean;
}

/**
 * Returns the variables of an environment, at most 19 without credentials: GitLab accepts 20 by
 * default.
 *
 * The name of a variable is the prefix and the path of its field, in capitals, with underscores. A
 * database stands under its name. Fields without a value have no variable.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if a name is reserved or not unique, or if Pulumi
 *   hides a value.
 */
export function variablesOf(outputs: StackOutputs, prefix: string): Variable[] {
  const { project, environment, credentials } = outputs;
  const fields = [
    ...leavesOf([], factsOf(project, environment), false),
    ...(credentials === undefined ? [] : credentialLeaves(credentials)),
  ];
  const placeByName = new Map<string, string>();
  return fields.map(({ path, value, secret }) => {
    const name = prefix + path.map(toWords).join("_");
    const shownPath = shownPathOf(path);
    const shownName =
      prefix + shownPath.map((part) => (part === "…" ? part : toWords(part))).join("_");
    const place = shownPath.map((part) => displayText(part)).join(".");
    refuseReserved(name);
    const earlier = placeByName.get(name);
    if (earlier !== undefined) {
      throw argumentInvalid(
        `${earlier} and ${place} would both be the variable ${shownName}. Take these values from the JSON of pulumi stack output instead.`,
      );
    }
    placeByName.set(name, place);
    if (value === hiddenSecret) {
      throw argumentInvalid(
        `The value of ${shownName} in standard input is hidden: ${hiddenSecret}. Pass the outputs with their secrets: pulumi stack output --json --show-secrets`,
      );
    }
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw argumentInvalid(
        `The value of ${shownName} in standard input is an integer of more than 53 bits, which would be rounded. Export it as a text.`,
      );
    }
    return { name, shownName, value, secret };
  });
}

/** Returns the fields that a deploy job needs. */
function factsOf(project: Project, environment: Environment): object {
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

interface Leaf {
  readonly path: readonly string[];
  readonly value: string | number | boolean;
  readonly secret: boolean;
}

function credentialLeaves({ databases, importRepository }: EnvironmentCredentials): Leaf[] {
  return [
    ...databases.flatMap(({ name, username, password }) => [
      ...leavesOf(["databases", name], { name }, false),
      ...leavesOf(["databases", name], { username, password }, true),
    ]),
    ...leavesOf(["codeRepository", "importRepository"], importRepository, true),
  ];
}

/** Returns the texts, numbers and booleans in a value, each with its path. */
function leavesOf(path: readonly string[], value: unknown, secret: boolean): Leaf[] {
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, member]) =>
      leavesOf([...path, key], member, secret),
    );
  }
  const isLeaf = ["string", "number", "boolean"].includes(typeof value);
  return isLeaf ? [{ path, value: value as Leaf["value"], secret }] : [];
}

/** Returns the path without the keys of an imported repository: they are as secret as its values. */
function shownPathOf(path: readonly string[]): readonly string[] {
  const [first, second, ...keys] = path;
  if (first !== "codeRepository" || second !== "importRepository" || keys.length === 0) return path;
  return [first, second, "…"];
}

/** `currentTag` becomes `CURRENT_TAG`, and `shop-live` becomes `SHOP_LIVE`. */
function toWords(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toUpperCase();
}

function refuseReserved(name: string): void {
  if (!name.toUpperCase().startsWith("PROJECT_SERVICE_")) return;
  throw argumentInvalid(
    `The name ${displayText(name)} is reserved: variables that start with PROJECT_SERVICE_ are settings of this package. Pass another --prefix.`,
  );
}
