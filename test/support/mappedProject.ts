import { mapProject } from "../../provider/mapping.js";
import type { Project } from "../../provider/project.js";
import type { WireProject } from "../../provider/schemas.js";
import type { SandboxProject } from "../../sandbox/index.js";
import { withoutCredentials } from "../../sdk/seal.js";
import { wireProject } from "./project.js";

/** The sandbox's shop as the functions give it, without credentials, changed as a test wants. */
export function mappedProject(change?: (project: SandboxProject) => void): Project {
  return mapProject(wireProject(change) as unknown as WireProject, withoutCredentials);
}
