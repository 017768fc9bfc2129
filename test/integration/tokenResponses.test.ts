import assert from "node:assert/strict";
import { getProject, ProjectServiceError } from "../../sdk/index.js";
import { LeakSearch } from "../support/leakSearch.js";
import { passTime } from "../support/passTime.js";
import {
  connectionTo,
  respondCorrectly,
  type ScriptedServer,
  sendJson,
  startScriptedServer,
} from "../support/scriptedServer.js";

const accessToken = "c4nary-access-t0ken-Zm9vYmFy";
const refreshToken = "c4nary-refresh-t0ken-YmFyZm9v";
const idToken = "c4nary-1d-t0ken-e30.e30.eHl6";
const password = "c4nary-p4ssw0rd-QUJDREVG";
const tokens = {
  access_token: accessToken,
  token_type: "bearer",
  expires_in: 900,
  refresh_token: refreshToken,
  refresh_expires_in: 36_000,
};

/** Changes of a token response with which a program still gets a token. A member that is undefined is left out. */
const accepted: readonly [what: string, changes: object][] = [
  ["is complete", {}],
  ["has nothing but an access token", { ...undefinedMembers(), access_token: accessToken }],
  ["has null members", { ...nullMembers(), access_token: accessToken, id_token: null }],
  ["has an empty refresh token and scope", { refresh_token: "", scope: "", id_token: "" }],
  ["has an id_token of another issuer", { id_token: idToken }],
  ["has its token_type in capitals", { token_type: "BEARER" }],
  ["has lifetimes as text", { expires_in: "900", refresh_expires_in: "900" }],
  ["has a refresh token that does not expire", { refresh_expires_in: 0 }],
  ["has an error beside the token", { error: "none" }],
  ["has a list as scope", { scope: ["openid"] }],
];

const refused: readonly [what: string, changes: object | string][] = [
  ["has no access token", { access_token: undefined }],
  ["has null as access token", { access_token: null }],
  ["has an empty access token", { access_token: "" }],
  ["has a number as access token", { access_token: 7 }],
  ["has a line break in its access token", { access_token: `${accessToken}\r\nX: y` }],
  ["has a letter beyond ASCII in its access token", { access_token: `${accessToken}é` }],
  ["has another token_type", { token_type: "mac" }],
  ["has a number as token_type", { token_type: 7 }],
  ["has a lifetime of 0", { expires_in: 0 }],
  ["has a negative lifetime", { expires_in: -1 }],
  ["has a lifetime with a unit", { expires_in: "300 s" }],
  ["has true as lifetime", { expires_in: true }],
  ["has an endless lifetime", JSON.stringify(tokens).replace("900", "1e999")],
  ["has a number as refresh token", { refresh_token: 7 }],
  ["has a refresh token with a negative lifetime", { refresh_expires_in: -1 }],
  ["has a refresh token with a unit in its lifetime", { refresh_expires_in: "1 h" }],
  ["is a list", JSON.stringify([tokens])],
  ["is a text", JSON.stringify(accessToken)],
  [
    "is deeply nested",
    JSON.stringify(tokens).replace("900", "[".repeat(9_000) + "]".repeat(9_000)),
  ],
  ["is cut off", JSON.stringify(tokens).slice(0, -1)],
];

function undefinedMembers(): object {
  return Object.fromEntries(Object.keys(tokens).map((name) => [name, undefined]));
}

function nullMembers(): object {
  return { ...Object.fromEntries(Object.keys(tokens).map((name) => [name, null])), scope: null };
}

describe("a token response", () => {
  const search = new LeakSearch([accessToken, refreshToken, idToken, password]);
  let server: ScriptedServer;
  let users = 0;
  let username: string;
  let body: string;
  let status: number;
  before(async () => {
    server = await startScriptedServer();
    server.respond = (request, response) =>
      request.url?.startsWith("/auth/") === true
        ? sendJson(response, status, body)
        : respondCorrectly(request, response);
  });
  beforeEach(() => {
    username = `user-${++users}`;
    server.requests.length = 0;
    status = 200;
  });

  /** Reads a project. Returns its id, or the code of the error, which contains no token. */
  async function read(): Promise<string> {
    const connection = connectionTo(server.url, { username, password });
    try {
      return (await getProject({ projectId: "p-1" }, { connection })).projectId;
    } catch (error) {
      assert.ok(error instanceof ProjectServiceError, String(error));
      search.error(body, error);
      return error.code;
    }
  }

  const textOf = (changes: object | string) =>
    typeof changes === "string" ? changes : JSON.stringify({ ...tokens, ...changes });

  for (const [what, changes] of accepted) {
    it(`is accepted if it ${what}`, async () => {
      body = textOf(changes);
      assert.equal(await read(), "p-1");
      const authorization = server.requests.at(-1)?.headers.authorization;
      assert.equal(authorization, `Bearer ${accessToken}`);
    });
  }

  for (const [what, changes] of refused) {
    it(`is refused if it ${what}, at a sign-in and at a renewal, without a leak`, async () => {
      body = textOf(changes);
      assert.equal(await read(), "LOGIN_RESPONSE_INVALID");
      body = textOf({});
      assert.equal(await read(), "p-1");
      body = textOf(changes);
      passTime(899_000);
      assert.equal(await read(), "LOGIN_RESPONSE_INVALID");
    });
  }

  it("is not in an error if its status is 400 or 401, with any shape", async () => {
    for (const [, changes] of [...accepted, ...refused]) {
      body = textOf(changes).replace("{", `{"error_description":"${refreshToken}",`);
      for (status of [400, 401]) {
        username = `user-${++users}`;
        assert.match(await read(), /^LOGIN_RE/);
      }
    }
  });

  it("is read and checked by openid-client", async () => {
    const prototype = Response.prototype as { json: () => Promise<unknown> };
    const { json } = prototype; // only openid-client calls it
    const seen: unknown[] = [];
    prototype.json = async function (this: Response) {
      const value = await json.call(this);
      seen.push([this.status, value]);
      return value;
    };
    try {
      body = textOf({ session_state: "s", id_token: idToken });
      assert.equal(await read(), "p-1");
      passTime(899_000);
      [status, body] = [401, JSON.stringify({ error: "invalid_grant", error_description: "no" })];
      assert.equal(await read(), "LOGIN_REJECTED");
    } finally {
      prototype.json = json;
    }
    const error = [401, { token_type: "bearer", ...(JSON.parse(body) as object) }];
    assert.deepEqual(seen, [[200, { ...tokens, session_state: "s" }], error, error]);
  });
});
