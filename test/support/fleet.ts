import type { SandboxProject } from "../../sandbox/index.js";
import { wireProject } from "./project.js";

/** Many projects, `x-1` and so on, each like the sandbox's shop. */
export function fleet(count: number): SandboxProject[] {
  return Array.from({ length: count }, (_, index) =>
    wireProject((project) => {
      project._id = `x-${index + 1}`;
      project.name = `project-${index + 1}`;
    }),
  );
}
