import { type SandboxProject, sampleProjects } from "../sandbox/index.js";

/** So many projects for a sandbox, `p-0` and so on, of 3 environments and 6 databases each. */
export function manyProjects(count: number): SandboxProject[] {
  const sample = sampleProjects()[0] as SandboxProject;
  return Array.from({ length: count }, (_, index) => ({
    ...structuredClone(sample),
    _id: `p-${index}`,
  }));
}
