import { ProjectServiceError } from "../provider/errors.js";
import type { Environment, Project } from "../provider/project.js";

/** Of what came over the network or out of a state, any part may be missing. */
type Recorded<T> = T extends (infer E)[]
  ? Recorded<E>[]
  : T extends object
    ? { [K in keyof T]?: Recorded<T[K]> | null | undefined }
    : T;

/**
 * A project to be checked: a result of getProject, the properties of a ProjectSnapshot, or anything
 * in their shape.
 */
export type AuditedProject = Recorded<Project> & {
  /** A ProjectSnapshot has it unless it records without credentials. Only looked at for being there. */
  credentials?: unknown;
};

/** An environment to be checked. */
export type AuditedEnvironment = Recorded<Environment> & { environmentId: string };

/** An {@link AuditedProject} that has what every finding needs. */
export type NamedProject = Omit<AuditedProject, "projectId" | "name" | "environments"> & {
  projectId: string;
  name: string;
  environments: AuditedEnvironment[];
};

/**
 * Refuses what has not the shape of a project: no rule would find anything in it, and it would pass.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID`
 */
export function namedProject(project: AuditedProject): NamedProject {
  const { projectId, name, environments } = project;
  if (
    typeof projectId === "string" &&
    typeof name === "string" &&
    Array.isArray(environments) &&
    environments.every(({ environmentId }) => typeof environmentId === "string")
  ) {
    return project as NamedProject;
  }
  throw new ProjectServiceError(
    "ARGUMENT_INVALID",
    "What is to be checked is no project: it needs projectId, name and environments with their ids. Pass a result of getProject or the properties of a ProjectSnapshot.",
  );
}
