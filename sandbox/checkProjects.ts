import type { SandboxProject } from "./project.js";

/**
 * Checks that a value is a list of projects with ids and names. Every other field may be missing or have any
 * value, so that users can try unusual responses.
 *
 * @throws TypeError that names the place and the rule, and contains no value.
 */
export function checkProjects(value: unknown): SandboxProject[] {
  if (!Array.isArray(value)) throw new TypeError("projects must be a list");
  const projects = value as (SandboxProject | null)[];
  projects.forEach((project, index) => {
    for (const key of ["_id", "name"] as const) {
      const text: unknown = project?.[key];
      if (typeof text === "string" && text !== "") continue;
      throw new TypeError(`projects[${index}].${key} must be a text that is not empty`);
    }
    const first = projects.findIndex((other) => other?._id === project?._id);
    if (first === index) return;
    throw new TypeError(`projects[${index}]._id must differ from projects[${first}]._id`);
  });
  return projects as SandboxProject[];
}
