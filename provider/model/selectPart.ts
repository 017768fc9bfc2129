/* Selects an environment of a project, and a database of an environment. */
import { didYouMean, displayList, displayText } from "../errors/displayText.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import type { Database, Environment, Project } from "./project.js";

interface PartOwner {
  readonly projectId: string;
  readonly projectName: string;
  readonly environmentId?: string;
  readonly missingFields: readonly string[];
}

/** Returns an environment of a project, with id and name of the project. */
export function selectEnvironment(project: Project, environmentId: string) {
  const { projectId, name: projectName, environments, missingFields } = project;
  const owner = { projectId, projectName, missingFields };
  const idOf = (each: Environment) => each.environmentId;
  const found = selectPart("environment", environments, idOf, environmentId, owner);
  return { ...found, projectId, projectName };
}

/**
 * Returns the database with a name. Without a name, returns the only one.
 *
 * @param option what the user sets to the name.
 */
export function selectDatabase(
  environment: PartOwner & Pick<Environment, "databases">,
  name: string | undefined,
  option: "databaseName" | "--database",
): Database {
  const nameOf = (each: Database) => each.name;
  return selectPart("database", environment.databases, nameOf, name, environment, option);
}

function selectPart<P>(
  kind: "environment" | "database",
  parts: readonly P[],
  nameOf: (part: P) => string,
  name: string | undefined,
  owner: PartOwner,
  option = `${kind}Id`,
): P {
  const named = name === undefined ? parts : parts.filter((part) => nameOf(part) === name);
  const [first] = named;
  if (first !== undefined && named.length === 1) return first;

  const names = parts.map(nameOf);
  const failure = (code: ProjectServiceError["code"], problem: string) => {
    const { projectId } = owner;
    return new ProjectServiceError(code, `${ownerText(owner)} ${problem}.`, { projectId });
  };
  if (owner.missingFields.includes(`${kind}s`)) {
    throw failure("RESPONSE_INVALID", `may have ${kind}s, but the service omits them`);
  }
  if (parts.length === 0) throw failure("NOT_FOUND", `has no ${kind}s`);
  if (name === undefined) {
    const advice = `Set ${option} to one of them: ${displayList(names)}`;
    throw failure("ARGUMENT_INVALID", `has ${parts.length} ${kind}s. ${advice}`);
  }
  if (named.length > 1) {
    const advice = "Rename one in the service. A program can select one by associationId";
    throw failure("AMBIGUOUS_NAME", `has several ${kind}s with that name. ${advice}`);
  }
  const advice = didYouMean(name, names, `${kind}s`);
  throw failure("NOT_FOUND", `has no ${kind} "${displayText(name)}". ${advice}`);
}

function ownerText({ projectId, projectName, environmentId }: PartOwner): string {
  const project = `${displayText(projectId)} (${displayText(projectName)})`;
  return environmentId === undefined
    ? `Project ${project}`
    : `Environment ${displayText(environmentId)} of project ${project}`;
}
