import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** What was asked of the server since the last time. */
export interface Counters {
  tokenRequests: number;
  connections: number;
  reads: number;
}

export interface ServerProcess {
  readonly url: string;
  /** What was asked since the last call. */
  takeCounters(): Promise<Counters>;
  stop(): void;
}

/** Starts a Project Service of so many projects of 3 environments, which waits before each answer. */
export async function startServer(projectCount: number, latencyMs = 0): Promise<ServerProcess> {
  const child = fork(join(__dirname, "server.js"), [String(projectCount), String(latencyMs)]);
  const [url] = (await once(child, "message")) as [string];
  return {
    url,
    async takeCounters() {
      child.send("take");
      const [counters] = (await once(child, "message")) as [Counters];
      return counters;
    },
    stop: () => child.disconnect(),
  };
}

/** Settings with which any contender reads the server. */
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
