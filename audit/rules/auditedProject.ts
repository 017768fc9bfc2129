import { argumentInvalid } from "../../provider/errors/argumentInvalid.js";
import type { Environment, Project } from "../../provider/model/project.js";

/** Data from a response or a state. Every part of it may be missing. */
type Recorded<T> = T extends (infer E)[]
  ? readonly Recorded<E>[]
  : T extends object
    ? { readonly [K in keyof T]?: Recorded<T[K]> | null | undefined }
    : T;

/**
 * A project to check: a result of getProject, the properties of a ProjectSnapshot, a project of a
 * ProjectsSnapshot, or any object of the same shape.
 */
export type AuditedProject = Recorded<Project> & {
  /**
   * A ProjectSnapshot has this property unless it records without credentials. Rules never receive it.
   */
  readonly credentials?: unknown;
  /** Whether the project comes with recorded credentials, for an object without the property `credentials`. */
  readonly recordsCredentials?: boolean | undefined;
  /** The error code, such as `FORBIDDEN`, of a project that a ProjectsSnapshot could not read. */
  readonly inaccessible?: string | undefined;
};

/** An environment to check. */
export type AuditedEnvironment = Recorded<Environment> & { readonly environmentId: string };

/** An {@link AuditedProject} with the fields that every finding needs. */
export type IdentifiedProject = Omit<AuditedProject, "projectId" | "name" | "environments"> & {
  readonly projectId: string;
  readonly name: string;
  readonly environments: readonly AuditedEnvironment[];
};

/**
 * Returns the project if it has its ids and its name, and lists where rules read lists. Without this
 * check, an object that is not a project could pass the rules.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID`
 */
export function identifiedProject(project: AuditedProject): IdentifiedProject {
  const { projectId, name, environments, missingFields, inaccessible } = project;
  if (
    typeof projectId === "string" &&
    typeof name === "string" &&
    Array.isArray(environments) &&
    environments.every(isEnvironment) &&
    isListOf("string", missingFields) &&
    (inaccessible === undefined || typeof inaccessible === "string")
  ) {
    return project as IdentifiedProject;
  }
  throw argumentInvalid(
    "Checking a project failed: the object is not a project. It needs projectId, name and environments, each with an environmentId, and its lists must be lists. Pass a result of getProject or the properties of a ProjectSnapshot.",
  );
}

function isEnvironment(value: AuditedEnvironment | null): boolean {
  return (
    typeof value?.environmentId === "string" &&
    [value.databases, value.assetGroups, value.symLinks].every((list) =>
      isListOf("object", list),
    ) &&
    isListOf("string", value.missingFields)
  );
}

/** Whether a value is a list of such elements, or missing. */
function isListOf(type: "object" | "string", value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return (
    Array.isArray(value) && value.every((element) => typeof element === type && element !== null)
  );
}
