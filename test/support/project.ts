import { recordedPaths } from "../../provider/model/selectedFields.js";
import { writeRecord } from "../../provider/snapshot/record.js";
import type { Project } from "../../provider/model/project.js";
import { withoutCredentials } from "../../provider/wire/credentials.js";
import { mapProject } from "../../provider/wire/mapping.js";
import { type SandboxProject, sampleProjects } from "../../sandbox/index.js";

/** Returns the sandbox's project shop as the service sends it, with the changes of a test. */
export function wireProject(change: (project: SandboxProject) => void = () => {}): SandboxProject {
  const project = sampleProjects()[0] as SandboxProject;
  change(project);
  return project;
}

/** Returns the sandbox's project shop as the functions return it, without credentials, with the changes of a test. */
export function mappedProject(change?: (project: SandboxProject) => void): Project {
  return mapProject(wireProject(change), withoutCredentials);
}

/** Returns many projects like the sandbox's shop, with the ids `x-1`, `x-2` and so on. */
export function fleet(count: number): SandboxProject[] {
  return Array.from({ length: count }, (_, index) =>
    wireProject((project) => {
      project._id = `x-${index + 1}`;
      project.name = `project-${index + 1}`;
      setOwnServers(project);
    }),
  );
}

/** Gives a project servers of its own, so that it shares nothing with a project like it. */
export function setOwnServers(project: SandboxProject): void {
  for (const environment of project.projectEnvironments) {
    const { projectEnvironmentCode, projectEnvironmentAssets, projectEnvironmentDatabases } =
      environment;
    const group = `${project._id}-${environment.environmentId}`;
    for (const part of [
      projectEnvironmentCode,
      projectEnvironmentAssets,
      projectEnvironmentDatabases,
    ]) {
      part.deploymentTargetGroupId = group;
    }
  }
}

/** Returns projects as a ProjectsSnapshot records them. */
export function recordsOf(projects: object, fields?: readonly string[]) {
  const entries = Object.entries(projects) as [string, object][];
  const paths = recordedPaths(fields);
  return Object.fromEntries(entries.map(([id, each]) => [id, writeRecord(each, paths)]));
}

/**
 * Sets `value` at a path such as `environments[0].order`, or of keys and indexes, without regard to types. `undefined`
 * removes the key.
 */
export function setAt(
  target: unknown,
  path: string | readonly (string | number)[],
  value: unknown,
): void {
  const keys = typeof path === "string" ? path.split(/[.[\]]+/).filter(Boolean) : path;
  const parent = keys.slice(0, -1).reduce((node, key) => (node as never)[key], target) as Record<
    string | number,
    unknown
  >;
  const last = keys.at(-1) as string | number;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
}
