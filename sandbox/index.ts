export { startSandbox } from "./startSandbox.js";
export type { Sandbox, SandboxCounters, SandboxOptions } from "./sandbox.js";
export { sampleProjects } from "./sampleProjects.js";
export type { SandboxDatabase, SandboxEnvironment, SandboxProject } from "./project.js";
