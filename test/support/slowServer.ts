/*
 * A server in a worker thread. It holds back some responses until the main thread is busy, and tells the
 * main thread through shared memory when such a response is sent.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { wireProject } from "./project.js";

/** The indexes of the shared flags. A flag is 0, and later 1. The last one counts. */
export const flag = { isMainThreadBusy: 0, isResponseSent: 1, heldRequests: 2 } as const;

/** What the worker receives. */
export interface SlowServerData {
  readonly flags: Int32Array;
  /** The paths whose responses are held back. */
  readonly held: RegExp;
}

export function setFlag(flags: Int32Array, index: number): void {
  Atomics.store(flags, index, 1);
  Atomics.notify(flags, index);
}

/** Blocks the thread. */
export function waitForFlag(flags: Int32Array, index: number): void {
  Atomics.wait(flags, index, 0);
}

function responseTo(path: string): string {
  if (path.startsWith("/auth/")) return JSON.stringify({ access_token: "token" });
  return path.includes("/projects/") ? JSON.stringify(wireProject()) : "late";
}

if (parentPort !== null) {
  const port = parentPort;
  const { flags, held } = workerData as SlowServerData;
  const server = createServer(({ url: path = "" }, response) => {
    if (held.test(path)) {
      Atomics.add(flags, flag.heldRequests, 1);
      port.postMessage("request received");
      waitForFlag(flags, flag.isMainThreadBusy);
      response.on("finish", () => setFlag(flags, flag.isResponseSent));
    }
    response.end(responseTo(path));
  });
  server.listen(0, "127.0.0.1", () => port.postMessage((server.address() as AddressInfo).port));
}
