import assert from "node:assert/strict";
import { inspect } from "node:util";
import type { ProjectServiceErrorCode } from "../../../provider/errors/projectServiceError.js";
import { createTokenEndpoint } from "../../../provider/auth/tokenEndpoint.js";
import { Retry } from "../../../provider/http/retry.js";
import { createTransport } from "../../../provider/http/transport.js";
import { failureOf, withoutRejection } from "../../support/failure.js";
import {
  type ScriptedServer,
  sendJson,
  startScriptedServer,
} from "../../support/scriptedServer.js";
import { settingsOf } from "../../support/settings.js";
import { defaultLimits } from "../../support/timeLimits.js";

const awkwardPassword = `p&=+% "'<>\\ä€😀\t`;

type Rejections = Record<string, [status: number, body: unknown, message: RegExp]>;

/** Responses to a sign-in, by the code of the error. */
const rejections: Partial<Record<ProjectServiceErrorCode, Rejections>> = {
  LOGIN_REJECTED: {
    "a wrong password": [
      401,
      { error: "invalid_grant", error_description: "Invalid user credentials" },
      /the user name or the password was rejected \(401\)\. Check username and password\. A user who is locked/,
    ],
    "a disabled user": [
      400,
      { error: "invalid_grant", error_description: "Account disabled" },
      /the user is disabled \(400\)\. .*username/,
    ],
    "an incomplete account": [
      400,
      { error: "invalid_grant", error_description: "Account is not fully set up" },
      /not fully set up \(400\)\. Sign in once in a browser .*username/,
    ],
    "a wrong client": [401, { error: "invalid_client" }, /Check clientId and clientSecret/],
    "a client without direct access grants": [
      400,
      { error: "unauthorized_client" },
      /may not use the password grant \(400\)\. Ask an administrator .* direct access grants .*clientId/,
    ],
    "a wrong client secret": [
      401,
      {
        error: "unauthorized_client",
        error_description: "Invalid client or Invalid client credentials",
      },
      /client's secret was rejected \(401\)\. Check clientId and clientSecret/,
    ],
    "a wrong realm": [404, { error: "Realm does not exist" }, /Check realm/],
    "a wrong scope": [400, { error: "invalid_scope" }, /Check scope/],
  },
  LOGIN_UNAVAILABLE: {
    "an overloaded server": [503, "busy", /responded with status 503/],
    "a rate limit in JSON": [429, { error: "too_many_requests" }, /responded with status 429/],
    "a rate limit": [429, {}, /responded with status 429/],
    "an OAuth error with a server error": [
      501,
      { error: "invalid_grant" },
      /responded with status 501/,
    ],
  },
  LOGIN_RESPONSE_INVALID: {
    "another server's JSON": [404, { status: 404, error: "Not Found" }, /authUrl.*\/auth/],
    "a firewall": [403, { error: "request realm blocked" }, /responded with status 403/],
    "a web page": [200, "<html>c4nary</html>", /not JSON.*authUrl.*\/auth/],
    "a web page with 404": [404, "<html>c4nary</html>", /authUrl.*\/auth/],
    "an OAuth error in a redirect": [302, { error: "invalid_grant" }, /redirect \(302\).*authUrl/],
    "an OAuth error with a success status": [
      205,
      { error: "invalid_grant" },
      /responded with status 205/,
    ],
    "a redirect": [302, "", /redirect \(302\).*authUrl/],
    "a token of another type": [200, { access_token: "c4nary", token_type: "mac" }, /token_type/],
    "a token with a line break": [200, { access_token: "c4nary\r\nx: y" }, /access_token/],
    "a response that is too large": [
      200,
      { access_token: "c4nary", x: "x".repeat(70_000) },
      /too large/,
    ],
    "a response without a token": [200, { id_token: "c4nary" }, /access_token is missing/],
  },
};

