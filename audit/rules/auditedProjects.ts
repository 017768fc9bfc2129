import { argumentInvalid } from "../../provider/errors/argumentInvalid.js";
import {
  projectsSnapshotType,
  projectSnapshotType,
} from "../../provider/snapshot/snapshotResource.js";
import type { InaccessibleProject } from "../../provider/model/project.js";
import type { AuditedProject } from "./auditedProject.js";
import { type CheckedProject, checkedProject } from "./checkedProject.js";

/**
 * Returns the projects that a resource records, without their credentials: one of a ProjectSnapshot,
 * all of a ProjectsSnapshot. The list is empty for a resource that records no projects, so a policy can
 * call this function for every resource.
 *
 * A project that a ProjectsSnapshot could not read has its id as its name, no environments, and
 * `inaccessible`. Each rule about the service then returns a finding with the state `unknown`.
 *
 * @param type the resource type.
 * @param props the properties of the resource, as a policy gets them.
 * @throws ProjectServiceError `ARGUMENT_INVALID` if the resource should record projects but does not.
 *
 * @example
 * for (const project of auditedProjects(type, props))
 *   for (const finding of rule.check(project)) report(sentenceOf(finding));
 */
export function auditedProjects(
  type: string,
  props: Readonly<Record<string, unknown>>,
): CheckedProject[] {
  if (type === projectSnapshotType) return [checkedProject(props)];
  if (type === projectsSnapshotType) return projectsOf(props);
  return [];
}

function projectsOf(props: Readonly<Record<string, unknown>>): CheckedProject[] {
  const { projects, inaccessible, credentials } = props;
  if (typeof projects !== "object" || projects === null || !Array.isArray(inaccessible)) {
    throw argumentInvalid(
      "Checking projects failed: the properties are not those of a ProjectsSnapshot. They need projects and inaccessible.",
    );
  }
  const recordsCredentials = (credentials ?? undefined) !== undefined;
  return [
    ...Object.values(projects as Record<string, AuditedProject>).map((project) =>
      checkedProject({ ...project, recordsCredentials }),
    ),
    ...(inaccessible as readonly Partial<InaccessibleProject>[]).map(({ projectId, code }) =>
      checkedProject({ projectId, name: projectId, environments: [], inaccessible: code }),
    ),
  ];
}
