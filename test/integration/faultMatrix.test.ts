import assert from "node:assert/strict";
import { sampleProjects, startSandbox } from "../../sandbox/index.js";
import { getProject, getProjects } from "../../sdk/index.js";
import { useClock, useFastClock } from "../support/clock.js";
import { credentialsIn, LeakSearch } from "../support/leakSearch.js";
import { assertOutcomes, type Outcome } from "./errorMessages.js";
import type { Target } from "./faults/fault.js";
import { bodyFaults } from "./faults/bodyFaults.js";
import { connectionFaults } from "./faults/connectionFaults.js";
import { authority, startFaultyService } from "./faults/faultyService.js";
import { statusFaults } from "./faults/statusFaults.js";

const canaries = {
  accessToken: "c4nary-access-t0ken-Zm9vYmFy",
  refreshToken: "c4nary-refresh-t0ken-YmFyZm9v",
  password: `c4nary-p4ss "w&rd+%\\ä-QUJDREVG`,
  clientSecret: "c4nary-client-s3cret-Wk1PUFFS",
  header: "c4nary-gateway-k3y-S1RVVldY",
};

const project = { ...sampleProjects()[0] };
const { _id, name, type, status, domain } = project;
const correctResponses: Record<Target, string> = {
  signIn: JSON.stringify({
    access_token: canaries.accessToken,
    refresh_token: canaries.refreshToken,
    expires_in: 900,
    refresh_expires_in: 900,
    token_type: "bearer",
  }),
  list: JSON.stringify({ _embedded: { projectResources: [{ _id, name, type, status, domain }] } }),
  read: JSON.stringify(project),
};

const titles = { signIn: "sign-in", list: "list", read: "single read" };
const cases = [...connectionFaults, ...bodyFaults, ...statusFaults].flatMap((fault) =>
  (Object.keys(titles) as Target[]).map((target) => ({
    name: `${titles[target]}, ${fault.name}`,
    fault,
    target,
  })),
);
type Case = (typeof cases)[number];

/** Makes a call in which one request meets a fault. */
async function call({ name, fault, target }: Case): Promise<Outcome> {
  const service = await startFaultyService(fault, target, correctResponses);
  const connection = {
    baseUrl: service.baseUrl,
    authUrl: service.authUrl,
    realm: "hosting",
    clientId: "pulumi",
    clientSecret: canaries.clientSecret,
    username: name, // of its own, because the reads of a user share their sign-ins
    password: canaries.password,
    headers: { "x-gateway-key": canaries.header },
    // Long enough to connect on a busy machine, and to read a large body.
    timeoutSeconds: fault.stalls ? 8 : 120,
    caCertificate: authority.cert,
  };
  const reading: Promise<unknown> =
    target === "list"
      ? getProjects({}, { connection })
      : getProject({ projectId: "p-1" }, { connection });
  const result = await reading.catch((error: unknown) => error);
  return { name, result, requests: service.requests() };
}

describe("the fault matrix", () => {
  const search = new LeakSearch([...Object.values(canaries), ...credentialsIn(sampleProjects())]);
  const outcomes = new Map<Case, Outcome>();

  /** The first call loads modules, which takes long on a busy machine. */
  before(async () => {
    const sandbox = await startSandbox();
    await getProject({ projectId: "p-1" }, { connection: sandbox.connection });
    await sandbox.close();
  });

  describe("of calls that only their timeout ends", () => {
    // Slower: their attempts must end before the time of all of them, also on a busy machine.
    useClock(5);
    const stalling = cases.filter(({ fault }) => fault.stalls);
    const calls = new Map<Case, Promise<Outcome>>();
    before(() => {
      for (const each of stalling) calls.set(each, call(each));
    });
    for (const each of stalling) test(each, () => calls.get(each)!);
  });

  describe("of other calls", () => {
    useFastClock();
    for (const each of cases.filter(({ fault }) => !fault.stalls)) test(each, () => call(each));
  });

  function test(each: Case, make: () => Promise<Outcome>): void {
    it(`${each.name}: leaks nothing`, async () => {
      const outcome = await make();
      outcomes.set(each, outcome);
      if (outcome.result instanceof Error) search.error(each.name, outcome.result);
      // The fault with the key `__proto__` would set it.
      assert.equal(({} as { polluted?: unknown }).polluted, undefined);
    });
  }

  describe("as a whole", () => {
    // A password is sent again only if it was certainly not checked. A list with 404 is not NOT_FOUND: it does not say
    // that a project is gone.
    it("has the requests, the errors and the messages of messages.txt", () => {
      assert.equal(outcomes.size, cases.length, "outcomes of the tests above: run the whole file");
      assertOutcomes(
        "Faults",
        cases.map((each) => outcomes.get(each)!),
      );
    });
  });
});
