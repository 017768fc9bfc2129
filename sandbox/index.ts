export { startSandbox } from "./startSandbox.js";
export type { Sandbox, SandboxCounters, SandboxFailure, SandboxOptions } from "./sandbox.js";
export { sampleProjects } from "./projects/sampleProjects.js";
export { sandboxProject, type SandboxProjectFields } from "./projects/sandboxProject.js";
export type { SandboxDatabase, SandboxEnvironment, SandboxProject } from "./projects/project.js";
