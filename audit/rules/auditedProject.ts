import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { projectFields } from "../../provider/model/projectFields.js";
import type { Environment, InaccessibleProject, Project } from "../../provider/model/project.js";
import { projectsSnapshotType, projectSnapshotType } from "../../provider/snapshot/resources.js";
import { readRecord } from "../../provider/snapshot/record.js";
import { copyForRules, notAProject } from "./missingFields.js";

/** Data from a response or a state. Every part of it may be missing. */
type Incomplete<T> = T extends (infer E)[]
  ? readonly Incomplete<E>[]
  : T extends object
    ? { readonly [K in keyof T]?: Incomplete<T[K]> | null | undefined }
    : T;

/**
 * A project to check: a result of getProject, the properties of a ProjectSnapshot, a project of a
 * ProjectsSnapshot, or any object of the same shape.
 */
export type ProjectToCheck = Incomplete<Project> & {
  /** The error code, such as `FORBIDDEN`, of a project that could not be read. */
  readonly inaccessible?: string | undefined;
};

/** The fields that every finding needs. */
interface Identified {
  readonly projectId: string;
  readonly name: string;
  readonly environments: readonly AuditedEnvironment[];
}

/** A project as rules see it: without credentials. A list that the service omits is empty. */
export type AuditedProject = Omit<ProjectToCheck, keyof Identified> & Identified;

/** An environment as rules see it. */
export type AuditedEnvironment = Incomplete<Environment> & { readonly environmentId: string };

/** The copies of {@link auditedProject}. A copy of one would take a missing list for an empty one. */
const copies = new WeakSet<object>();

/**
 * Returns a copy of the project for rules. It has the known fields only, so a rule cannot receive a
 * credential: neither a recorded one, nor one that getProject has read, nor one that a policy pack gets
 * decrypted.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if the object is not a project.
 */
export function auditedProject(project: ProjectToCheck): AuditedProject {
  if (copies.has(project)) return project as AuditedProject;
  const { projectId, name, inaccessible } = (project ?? {}) as Partial<ProjectToCheck>;
  if (typeof projectId !== "string" || typeof name !== "string") throw notAProject();
  const more = inaccessible === undefined ? {} : { inaccessible };
  const place = { projectId, path: "" };
  const copy = copyForRules(projectFields, project, place, more) as AuditedProject;
  if (!copy.environments.every(({ environmentId }) => typeof environmentId === "string")) {
    throw notAProject();
  }
  copies.add(copy);
  return copy;
}

/**
 * Returns the projects that a resource records, without their credentials: one of a ProjectSnapshot,
 * all of a ProjectsSnapshot. The list is empty for a resource that records no projects, so a policy can
 * call this function for every resource.
 *
 * A project that a ProjectsSnapshot could not read has its id as its name, and `inaccessible`. It has one
 * finding, of the rule `readable-project`. A field that the snapshot does not record is missing.
 *
 * @param type the resource type.
 * @param props the properties of the resource, as a policy gets them.
 * @throws ProjectServiceError `ARGUMENT_INVALID` if the resource should record projects but does not.
 *
 * @example
 * for (const project of recordedProjects(type, props))
 *   for (const finding of auditProject(project, builtInRules())) report(formatFinding(finding));
 */
export function recordedProjects(
  type: string,
  props: Readonly<Record<string, unknown>>,
): AuditedProject[] {
  if (type !== projectSnapshotType && type !== projectsSnapshotType) return [];
  return type === projectSnapshotType ? [auditedProject(props)] : fleetOf(props);
}

function fleetOf({ projects, inaccessible }: Readonly<Record<string, unknown>>): AuditedProject[] {
  if (typeof projects !== "object" || projects === null || !Array.isArray(inaccessible)) {
    throw argumentInvalid(
      "Checking projects failed: the properties are not those of a ProjectsSnapshot, which has projects and inaccessible.",
    );
  }
  const unread = inaccessible as readonly Partial<InaccessibleProject>[];
  const unreadIds = new Set(unread.map(({ projectId }) => projectId));
  return [
    ...Object.entries(projects)
      .filter(([id]) => !unreadIds.has(id)) // the record that it keeps is an earlier one
      .map(([id, record]) => auditedProject(readRecord(id, record))),
    ...unread.map(({ projectId, code }) =>
      auditedProject({ projectId, name: projectId, inaccessible: code }),
    ),
  ];
}
