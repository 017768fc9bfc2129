import { readFileSync } from "node:fs";
import { join } from "node:path";
import type {
  CodeRepository,
  Database,
  Environment,
  Project,
  ProjectSummary,
} from "../provider/model/project.js";

/** A project in the JSON of the service, with all its fields. */
export interface SandboxProject
  extends
    Omit<ProjectSummary, "projectId">,
    Pick<Project, "hasCode" | "hasDatabases" | "hasAssets"> {
  /** The `projectId`. */
  _id: string;
  /** The repository, with the address from which it was imported, or null. */
  codeRepository: Omit<CodeRepository, "sshRepoUrl"> & {
    sshrepoUrl: string;
    importRepository: unknown;
  };
  /** The `environments`. */
  projectEnvironments: SandboxEnvironment[];
}

/** An environment in the JSON of the service. */
export interface SandboxEnvironment extends Pick<
  Environment,
  "environmentId" | "order" | "symLinks"
> {
  /** What is deployed, and from which branch. */
  projectEnvironmentCode: EnvironmentPart<unknown> &
    Pick<
      Environment,
      | "branch"
      | "currentTag"
      | "webroot"
      | "webServer"
      | "importBranchOrTag"
      | "latestDeploymentPaths"
      | "deploymentsToKeep"
    >;
  /** The shared folders. */
  projectEnvironmentAssets: EnvironmentPart<unknown> & Pick<Environment, "assetGroups">;
  /** The databases. */
  projectEnvironmentDatabases: EnvironmentPart<boolean> & { databases: SandboxDatabase[] };
}

interface EnvironmentPart<I> {
  deploymentTargetGroupId: string;
  initialized: I;
}

/** A database in the JSON of the service, with its credentials in clear text. */
export interface SandboxDatabase extends Database {
  /** Its user. */
  username: string;
  /** The password of this user. */
  password: string;
}

/**
 * Returns twelve projects with invented credentials. All calls return the same values, each call in a
 * new copy. The package has them as a file, `sandbox/sampleProjects.json`.
 */
export function sampleProjects(): SandboxProject[] {
  const file = join(__dirname, "../../sandbox/sampleProjects.json");
  return JSON.parse(readFileSync(file, "utf8")) as SandboxProject[];
}

/**
 * Checks that a value is a list of projects with ids and names. Every other field may be missing or have any
 * value, so that users can try unusual responses.
 *
 * @internal
 * @throws TypeError that names the place and the rule, and contains no value.
 */
export function checkSandboxProjects(value: unknown): SandboxProject[] {
  if (!Array.isArray(value)) throw new TypeError("projects must be a list");
  const projects = value as (SandboxProject | null)[];
  const indexes = new Map<unknown, number>();
  projects.forEach((project, index) => {
    for (const key of ["_id", "name"] as const) {
      const text: unknown = project?.[key];
      if (typeof text === "string" && text !== "") continue;
      throw new TypeError(`projects[${index}].${key} must be a string that is not empty`);
    }
    const first = indexes.get(project?._id);
    indexes.set(project?._id, index);
    if (first === undefined) return;
    throw new TypeError(`projects[${index}]._id must differ from projects[${first}]._id`);
  });
  return projects as SandboxProject[];
}
