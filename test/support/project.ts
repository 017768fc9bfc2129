import { type SandboxProject, sampleProjects } from "../../sandbox/index.js";

/** Returns the sandbox's project shop as the service sends it, with the changes of a test. */
export function wireProject(change: (project: SandboxProject) => void = () => {}): SandboxProject {
  const project = sampleProjects()[0] as SandboxProject;
  change(project);
  return project;
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

/** Sets `value` at a path of keys and indexes, without regard to types. `undefined` removes the key. */
export function setAt(target: unknown, path: readonly (string | number)[], value: unknown): void {
  const parent = path.slice(0, -1).reduce((node, key) => (node as never)[key], target) as Record<
    string | number,
    unknown
  >;
  const last = path.at(-1) as string | number;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
}
