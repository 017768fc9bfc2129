/*
 * A program of its own, which test/integration/leaks.test.ts runs. It calls the sandbox in the
 * environment variables many times. It reports the open resources before the calls, after them, and
 * after the sandbox was closed.
 */
import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { getEnvironment, getProject, getProjects } from "../../sdk/index.js";

/** The open resources at a point in time. */
export interface OpenResources {
  /** The resources that keep the process alive, by type: timers and sockets in use, for instance. */
  readonly active: Record<string, number>;
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
  /** The largest number of sockets that were open at the same time. */
  readonly mostSockets: number;
  /** The numbers of calls by outcome: `ok`, or the code of an error. */
  readonly outcomes: Record<string, number>;
  readonly warnings: readonly string[];
  readonly unhandledRejections: number;
}

const calls = Number(process.env["MANY_CALLS"]);
const concurrency = 200;
const wrongPasswords = 40;

const sockets = new Set<Socket>();
let mostSockets = 0;
let allClosed = () => {};
subscribe("net.client.socket", (message) => {
  const { socket } = message as { socket: Socket };
  sockets.add(socket);
  mostSockets = Math.max(mostSockets, sockets.size);
  socket.once("close", () => {
    sockets.delete(socket);
    if (sockets.size === 0) allClosed();
  });
});

const warnings: string[] = [];
let unhandledRejections = 0;
process.on("warning", (warning) => warnings.push(`${warning.name}: ${warning.message}`));
process.on("unhandledRejection", () => unhandledRejections++);

const variable = (name: string) => process.env[`PROJECT_SERVICE_${name}`];
const connection = {
  baseUrl: variable("BASE_URL"),
  authUrl: variable("AUTH_URL"),
  realm: variable("REALM"),
  clientId: variable("CLIENT_ID"),
  username: variable("USERNAME"),
};
const withWrongPassword = (number: number) => ({
  connection: { ...connection, password: `wrong-${Math.floor((number / calls) * wrongPasswords)}` },
});

/** Twenty different calls, which are repeated in this order. Each gets its number among all calls. */
const mix: ((number: number) => Promise<unknown>)[] = [
  ...Array<(number: number) => Promise<unknown>>(8).fill(async (number) => {
    const { environments } = await getProject({ projectId: `p-${(number % 11) + 1}` });
    return environments[0]?.databases[0]?.password;
  }),
  ...Array<() => Promise<unknown>>(4).fill(() =>
    getEnvironment({ projectId: "p-2", environmentId: "live" }),
  ),
  ...Array<() => Promise<unknown>>(3).fill(() => getProjects()),
  () => getProject({ name: "shop", includeCredentials: false }),
  () => getEnvironment({ projectId: "p-2", environmentId: "none" }),
  () => getProject({ projectId: "p-404" }),
  () => getProject({ projectId: "p-12" }),
  (number) => getProject({ projectId: "p-1" }, withWrongPassword(number)),
];

async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "ok";
  } catch (error) {
    return error instanceof ProjectServiceError
      ? error.code
      : `not a ProjectServiceError: ${String(error)}`;
  }
}

async function makeCalls(first: number, end: number): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  let next = first;
  async function work(): Promise<void> {
    while (next < end) {
      const number = next++;
      const outcome = await outcomeOf((mix[number % mix.length] as (typeof mix)[0])(number));
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work));
  return outcomes;
}

function openResources(): OpenResources {
  return {
    active: counted(process.getActiveResourcesInfo()),
    listeners: Object.fromEntries(
      process.eventNames().map((event) => [String(event), process.listenerCount(event)]),
    ),
    sockets: sockets.size,
  };
}

function counted(names: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names.sort()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Makes the parent close the sandbox, and waits until no connection to it is left. */
async function closeSandbox(): Promise<void> {
  const closed = new Promise<void>((resolve) => (allClosed = resolve));
  process.send?.("done");
  // Idle sockets and the channel do not keep a process alive. Without this, it would end here.
  process.channel?.ref();
  if (sockets.size > 0) await closed;
  process.channel?.unref();
  await turn();
}

/** Waits up to a second for connections that are just being closed. A leak stays. */
async function openResourcesLike({ active }: OpenResources): Promise<OpenResources> {
  await turn();
  let now = openResources();
  for (let tries = 0; tries < 100 && !isDeepStrictEqual(now.active, active); tries++) {
    await sleep(10);
    now = openResources();
  }
  return now;
}

async function main(): Promise<void> {
  // The first calls load modules and keep them. That is not a leak.
  await makeCalls(0, mix.length);
  await turn();
  const before = openResources();
  const outcomes = await makeCalls(0, calls);
  const after = await openResourcesLike(before);
  await closeSandbox();
  const report: ManyCallsReport = {
    before,
    after,
    afterClose: openResources(),
    mostSockets,
    outcomes,
    warnings,
    unhandledRejections,
  };
  process.send?.(report);
  // From here on, nothing may keep the process alive: it has to end by itself.
  process.disconnect();
}

void main();
