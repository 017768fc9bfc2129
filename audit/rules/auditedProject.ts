import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import type { Environment, Project } from "../../provider/model/project.js";

/** Data from a response or a state. Every part of it may be missing. */
type Recorded<T> = T extends (infer E)[]
  ? Recorded<E>[]
  : T extends object
    ? { [K in keyof T]?: Recorded<T[K]> | null | undefined }
    : T;

/**
 * A project to check: a result of getProject, the properties of a ProjectSnapshot, or any object of
 * the same shape.
 */
export type AuditedProject = Recorded<Project> & {
  /**
   * A ProjectSnapshot has this property unless it records without credentials. Rules only check
   * whether it is present.
   */
  credentials?: unknown;
};

/** An environment to check. */
export type AuditedEnvironment = Recorded<Environment> & { environmentId: string };

/** An {@link AuditedProject} with the fields that every finding needs. */
export type IdentifiedProject = Omit<AuditedProject, "projectId" | "name" | "environments"> & {
  projectId: string;
  name: string;
  environments: AuditedEnvironment[];
};

/**
 * Returns the project if it has its ids and its name. Without this check, an object that is not a
 * project could pass the rules.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID`
 */
export function identifiedProject(project: AuditedProject): IdentifiedProject {
  const { projectId, name, environments } = project;
  if (
    typeof projectId === "string" &&
    typeof name === "string" &&
    Array.isArray(environments) &&
    environments.every(({ environmentId }) => typeof environmentId === "string")
  ) {
    return project as IdentifiedProject;
  }
  throw new ProjectServiceError(
    "ARGUMENT_INVALID",
    "Checking a project failed: the object is not a project. It needs projectId, name and environments, each with an environmentId. Pass a result of getProject or the properties of a ProjectSnapshot.",
  );
}
