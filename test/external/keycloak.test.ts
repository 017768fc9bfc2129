import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { type Sandbox, startSandbox } from "../support/testSandbox.js";
import { getEnvironment, getProject, getProjects } from "../../sdk/index.js";
import { type Keycloak, startKeycloak } from "../../tools/external/keycloak.js";
import { SharedSignIn } from "../../provider/http/sharedSignIn.js";
import { createSignIn } from "../../provider/http/tokenEndpoint.js";
import { failureOf } from "../support/failure.js";
import { settingsOf } from "../support/settings.js";
import { KeycloakAdmin } from "./keycloakAdmin.js";
import {
  accessTokenLifetimeSeconds,
  clientSecret,
  passwordOf,
  realm,
  type Username,
} from "./keycloakRealm.js";
import { toolOrSkip } from "../support/toolOrSkip.js";

const version = "26.4.5";

interface Claims {
  readonly iss: string;
  readonly exp: number;
}

describe(`with Keycloak ${version}`, () => {
  let keycloak: Keycloak;
  let admin: KeycloakAdmin;
  /** A Project Service that accepts tokens of the realm. Each test has its own. */
  let sandbox: Sandbox;
  /** Valid tokens that the service rejects. */
  const rejected = new Set<string>();
  /** The last token that the service accepted. */
  let accepted: string;
  /** Length of the event log at the start of the test. */
  let logStart: number;
  /** All events except renewals that the tests so far expected. */
  const allExpected: string[] = [];

  before(async function () {
    this.timeout(10 * 60_000);
    const say = (step: string) => console.error(`    ${step}`);
    keycloak = await toolOrSkip(this, () => startKeycloak(version, say));
    admin = new KeycloakAdmin(keycloak);
    await admin.createRealm();
  });
  after(() => keycloak?.stop());

  beforeEach(async () => {
    sandbox = await startSandbox({
      realm: realm.realm,
      acceptsToken: (accessToken) => {
        if (rejected.has(accessToken) || !isValid(accessToken)) return false;
        accepted = accessToken;
        return true;
      },
    });
    logStart = (await admin.events()).length;
  });
  afterEach(async () => {
    const { passwordGrants } = sandbox.counters;
    assert.equal(passwordGrants, 0, "a sign-in reached the sandbox instead of Keycloak");
    await sandbox.close();
  });

  /**
   * Whether the realm has issued a token, and it has not expired: a token is valid until the end of the
   * second in `exp`, and Keycloak counts from the start of the second of issue.
   */
  function isValid(accessToken: string): boolean {
    const [, payload = ""] = accessToken.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Claims;
    const isExpired = Math.floor(Date.now() / 1000) > claims.exp;
    return claims.iss === `${keycloak.url}/auth/realms/${realm.realm}` && !isExpired;
  }

  function as(username: Username, changes: Record<string, string> = {}) {
    const { baseUrl, realm, clientId } = sandbox.connection;
    const password = passwordOf(username);
    const own = { baseUrl, authUrl: keycloak.url, realm, clientId, username, password };
    return { connection: { ...own, ...changes } };
  }

  /** Checks that the log has exactly these new events and renewals. Returns the number of renewals. */
  async function assertLogged(...expected: string[]): Promise<number> {
    allExpected.push(...expected);
    const events = (await admin.events()).slice(logStart);
    const others = events.filter(isNotRenewal);
    assert.deepEqual(others, expected);
    return events.length - others.length;
  }

  it("reads during three token lifetimes use the password once, get no 401, and renew the token", async () => {
    const opts = as("steady");
    await getProject({ projectId: "p-1" }, opts);
    const first = accepted;
    const reads = await readFor(3 * accessTokenLifetimeSeconds, () =>
      Promise.all([
        getProject({ projectId: "p-1" }, opts),
        getProject({ projectId: "p-2" }, opts),
        getEnvironment({ projectId: "p-3", environmentId: "live" }, opts),
      ]),
    );
    const { projectReads, refusedTokens } = sandbox.counters;
    assert.deepEqual([projectReads, refusedTokens], [reads + 1, 0]);
    assert.equal(isValid(first), false, "the first token must have expired");
    const renewals = await assertLogged("LOGIN pulumi steady");
    assert.ok(renewals >= 2, `${renewals} renewals`);
  });

  it("a new session replaces one that an administrator ended, before its token expires", async () => {
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

  it("a new session replaces one that an administrator ended, when the service rejects its token", async () => {
    // The token must not expire before the reads, however busy the machine is.
    const opts = as("cut-off", { clientId: "long-lived" });
    await getProjects({}, opts);
    await admin.endSessionsOf("cut-off");
    rejected.add(accepted);
    const ids = sandbox.projects.slice(0, 10).map(({ _id }) => _id);
    await Promise.all(ids.map((projectId) => getProject({ projectId }, opts)));
    assert.equal(sandbox.counters.refusedTokens, 10);
    await assertLogged(
      "LOGIN long-lived cut-off",
      "REFRESH_TOKEN_ERROR long-lived invalid_token",
      "LOGIN long-lived cut-off",
    );
  });

  it("a password with special characters, and a confidential client with its secret work", async () => {
    await getProjects({}, as("special"));
    await getProjects({}, as("reader", { clientId: "pulumi-confidential", clientSecret }));
    await assertLogged("LOGIN pulumi special", "LOGIN pulumi-confidential reader");
  });

  it("a wrong password causes two failed sign-ins for any number of calls, and does not lock the user", async () => {
    const wrong = as("mistaken", { password: "wrong" });
    const failures = await Promise.all(
      Array.from({ length: 100 }, () => failureOf(getProjects({}, wrong), "LOGIN_REJECTED")),
    );
    for (let call = 0; call < 10; call++) {
      failures.push(await failureOf(getProject({ name: "shop" }, wrong), "LOGIN_REJECTED"));
    }
    for (const { message } of failures) assert.match(message, /\(401, invalid_grant\)/);
    assert.deepEqual(await admin.bruteForceStatusOf("mistaken"), {
      numFailures: 2,
      disabled: false,
    });
    await getProjects({}, as("mistaken"));
    await assertLogged(
      "LOGIN_ERROR pulumi mistaken invalid_user_credentials",
      "LOGIN_ERROR pulumi mistaken invalid_user_credentials",
      "LOGIN pulumi mistaken",
    );
  });

  /** Wrong settings, what Keycloak responds, and its event. integration/messages.txt has what we say then. */
  const rejections: [changes: Record<string, string>, response: RegExp, ...events: string[]][] = [
    [
      { username: "disabled", password: passwordOf("disabled") },
      /\(400, invalid_grant\)/,
      "LOGIN_ERROR pulumi disabled user_disabled",
      "LOGIN_ERROR pulumi disabled user_disabled",
    ],
    [{ clientId: "nothing" }, /\(401, \w+_client\)/, "LOGIN_ERROR nothing client_not_found"],
    [{ clientId: "browser" }, /\(400, unauthorized_client\)/, "LOGIN_ERROR browser not_allowed"],
    [
      { clientId: "pulumi-confidential", clientSecret: "wrong" },
      /\(401, \w+_client\)/,
      "LOGIN_ERROR pulumi-confidential invalid_client_credentials",
    ],
    [{ realm: "elsewhere" }, /the realm does not exist \(404\)/],
    [{ scope: "nothing" }, /\(400, invalid_scope\)/, "LOGIN_ERROR pulumi invalid_request"],
  ];
  it("a disabled user, and a wrong client, client secret, realm or scope are rejected", async () => {
    for (const [changes, response] of rejections) {
      const { message } = await failureOf(getProjects({}, as("reader", changes)), "LOGIN_REJECTED");
      assert.match(message, response);
    }
    await assertLogged(...rejections.flatMap(([, , ...events]) => events));
  });

  it("the address of the realm is enough, without a realm", async () => {
    const { realm, ...others } = as("reader").connection;
    const authUrl = `${keycloak.url}/auth/realms/${realm}`;
    await getProjects({}, { connection: { ...others, authUrl } });
    await assertLogged("LOGIN pulumi reader");
  });

  it("no user was locked, and the event log contains no other sign-in", async () => {
    const events = (await admin.events()).filter(isNotRenewal);
    assert.deepEqual(events, allExpected);
    assert.doesNotMatch(events.join(), /DISABLED_BY/);
  });

  it("jobs that sign in together with one user succeed at the second time, and no failure counts", async () => {
    const { connection } = as("parallel");
    const jobs = Array.from(
      { length: 8 },
      () => new SharedSignIn(createSignIn(settingsOf(connection))),
    );
    const outcomes = await Promise.allSettled(jobs.map((job) => job.token(15_000)));
    const failed = outcomes.filter(({ status }) => status === "rejected").length;
    const { numFailures, disabled } = await admin.bruteForceStatusOf("parallel");
    assert.deepEqual([numFailures, disabled], [0, false]);
    const errors = (await admin.events()).filter((event) => /_ERROR pulumi parallel/.test(event));
    // A sign-in that fails was rejected twice. On a busy machine, others are rejected once before they succeed.
    assert.ok(errors.length > 2 * failed, `${failed} failed, ${errors.length} rejections`);
  });

  // The tests above would show the same if the library repeated a rejected password.
  it("two quick failures lock a user, who then gets the same response as for a wrong password", async () => {
    // "Quick" means within a second, which a busy machine may need several tries for.
    let tries = 0;
    while (!(await admin.bruteForceStatusOf("locked-out")).disabled) {
      const passwords = [`wrong ${++tries}`, `wrong too ${tries}`];
      await Promise.all(
        passwords.map((password) =>
          failureOf(getProjects({}, as("locked-out", { password })), "LOGIN_REJECTED"),
        ),
      );
    }
    assert.ok((await admin.events()).includes("USER_DISABLED_BY_TEMPORARY_LOCKOUT locked-out"));
    const { message } = await failureOf(getProjects({}, as("locked-out")), "LOGIN_REJECTED");
    assert.match(message, /\(401, invalid_grant\)/);
  });
});

function isNotRenewal(event: string): boolean {
  return !event.startsWith("REFRESH_TOKEN ");
}

/** Repeats `round` for some time. Returns the number of reads: one for each element of a result. */
async function readFor(seconds: number, round: () => Promise<object>): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let reads = 0;
  while (performance.now() < end) {
    const results = await round();
    reads += Array.isArray(results) ? results.length : 1;
    await sleep(250);
  }
  return reads;
}
