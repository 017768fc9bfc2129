export { startSandbox } from "./startSandbox.js";
export type { Sandbox, SandboxCounters, SandboxFailure, SandboxOptions } from "./sandbox.js";
export { sampleProjects } from "./sampleProjects.js";
export { sandboxProject, type SandboxProjectFields } from "./sandboxProject.js";
export type { SandboxDatabase, SandboxEnvironment, SandboxProject } from "./project.js";
