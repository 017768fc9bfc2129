/*
 * A program of its own, which test/provider/leaks.test.ts runs: calls the sandbox that the
 * environment names many times, and reports what is open before, after and once the sandbox is gone.
 */
import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { ProjectServiceError } from "../../provider/errors.js";
import { getEnvironment, getProject, getProjects } from "../../sdk/index.js";

/** What is open at a moment. */
export interface Holdings {
  /** What keeps the process alive, by type: timers and sockets in use, for instance. */
  readonly active: Record<string, number>;
  /** Listeners on `process`, by event. */
  readonly listeners: Record<string, number>;
  /** Sockets to the sandbox that are not closed, idle ones included. */
  readonly sockets: number;
}

export interface ManyCallsReport {
  readonly before: Holdings;
  readonly after: Holdings;
  /** When the sandbox has closed its end of all connections. */
  readonly atLast: Holdings;
  readonly mostSockets: number;
  /** How the calls came out: `ok`, or an error's code. */
  readonly outcomes: Record<string, number>;
  readonly warnings: readonly string[];
  readonly unhandledRejections: number;
}

const calls = Number(process.env["MANY_CALLS"]);
const atATime = 200;
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

const wrongly = (number: number) => ({
  connection: { password: `wrong-${Math.floor((number / calls) * wrongPasswords)}` },
});

/** Of twenty calls in a row, which is which; a number says which call of all it is. */
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
  (number) => getProject({ projectId: "p-1" }, wrongly(number)),
];

async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "ok";
  } catch (error) {
    return error instanceof ProjectServiceError ? error.code : `not ours: ${String(error)}`;
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
  await Promise.all(Array.from({ length: atATime }, work));
  return outcomes;
}

function holdings(): Holdings {
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

/** Asks the parent to close the sandbox, and waits until no connection to it is left. */
async function leave(): Promise<void> {
  const closed = new Promise<void>((resolve) => (allClosed = resolve));
  process.send?.("done");
  // Neither idle sockets nor the channel keep a process alive: without this it would end here.
  process.channel?.ref();
  if (sockets.size > 0) await closed;
  process.channel?.unref();
  await turn();
}

async function main(): Promise<void> {
  // What is loaded at the first calls, once and for all, is no leak.
  await makeCalls(0, mix.length);
  await turn();
  const before = holdings();
  const outcomes = await makeCalls(0, calls);
  await turn();
  const after = holdings();
  await leave();
  const report: ManyCallsReport = {
    before,
    after,
    atLast: holdings(),
    mostSockets,
    outcomes,
    warnings,
    unhandledRejections,
  };
  process.send?.(report);
  // From here on nothing may keep the process: it has to end by itself.
  process.disconnect();
}

void main();
