import { type SandboxProject, sampleProjects } from "../../sandbox/index.js";

/** Returns the sandbox's project shop as the service sends it, with the changes of a test. */
export function wireProject(change: (project: SandboxProject) => void = () => {}): SandboxProject {
  const project = sampleProjects()[0] as SandboxProject;
  change(project);
  return project;
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