describe("the token endpoint", () => {
  let server: ScriptedServer;
  before(async () => {
    server = await startScriptedServer();
  });
  beforeEach(() => {
    server.requests.length = 0;
    server.respond = (_request, response) =>
      sendJson(response, 200, {
        access_token: "access",
        expires_in: 900,
        refresh_expires_in: 1800,
        refresh_token: "refresh",
        token_type: "bearer",
        "not-before-policy": 0,
        session_state: "s",
      });
  });

  function tokenEndpoint(changes: Record<string, unknown> = {}) {
    return createTokenEndpoint(
      settingsOf({
        baseUrl: server.url,
        authUrl: `${server.url}/idp`,
        realm: "hosting",
        clientId: "pulumi",
        username: "reader@example.com",
        password: awkwardPassword,
        ...changes,
      }),
      createTransport({ maxConnections: 1, caCertificates: [], headers: {} }),
      new Retry(defaultLimits, () => {}),
    );
  }

  const form = () => Object.fromEntries(new URLSearchParams(server.requests.at(-1)?.body));

  it("signs in with the documented password grant, also with awkward characters in the password", async () => {
    assert.deepEqual(await tokenEndpoint().signIn(), {
      accessToken: "access",
      lifetimeMs: 900_000,
      refreshToken: "refresh",
      refreshLifetimeMs: 1_800_000,
    });
    const [request] = server.requests;
    assert.equal(request?.method, "POST");
    assert.equal(request.path, "/idp/auth/realms/hosting/protocol/openid-connect/token");
    assert.match(request.headers["content-type"] ?? "", /^application\/x-www-form-urlencoded/);
    assert.deepEqual(form(), {
      grant_type: "password",
      client_id: "pulumi",
      username: "reader@example.com",
      password: awkwardPassword,
    });
    assert.equal(server.requests.length, 1);
  });

  it("sends the secret of a confidential client, and the scope", async () => {
    await tokenEndpoint({ clientSecret: "cs", scope: "projects" }).signIn();
    assert.equal(form()["client_secret"], "cs");
    assert.equal(form()["scope"], "projects");
  });

  it("refreshes with the documented refresh grant, without the password", async () => {
    await tokenEndpoint().refresh("old refresh+token", false);
    assert.deepEqual(form(), {
      grant_type: "refresh_token",
      client_id: "pulumi",
      refresh_token: "old refresh+token",
    });
  });

  it("uses a token without a lifetime for 60 s", async () => {
    server.respond = (_request, response) => sendJson(response, 200, { access_token: "a" });
    assert.deepEqual(await tokenEndpoint().signIn(), {
      accessToken: "a",
      lifetimeMs: 60_000,
      refreshToken: undefined,
      refreshLifetimeMs: undefined,
    });
  });

  it("accepts a lifetime of any length", async () => {
    for (const expires_in of [0.5, 1e15]) {
      server.respond = (_request, response) =>
        sendJson(response, 200, { access_token: "a", expires_in });
      assert.equal((await tokenEndpoint().signIn()).lifetimeMs, expires_in * 1_000);
    }
  });

  it("treats an empty refresh token as none", async () => {
    server.respond = (_request, response) =>
      sendJson(response, 200, { access_token: "a", refresh_token: "" });
    assert.equal((await tokenEndpoint().signIn()).refreshToken, undefined);
  });

  it("treats refresh_expires_in 0 as a refresh token that does not expire", async () => {
    server.respond = (_request, response) =>
      sendJson(response, 200, { access_token: "a", refresh_token: "r", refresh_expires_in: 0 });
    assert.equal((await tokenEndpoint().signIn()).refreshLifetimeMs, undefined);
  });

  for (const [code, cases] of Object.entries(rejections)) {
    for (const [what, [status, body, message]] of Object.entries(cases)) {
      it(`explains ${what}, and shows no part of the response or of the request`, async () => {
        server.respond = (_request, response) => {
          response.setHeader("www-authenticate", 'Bearer realm="hosting", error="c4nary"');
          sendJson(response, status, body);
        };
        const signIn = tokenEndpoint({ clientSecret: "c4nary" }).signIn();
        const error = await failureOf(withoutRejection(signIn), code as ProjectServiceErrorCode);
        assert.match(error.message, message);
        assert.equal(
          error.url,
          `${server.url}/idp/auth/realms/hosting/protocol/openid-connect/token`,
        );
        const shown = inspect(error, { depth: Infinity, showHidden: true });
        assert.ok(!shown.includes("c4nary") && !shown.includes(awkwardPassword.slice(0, 6)), shown);
        assert.equal(server.requests.length, status === 429 || status === 503 ? 3 : 1);
      });
    }
  }
});
