import type { Database, Environment, Project } from "../../provider/model/project.js";
import { type DatabaseAddress, urlOfDatabase } from "../../provider/model/urlOfDatabase.js";
import { requireLogin } from "../../provider/wire/credentials.js";

/** Whether every shell takes a text as the name of a variable. */
export function isVariableName(text: string): boolean {
  return /^[a-z_]\w*$/i.test(text);
}

export interface Variable {
  readonly name: string;
  /** Undefined if its field has no value. */
  readonly value: string | number | boolean | undefined;
}

interface VariableSource {
  readonly project: Project;
  readonly environment: Environment;
  /** A database with its credentials. */
  readonly database?: Database | undefined;
  /** Its server, for its URL. */
  readonly address?: DatabaseAddress | undefined;
}

/**
 * Returns a variable for each field that a job needs. Its name is the prefix and the path of the field, in capitals, with
 * underscores. At most 19 have a value without a database: GitLab accepts 20 variables by default.
 * https://docs.gitlab.com/ci/variables/dotenv_variables
 *
 * @throws ProjectServiceError `RESPONSE_INVALID` if a credential is missing.
 */
export function makeVariables(source: VariableSource, prefix: string): Variable[] {
  const { project, environment, database, address } = source;
  const fields = {
    ...pickFields(project, environment),
    database: databaseFields(database, address),
  };
  return toVariables(prefix, fields);
}

function databaseFields(database: Database | undefined, address: DatabaseAddress | undefined) {
  if (database === undefined) {
    const value = undefined;
    return { name: value, type: value, username: value, password: value, url: value };
  }
  const { name, databaseType: type } = database;
  const login = requireLogin(database);
  return { name, type, ...login, url: address && urlOfDatabase({ name, ...login }, address) };
}

function pickFields(project: Project, environment: Environment): object {
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

function toVariables(prefix: string, object: object): Variable[] {
  return Object.entries(object).flatMap(([key, value]: [string, unknown]): Variable[] => {
    const name = prefix + key.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase();
    if (typeof value === "object" && value !== null) return toVariables(`${name}_`, value);
    return [{ name, value: (value ?? undefined) as Variable["value"] }];
  });
}
