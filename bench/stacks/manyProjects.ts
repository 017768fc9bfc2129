import { type SandboxProject, sampleProjects } from "../../sandbox/index.js";

/** Returns `count` projects `p-0`, `p-1`, …, each with 3 environments and 6 databases. */
export function manyProjects(count: number): SandboxProject[] {
  const sample = sampleProjects()[0] as SandboxProject;
  return Array.from({ length: count }, (_, index) => ({
    ...structuredClone(sample),
    _id: `p-${index}`,
  }));
}
