/*
 * A program of its own, which test/integration/leaks.test.ts runs. It calls the sandbox in the
 * environment variables many times. It reports the open resources before the calls, after them, and
 * after the sandbox was closed.
 */
import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { getEnvironment, getProject, getProjects } from "../../sdk/index.js";

/** The open resources at a point in time. */
export interface OpenResources {
  /** The resources that keep the process alive, such as timers and sockets in use, sorted. */
  readonly active: readonly string[];
  /** Listeners on `process`, by event. */
  readonly listeners: Record<string, number>;
  /** Sockets to the sandbox that are not closed, idle ones included. */
  readonly sockets: number;
}

export interface ManyCallsReport {
  readonly before: OpenResources;
  readonly after: OpenResources;
  /** After the sandbox has closed its end of all connections. */
  readonly afterClose: OpenResources;
  /** The numbers of calls by outcome: `ok`, or the code of an error. */
  readonly outcomes: Record<string, number>;
  /** Warnings and unhandled rejections. */
  readonly incidents: readonly string[];
}

const sockets = new Set<Socket>();
subscribe("net.client.socket", (message) => {
  const { socket } = message as { socket: Socket };
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
});

const incidents: string[] = [];
for (const event of ["warning", "unhandledRejection"]) {
  process.on(event, (error: Error) => incidents.push(`${event}: ${error.message}`));
}

/** Ten different calls, which are repeated in this order. */
const mix: (() => Promise<unknown>)[] = [
  ...[1, 2, 3, 4].map((number) => () => getProject({ projectId: `p-${number}` })),
  () => getEnvironment({ projectId: "p-2", environmentId: "live" }),
  () => getProjects(),
  () => getProject({ name: "shop", includeCredentials: false }),
  () => getEnvironment({ projectId: "p-2", environmentId: "none" }),
  () => getProject({ projectId: "p-404" }),
  () => getProject({ projectId: "p-12" }),
];

async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "ok";
  } catch (error) {
    return error instanceof ProjectServiceError ? error.code : `foreign: ${String(error)}`;
  }
}

/** Makes calls, 200 at the same time. */
async function makeCalls(count: number): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  let next = 0;
  async function work(): Promise<void> {
    while (next < count) {
      const call = mix[next++ % mix.length] as (typeof mix)[0];
      const outcome = await outcomeOf(call());
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
  }
  await Promise.all(Array.from({ length: 200 }, work));
  return outcomes;
}

function openResources(): OpenResources {
  return {
    active: process.getActiveResourcesInfo().sort(),
    listeners: Object.fromEntries(
      process.eventNames().map((event) => [String(event), process.listenerCount(event)]),
    ),
    sockets: sockets.size,
  };
}

/** Waits up to a second for connections that are just being closed. A leak stays. */
async function openResourcesLike(
  { active }: OpenResources,
  isWanted = (_now: OpenResources) => true,
): Promise<OpenResources> {
  for (let tries = 0; ; tries++) {
    const now = openResources();
    if (tries === 100 || (isDeepStrictEqual(now.active, active) && isWanted(now))) return now;
    await sleep(10);
  }
}

async function main(): Promise<void> {
  // The first calls load modules and keep them. That is not a leak.
  await makeCalls(mix.length);
  const before = openResources();
  const outcomes = await makeCalls(Number(process.env["MANY_CALLS"]));
  const after = await openResourcesLike(before);
  process.send?.("done"); // The parent closes the sandbox.
  const afterClose = await openResourcesLike(before, (now) => now.sockets === 0);
  const report: ManyCallsReport = { before, after, afterClose, outcomes, incidents };
  process.send?.(report);
  // From here on, nothing may keep the process alive: it has to end by itself.
  process.disconnect();
}

void main();
