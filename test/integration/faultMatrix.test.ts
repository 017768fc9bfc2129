import assert from "node:assert/strict";
import { sampleProjects, startSandbox } from "../../sandbox/index.js";
import { getProject, getProjects, ProjectServiceError } from "../../sdk/index.js";
import { assertGolden, type ErrorCase } from "../support/goldenFile.js";
import { credentialsIn, LeakSearch } from "../support/leakSearch.js";
import type { Fault, Target } from "./faults/fault.js";
import { bodyFaults } from "./faults/bodyFaults.js";
import { connectionFaults } from "./faults/connectionFaults.js";
import { type FaultyServer, startFaultyServer } from "./faults/faultyServer.js";
import { listFaults } from "./faults/listFaults.js";
import { statusFaults } from "./faults/statusFaults.js";

const allFaults = [...connectionFaults, ...bodyFaults, ...listFaults, ...statusFaults];

const targets: Readonly<Record<Target, string>> = {
  token: "sign-in",
  list: "list",
  read: "single read",
};
const project = { ...sampleProjects()[0] };
const { _id, name, type, status, domain } = project;
const canaries = {
  accessToken: "c4nary-access-t0ken-Zm9vYmFy",
  refreshToken: "c4nary-refresh-t0ken-YmFyZm9v",
  password: `c4nary-p4ss "w&rd+%\\ä-QUJDREVG`,
  clientSecret: "c4nary-client-s3cret-Wk1PUFFS",
  header: "c4nary-gateway-k3y-S1RVVldY",
};
const responses: Record<Target, string> = {
  token: JSON.stringify({
    access_token: canaries.accessToken,
    refresh_token: canaries.refreshToken,
    expires_in: 900,
    refresh_expires_in: 900,
    token_type: "bearer",
  }),
  list: JSON.stringify({ _embedded: { projectResources: [{ _id, name, type, status, domain }] } }),
  read: JSON.stringify(project),
};

/** One fault that one kind of request meets, and what came of it. */
interface Case {
  readonly target: Target;
  readonly fault: Fault;
  /** Undefined until the call starts. */
  call?: Promise<{ readonly result: unknown; readonly requests: number }>;
}

const cases: readonly Case[] = allFaults.flatMap((fault) =>
  (Object.keys(targets) as Target[]).map((target): Case => ({ target, fault })),
);

describe("the fault matrix", () => {
  let server: FaultyServer;
  const search = new LeakSearch([...Object.values(canaries), ...credentialsIn(sampleProjects())]);

  // The cases spend most of their time waiting, so they run at the same time. The cases that wait for
  // a timeout start first. Their timeout is long enough to connect on a busy machine.
  before(async function () {
    this.timeout(60_000);
    server = await startFaultyServer();
    await loadModules();
    for (const each of cases) if (each.fault.stalls === true) each.call = run(each);
    startInTurn(cases.filter(({ call }) => call === undefined));
  });
  after(() => {
    console.log(
      `    ${allFaults.length} faults × ${Object.keys(targets).length} requests; errors searched in ${search.places} places`,
    );
  });

  /** Eight at the same time. */
  function startInTurn(waiting: readonly Case[]): void {
    const running: Promise<unknown>[] = [];
    for (const [index, each] of waiting.entries()) {
      each.call = (running[index - 8] ?? Promise.resolve()).then(() => run(each));
      running.push(each.call);
    }
  }

  /** The first call loads modules, which takes long on a busy machine. */
  async function loadModules(): Promise<void> {
    const sandbox = await startSandbox();
    await getProject({ projectId: "p-1" }, { connection: sandbox.connection });
    await sandbox.close();
  }

  async function run({ target, fault }: Case) {
    const { faultyUrl, correctUrl, added } = server.addCase(target, fault, responses);
    const connection = {
      baseUrl: target === "token" ? correctUrl : faultyUrl,
      authUrl: target === "token" ? faultyUrl : correctUrl,
      realm: "hosting",
      clientId: "pulumi",
      clientSecret: canaries.clientSecret,
      username: `${fault.name}, ${target}`,
      password: canaries.password,
      headers: { "x-gateway-key": canaries.header },
      timeoutSeconds: fault.stalls ? 5 : 60,
      caCertificate: server.caCertificate,
    };
    const call: Promise<unknown> =
      target === "list"
        ? getProjects({}, { connection })
        : getProject({ projectId: "p-1" }, { connection });
    const result = await call.catch((error: unknown) => error);
    return { result, requests: added.requests };
  }

  for (const each of cases) {
    const { fault, target } = each;
    const [requests, code] = fault.outcome[target].split(": ");
    const end = code === undefined ? "succeeds" : `fails with ${code}`;
    it(`${targets[target]}, ${fault.name}: ${end} after ${requests} requests`, async () => {
      const outcome = await each.call;
      const result = outcome?.result;
      if (code === undefined) assert.ok(!(result instanceof Error), String(result));
      else {
        assert.ok(result instanceof ProjectServiceError, String(result));
        assert.equal(result.code, code, result.message);
        search.error(fault.name, result);
      }
      assert.equal(outcome?.requests, Number(requests));
      assert.equal(({} as { polluted?: unknown }).polluted, undefined);
    }).timeout(120_000);
  }

  it("has the messages of faultMatrix.txt", async () => {
    const failed: ErrorCase[] = [];
    for (const { fault, target, call } of cases) {
      const error = (await call)?.result;
      if (error instanceof Error) failed.push({ name: `${targets[target]}, ${fault.name}`, error });
    }
    assertGolden("test/integration/faultMatrix.txt", failed);
  }).timeout(120_000);
});
