import type { Sandbox, SandboxOptions } from "./publicTypes.js";
import { SandboxServer } from "./sandboxServer.js";

export type { SandboxLeak } from "./leaks.js";
export type { Sandbox, SandboxCounters, SandboxFailure, SandboxOptions } from "./publicTypes.js";
export { sandboxProject, type SandboxProjectFields } from "./sandboxProject.js";
export {
  sampleProjects,
  type SandboxDatabase,
  type SandboxEnvironment,
  type SandboxProject,
} from "./projects.js";

/**
 * Starts an embedded Project Service on 127.0.0.1: the token endpoint, the list and the read of one
 * project, with the status codes of the real service.
 *
 * It does not keep the process alive: a program or a test run ends when its own work is done, also
 * without `close()`. A request of the same process keeps the process alive until it has its response.
 *
 * @throws TypeError for projects without ids or names.
 *
 * @example
 * const sandbox = await startSandbox();
 * const shop = await getProject({ name: "shop" }, { connection: sandbox.connection });
 * await sandbox.close();
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const server = new SandboxServer(options);
  await server.listen(options.port);
  return server;
}
