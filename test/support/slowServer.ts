/*
 * A server in a worker thread. It holds back its response until the main thread is busy, and tells the
 * main thread through shared memory when the response is sent.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

/** The indexes of the shared flags. A flag is 0, and later 1. */
export const flag = { isMainThreadBusy: 0, isResponseSent: 1 } as const;

export function setFlag(flags: Int32Array, index: number): void {
  Atomics.store(flags, index, 1);
  Atomics.notify(flags, index);
}

/** Blocks the thread. */
export function waitForFlag(flags: Int32Array, index: number): void {
  Atomics.wait(flags, index, 0);
}

if (parentPort !== null) {
  const port = parentPort;
  const flags = workerData as Int32Array;
  const server = createServer((_request, response) => {
    port.postMessage("request received");
    waitForFlag(flags, flag.isMainThreadBusy);
    response.on("finish", () => setFlag(flags, flag.isResponseSent));
    response.end("late");
  });
  server.listen(0, "127.0.0.1", () => port.postMessage((server.address() as AddressInfo).port));
}
