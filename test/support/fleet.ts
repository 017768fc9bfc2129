import type { SandboxProject } from "../../sandbox/index.js";
import { setOwnServers, wireProject } from "./project.js";

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
