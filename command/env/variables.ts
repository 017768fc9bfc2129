import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import type { Database, Environment, Project } from "../../provider/model/project.js";
import { type DatabaseAddress, urlOfDatabase } from "../../provider/model/urlOfDatabase.js";
import { loginOf } from "../../provider/wire/credentials.js";

/** Whether every shell takes a text as the name of a variable. */
export function isVariableName(text: string): boolean {
  return /^[a-z_]\w*$/i.test(text);
}

export interface Variable {
  readonly name: string;
  readonly value: string | number | boolean;
  /** Whether a log must not show the value. */
  readonly secret: boolean;
}

/** The data from which variables are made. */
interface VariableSource {
  readonly project: Project;
  readonly environment: Environment;
  /** A database with its credentials. Without one, no variable is about a database. */
  readonly database?: Database | undefined;
  /** Its server, for its URL. */
  readonly address?: DatabaseAddress | undefined;
}

/**
 * Returns the variables of an environment, at most 19 without a database: GitLab accepts 20 by default.
 * https://docs.gitlab.com/ci/variables/dotenv_variables
 *
 * The name of a variable is the prefix and the path of its field, in capitals, with underscores. Fields without a
 * value have no variable: `unset` has its name.
 *
 * @throws ProjectServiceError `RESPONSE_INVALID` if a credential is missing, `ARGUMENT_INVALID` if a value is hidden or
 *   a number above 2^53 - 1.
 */
export function variablesOf(
  source: VariableSource,
  prefix: string,
): { variables: Variable[]; unset: string[] } {
  const { project, environment, database, address } = source;
  const leaves = leavesOf(prefix, fieldsOf(project, environment));
  if (database !== undefined) {
    const { name, databaseType: type } = database;
    leaves.push(
      ...leavesOf(prefix, { database: { name, type } }),
      ...leavesOf(prefix, { database: credentialsOf(database, address) }, true),
    );
  }
  const unset = leaves.flatMap((leaf) => (hasValue(leaf) ? [] : leaf.name));
  const variables = leaves.filter(hasValue);
  for (const { name, value } of variables) {
    if (typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
      throw argumentInvalid(
        `The value of ${name} is a number that JavaScript cannot represent exactly. Export it as a string.`,
      );
    }
  }
  return { variables, unset };
}

function credentialsOf(database: Database, address: DatabaseAddress | undefined) {
  const login = loginOf(database, "leave out --credentials");
  return { ...login, url: address && urlOfDatabase({ name: database.name, ...login }, address) };
}

/** Returns the fields that a deploy job needs. */
function fieldsOf(project: Project, environment: Environment): object {
  const { codeRepository, projectId: id, ...ofProject } = project;
  const { environmentId, branch, deploymentTargetGroupIds, ...ofEnvironment } = environment;
  return {
    id,
    ...pick(ofProject, "name", "type", "status", "domain"),
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

/** A variable, which may have no value. */
type Leaf = Omit<Variable, "value"> & { readonly value: Variable["value"] | undefined };

function hasValue(leaf: Leaf): leaf is Variable {
  return leaf.value !== undefined;
}

function leavesOf(prefix: string, object: object, secret = false): Leaf[] {
  return Object.entries(object).flatMap(([key, value]: [string, unknown]): Leaf[] => {
    const name = prefix + key.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase();
    if (typeof value === "object" && value !== null) return leavesOf(`${name}_`, value, secret);
    const isScalar = ["string", "number", "boolean"].includes(typeof value);
    return [{ name, value: isScalar ? (value as Variable["value"]) : undefined, secret }];
  });
}
