import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** The number of requests and connections since the last call of `takeCounts`. */
export interface RequestCounts {
  tokenRequests: number;
  connections: number;
  reads: number;
}

export interface ServerProcess {
  readonly url: string;
  readonly projectCount: number;
  /** Returns the counts since the last call and resets them. */
  takeCounts(): Promise<RequestCounts>;
  stop(): void;
}

/**
 * Starts a Project Service in its own process.
 *
 * @param projectCount number of projects. Each has 3 environments.
 * @param latencyMs delay before each response.
 */
export async function startServer(projectCount: number, latencyMs = 0): Promise<ServerProcess> {
  const child = fork(join(__dirname, "server.js"), [String(projectCount), String(latencyMs)]);
  const [url] = (await once(child, "message")) as [string];
  return {
    url,
    projectCount,
    async takeCounts() {
      child.send("take");
      const [counts] = (await once(child, "message")) as [RequestCounts];
      return counts;
    },
    stop: () => child.disconnect(),
  };
}

/** Returns the settings with which all contenders read a server. */
export function connectionTo(url: string) {
  return {
    baseUrl: url,
    authUrl: url,
    realm: "bench",
    clientId: "bench",
    username: "bench",
    password: "bench",
  };
}
