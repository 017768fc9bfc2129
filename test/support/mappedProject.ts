import { mapProject } from "../../provider/wire/mapping.js";
import type { Project } from "../../provider/model/project.js";
import type { WireProject } from "../../provider/wire/validate.js";
import type { SandboxProject } from "../../sandbox/index.js";
import { withoutCredentials } from "../../provider/wire/mapping.js";
import { wireProject } from "./project.js";

/** Returns the sandbox's project shop as the functions return it, without credentials, with the changes of a test. */
export function mappedProject(change?: (project: SandboxProject) => void): Project {
  return mapProject(wireProject(change) as unknown as WireProject, withoutCredentials);
}
