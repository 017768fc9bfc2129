export { startSandbox } from "./startSandbox.js";
export type { Sandbox, SandboxCounters, SandboxOptions } from "./startSandbox.js";
export { sampleProjects } from "./sampleProjects.js";
export type { SandboxDatabase, SandboxEnvironment, SandboxProject } from "./project.js";
