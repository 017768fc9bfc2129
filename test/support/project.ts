import { type SandboxProject, sampleProjects } from "../../sandbox/index.js";

/** The sandbox's shop, as the service would send it, changed as a test wants. */
export function wireProject(change: (project: SandboxProject) => void = () => {}): SandboxProject {
  const project = sampleProjects()[0] as SandboxProject;
  change(project);
  return project;
}

/** Sets `value` at a path of keys and indexes, whatever the types say; `undefined` removes it. */
export function setAt(target: unknown, path: readonly (string | number)[], value: unknown): void {
  const parent = path.slice(0, -1).reduce((node, key) => (node as never)[key], target) as Record<
    string | number,
    unknown
  >;
  const last = path.at(-1) as string | number;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
}
