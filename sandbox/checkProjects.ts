import { InvalidResponseError } from "../provider/errors/internalErrors.js";
import { validateProject } from "../provider/wire/validate.js";
import type { SandboxProject } from "./project.js";

/**
 * Checks that a value is a list of projects that this package can read. Fields may be missing.
 *
 * @throws TypeError that names the place and the rule, such as `projects[0]: name is missing`. It contains
 *   no value.
 */
export function checkProjects(value: unknown): SandboxProject[] {
  if (!Array.isArray(value)) throw new TypeError("projects must be a list");
  const places = new Map<string, number>();
  for (const [index, project] of (value as unknown[]).entries()) {
    const { _id } = checkProject(project, index);
    const first = places.get(_id);
    if (first !== undefined) {
      throw new TypeError(`projects[${index}]: _id must differ from that of projects[${first}]`);
    }
    places.set(_id, index);
  }
  return value as SandboxProject[];
}

function checkProject(project: unknown, index: number) {
  try {
    return validateProject(project);
  } catch (error) {
    if (!(error instanceof InvalidResponseError)) throw error;
    const problem = error.message.replace(/^the response/, "it");
    throw new TypeError(`projects[${index}]: ${problem}`);
  }
}
