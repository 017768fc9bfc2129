import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Sandbox, startSandbox } from "../../sandbox/index.js";
import { getEnvironment, getProject, getProjects } from "../../sdk/index.js";
import { type Keycloak, startKeycloak, whyNoKeycloak } from "../../tools/keycloak.js";
import { failureOf } from "../support/failure.js";
import { KeycloakAdmin } from "./keycloakAdmin.js";
import {
  accessTokenLifetimeSeconds,
  clientSecret,
  passwordOf,
  realm,
  type Username,
} from "./keycloakRealm.js";
import { tokenCheckOf } from "./realmTokens.js";
import { repository, useWorkbench } from "./workbench.js";

const newest = "26.4.5";

for (const version of ["24.0.5", newest]) {
  describe(`with Keycloak ${version}`, () => {
    let keycloak: Keycloak;
    let admin: KeycloakAdmin;
    /** A Project Service that takes the realm's tokens. Another for each test: so is the session. */
    let sandbox: Sandbox;
    let isGood: (accessToken: string) => Promise<boolean>;
    /** Tokens that the service refuses although they are good. */
    const refused = new Set<string>();
    /** The last token that the service took. */
    let taken: string;
    /** Length of the event log when the test began. */
    let logStart: number;
    /** All that the tests expected in the log, renewals aside. */
    const expectedInAll: string[] = [];

    before(async function () {
      this.timeout(10 * 60_000);
      const reason = await whyNoKeycloak();
      if (reason !== undefined) {
        if (process.env["CI"] !== undefined) throw new Error(reason);
        console.error(`    skipped: ${reason}`);
        this.skip();
      }
      keycloak = await startKeycloak(version, realm, (step) => console.error(`    ${step}`));
      admin = new KeycloakAdmin(keycloak);
      isGood = tokenCheckOf(keycloak);
    });
    after(() => keycloak?.stop());

    beforeEach(async () => {
      sandbox = await startSandbox({
        realm: realm.realm,
        acceptsToken: async (accessToken) => {
          if (refused.has(accessToken) || !(await isGood(accessToken))) return false;
          taken = accessToken;
          return true;
        },
      });
      logStart = (await admin.events()).length;
    });
    afterEach(() => sandbox?.close());

    function as(username: Username, changes: Record<string, string> = {}) {
      const { baseUrl, realm, clientId } = sandbox.connection;
      const password = passwordOf(username);
      const own = { baseUrl, authUrl: keycloak.url, realm, clientId, username, password };
      return { connection: { ...own, ...changes } };
    }

    /** Fails unless the event log grew by just these. Gives the number of renewals. */
    async function assertLogged(...expected: string[]): Promise<number> {
      expectedInAll.push(...expected);
      const events = (await admin.events()).slice(logStart);
      const others = events.filter(isNoRenewal);
      assert.deepEqual(others, expected);
      return events.length - others.length;
    }

    it("the functions sign in and read", async () => {
      const opts = as("reader");
      const shop = await getProject({ name: "shop" }, opts);
      const { projects } = await getProjects({}, opts);
      const environmentId = shop.environments[0]?.environmentId ?? "";
      const live = await getEnvironment({ name: "shop", environmentId }, opts);
      assert.equal(shop.projectId, "p-1");
      assert.equal(projects.length, 12);
      assert.equal(live.projectName, "shop");
      assert.equal(sandbox.counters.passwordGrants, 0, "signed in at the sandbox");
      await assertLogged("LOGIN pulumi reader");
    });

    it("the service takes a token of the realm, and none that was changed", async () => {
      await getProjects({}, as("reader"));
      const [header, payload = "", signature] = taken.split(".");
      const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
      const changed = Buffer.from(JSON.stringify({ ...claims, exp: 1e10 })).toString("base64url");
      assert.equal(await isGood([header, payload, signature].join(".")), true);
      assert.equal(await isGood([header, changed, signature].join(".")), false);
      await assertLogged("LOGIN pulumi reader");
    });

    it("100 concurrent calls sign in once", async () => {
      const ids = Array.from({ length: 100 }, (_, index) => `p-${(index % 12) + 1}`);
      const opts = as("crowd");
      const projects = await Promise.all(ids.map((projectId) => getProject({ projectId }, opts)));
      assert.deepEqual(
        projects.map(({ projectId }) => projectId),
        ids,
      );
      await assertLogged("LOGIN pulumi crowd");
    });

    it("reads over three token lifetimes take one password and no 401: the rest is renewal", async () => {
      const opts = as("steady");
      await getProject({ projectId: "p-1" }, opts);
      const first = taken;
      const reads = await readFor(3 * accessTokenLifetimeSeconds, () =>
        Promise.all([
          getProject({ projectId: "p-1" }, opts),
          getProject({ projectId: "p-2" }, opts),
          getEnvironment({ projectId: "p-3", environmentId: "live" }, opts),
        ]),
      );
      const { projectReads, refusedTokens } = sandbox.counters;
      assert.deepEqual(
        { projectReads, refusedTokens },
        { projectReads: reads + 1, refusedTokens: 0 },
      );
      assert.equal(await isGood(first), false, "the first token is good for ever");
      const renewals = await assertLogged("LOGIN pulumi steady");
      assert.ok(renewals >= 2, `${renewals} renewals`);
    });

    it("a session that an administrator ended is followed by another, before its token expires", async () => {
      const opts = as("logged-out");
      await getProjects({}, opts);
      await admin.endSessionsOf("logged-out");
      await readFor(accessTokenLifetimeSeconds + 1, () => getProjects({}, opts));
      assert.equal(sandbox.counters.refusedTokens, 0);
      await assertLogged(
        "LOGIN pulumi logged-out",
        "REFRESH_TOKEN_ERROR pulumi invalid_token",
        "LOGIN pulumi logged-out",
      );
    });

    it("a session that an administrator ended is followed by another when the service refuses its token", async () => {
      const opts = as("cut-off");
      await getProjects({}, opts);
      await admin.endSessionsOf("cut-off");
      refused.add(taken);
      const ids = sandbox.projects.slice(0, 10).map(({ _id }) => _id);
      await Promise.all(ids.map((projectId) => getProject({ projectId }, opts)));
      assert.equal(sandbox.counters.refusedTokens, 10);
      await assertLogged(
        "LOGIN pulumi cut-off",
        "REFRESH_TOKEN_ERROR pulumi invalid_token",
        "LOGIN pulumi cut-off",
      );
    });

    it("a password with every awkward character is taken", async () => {
      await getProjects({}, as("awkward"));
      await assertLogged("LOGIN pulumi awkward");
    });

    it("a confidential client signs in with its secret", async () => {
      await getProjects({}, as("reader", { clientId: "pulumi-confidential", clientSecret }));
      await assertLogged("LOGIN pulumi-confidential reader");
    });

    it("a wrong password is one failed login, however many calls use it, and locks nobody out", async () => {
      const wrong = as("mistaken", { password: "wrong" });
      const failures = await Promise.all(
        Array.from({ length: 20 }, () => failureOf(getProjects({}, wrong), "LOGIN_REJECTED")),
      );
      for (let call = 0; call < 10; call++) {
        failures.push(await failureOf(getProject({ name: "shop" }, wrong), "LOGIN_REJECTED"));
      }
      for (const { message } of failures) {
        assert.match(message, /the user or the password was rejected \(401\)\. Check username/);
      }
      assert.deepEqual(await admin.bruteForceStatusOf("mistaken"), {
        numFailures: 1,
        disabled: false,
      });
      await getProjects({}, as("mistaken"));
      await assertLogged(
        "LOGIN_ERROR pulumi mistaken invalid_user_credentials",
        "LOGIN pulumi mistaken",
      );
    });

    const rejections: [
      what: string,
      username: Username,
      changes: Record<string, string>,
      says: RegExp,
      event?: string,
    ][] = [
      [
        "a disabled user",
        "disabled",
        {},
        /the user is disabled \(400\)\. Have the user named in username enabled/,
        "LOGIN_ERROR pulumi disabled user_disabled",
      ],
      [
        "a user that does not exist",
        "reader",
        { username: "nobody" },
        /the user or the password was rejected \(401\)\. Check username/,
        "LOGIN_ERROR pulumi user_not_found",
      ],
      [
        "a client that does not exist",
        "reader",
        { clientId: "nothing" },
        /the client was rejected \(401\)\. Check clientId/,
        "LOGIN_ERROR nothing client_not_found",
      ],
      [
        "a client without direct access grants",
        "reader",
        { clientId: "browser" },
        /the client may not use the password grant \(400\)\. Have direct access grants allowed/,
        "LOGIN_ERROR browser not_allowed",
      ],
      [
        "a confidential client with a wrong secret",
        "reader",
        { clientId: "pulumi-confidential", clientSecret: "wrong" },
        /the client's secret was rejected \(401\)\. Check clientId and clientSecret/,
        "LOGIN_ERROR pulumi-confidential invalid_client_credentials",
      ],
      [
        "a confidential client without its secret",
        "reader",
        { clientId: "pulumi-confidential" },
        /the client's secret was rejected \(401\)\. Check clientId and clientSecret/,
        "LOGIN_ERROR pulumi-confidential invalid_client_credentials",
      ],
      [
        "a realm that does not exist",
        "reader",
        { realm: "elsewhere" },
        /there is no such realm \(404\)\. Check realm/,
      ],
      [
        "a scope that does not exist",
        "reader",
        { scope: "nothing" },
        /the scope was rejected \(400\)\. Check scope/,
        "LOGIN_ERROR pulumi invalid_request",
      ],
    ];
    for (const [what, username, changes, says, event] of rejections) {
      it(`${what} is rejected with a message of its own`, async () => {
        const { message } = await failureOf(
          getProjects({}, as(username, changes)),
          "LOGIN_REJECTED",
        );
        assert.match(message, says);
        await assertLogged(...(event === undefined ? [] : [event]));
      });
    }

    it("an address with no realms below it is not taken for a rejection", async () => {
      const { message } = await failureOf(
        getProjects({}, as("reader", { authUrl: `${keycloak.url}/nowhere` })),
        "LOGIN_RESPONSE_INVALID",
      );
      assert.match(message, /answered 404, without an OAuth error\. Check authUrl and realm/);
      await assertLogged();
    });

    if (version === newest) {
      it("`pulumi up` of the quickstart signs in once a run of the program", async function () {
        const workbench = await useWorkbench(this);
        const project = await workbench.project("quickstart-with-keycloak", {
          folder: join(repository, "examples/quickstart"),
        });
        await project.configure(sandbox, as("deployer").connection);
        const { outputs } = await project.stack.up(project.listen);
        assert.equal(outputs["name"]?.value, "shop");
        assert.equal(sandbox.counters.refusedTokens, 0);
        await assertLogged("LOGIN pulumi deployer");
      });
    }

    it("nobody was locked out, and the event log holds no other login than those", async () => {
      const events = (await admin.events()).filter(isNoRenewal);
      assert.deepEqual(events, expectedInAll);
      assert.deepEqual(
        events.filter((event) => event.includes("DISABLED_BY")),
        [],
      );
    });

    // What all the above would show if the library tried a rejected password again.
    it("two quick failures do lock a user out, who then gets the same answer as a wrong password", async () => {
      for (const password of ["wrong", "wrong too"]) {
        await failureOf(getProjects({}, as("locked-out", { password })), "LOGIN_REJECTED");
      }
      await until(async () => (await admin.bruteForceStatusOf("locked-out")).disabled);
      assert.ok((await admin.events()).includes("USER_DISABLED_BY_TEMPORARY_LOCKOUT locked-out"));
      const { message } = await failureOf(getProjects({}, as("locked-out")), "LOGIN_REJECTED");
      assert.match(message, /a user locked out after failed sign-ins gets the same answer/);
    });
  });
}

function isNoRenewal(event: string): boolean {
  return !event.startsWith("REFRESH_TOKEN ");
}

/** Reads in rounds for a time. Gives the number of reads if each round reads as often as it has parts. */
async function readFor(seconds: number, round: () => Promise<object>): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let reads = 0;
  while (performance.now() < end) {
    const results = await round();
    reads += Array.isArray(results) ? results.length : 1;
    await sleep(100);
  }
  return reads;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(100);
}
