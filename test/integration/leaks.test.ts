import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { repository } from "../support/paths.js";
import { startSandbox } from "../support/testSandbox.js";

const calls = 5_000;
const maxConcurrency = 16;

/** The open resources of the program at a point in time. */
interface OpenResources {
  /** The resources that keep the process alive, such as timers and sockets in use, sorted. */
  readonly active: readonly string[];
  /** Listeners on `process`, by event. */
  readonly listeners: Record<string, number>;
  /** Sockets to the sandbox that are not closed, idle ones included. */
  readonly sockets: number;
}

interface Report {
  readonly before: OpenResources;
  readonly after: OpenResources;
  /** After the sandbox has closed its end of all connections. */
  readonly afterClose: OpenResources;
  /** The numbers of calls by outcome: `ok`, or the code of an error. */
  readonly outcomes: Record<string, number>;
  /** Warnings and unhandled rejections. */
  readonly incidents: readonly string[];
}

/** Makes calls, 200 at the same time, and sends a report. */
const program = `
const { subscribe } = require("node:diagnostics_channel");
const { setTimeout: sleep } = require("node:timers/promises");
const { isDeepStrictEqual } = require("node:util");
const { getEnvironment, getProject, getProjects } = require("pulumi-project-service");

const sockets = new Set();
subscribe("net.client.socket", ({ socket }) => {
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
});
const incidents = [];
process.on("warning", ({ message }) => incidents.push(message));
process.on("unhandledRejection", ({ message }) => incidents.push(message));

const mix = [
  ...[1, 2, 3, 4].map((number) => () => getProject({ projectId: "p-" + number })),
  () => getEnvironment({ projectId: "p-2", environmentId: "live" }),
  () => getProjects(),
  () => getProject({ name: "shop", includeCredentials: false }),
  () => getEnvironment({ projectId: "p-2", environmentId: "none" }),
  () => getProject({ projectId: "p-404" }),
  () => getProject({ projectId: "p-12" }),
];

async function makeCalls(count) {
  const outcomes = {};
  let next = 0;
  const work = async () => {
    while (next < count) {
      const call = mix[next++ % mix.length];
      const outcome = await call().then(() => "ok", ({ code }) => code);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 200 }, work));
  return outcomes;
}

const openResources = () => ({
  active: process.getActiveResourcesInfo().sort(),
  listeners: Object.fromEntries(process.eventNames().map((event) => [String(event), process.listenerCount(event)])),
  sockets: sockets.size,
});

/** Waits up to ten seconds for connections that are just being closed. A leak stays. */
async function openResourcesLike({ active }, maxSockets) {
  for (let tries = 0; ; tries++) {
    const now = openResources();
    if (tries === 1_000 || (isDeepStrictEqual(now.active, active) && now.sockets <= maxSockets)) return now;
    await sleep(10);
  }
}

(async () => {
  // The first calls load modules and keep them. That is not a leak.
  await makeCalls(mix.length);
  const before = openResources();
  const outcomes = await makeCalls(${calls});
  const after = await openResourcesLike(before, Infinity);
  process.send("done"); // The test closes the sandbox.
  const afterClose = await openResourcesLike(before, 0);
  process.send({ before, after, afterClose, outcomes, incidents });
  // From here on, nothing may keep the process alive: it has to end by itself.
  process.disconnect();
})();
`;

describe(`${calls} calls in one process`, () => {
  let report: Report;
  let exitCode: number | null;

  before(async () => {
    const sandbox = await startSandbox();
    sandbox.forbiddenProjectIds.add("p-12");
    const child = spawn(process.execPath, ["-e", program], {
      cwd: repository,
      env: {
        ...process.env,
        ...sandbox.envVars,
        PROJECT_SERVICE_MAX_CONCURRENCY: String(maxConcurrency),
      },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    child.on("message", (message) => {
      if (message === "done") void sandbox.close();
      else report = message as Report;
    });
    [exitCode] = (await once(child, "exit")) as [number | null];
    await sandbox.close();
  });

  it("have the expected results and errors", () => {
    const each = calls / 10;
    assert.deepEqual(report.outcomes, { ok: 7 * each, NOT_FOUND: 2 * each, FORBIDDEN: each });
  });

  it("leave no timer, no socket in use and nothing else that keeps the process alive", () => {
    assert.deepEqual(report.after.active, report.before.active);
    assert.equal(exitCode, 0);
  });

  it("leave no more idle connections than allowed, and none after the service has stopped", () => {
    assert.ok(report.after.sockets <= maxConcurrency, `${report.after.sockets} left`);
    assert.equal(report.afterClose.sockets, 0);
    assert.deepEqual(report.afterClose.active, report.before.active);
  });

  it("leave no listener, no warning and no unhandled rejection", () => {
    assert.deepEqual(report.after.listeners, report.before.listeners);
    assert.deepEqual(report.incidents, []);
  });
});
