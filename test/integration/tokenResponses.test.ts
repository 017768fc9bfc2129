import assert from "node:assert/strict";
import { getProject, ProjectServiceError } from "../../sdk/index.js";
import { useClock } from "../support/clock.js";
import { LeakSearch } from "../support/leakSearch.js";
import {
  connectionTo,
  respondCorrectly,
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

const without = (value: undefined | null) =>
  Object.fromEntries(Object.keys({ ...tokens, scope: "" }).map((name) => [name, value]));

/** Changes of a token response with which a program still gets a token. A member that is undefined is left out. */
const accepted: readonly [what: string, changes: object][] = [
  ["is complete", {}],
  ["has nothing but an access token", { ...without(undefined), access_token: accessToken }],
  ["has null members", { ...without(null), access_token: accessToken, id_token: null }],
  ["has an empty refresh token and scope", { refresh_token: "", scope: "", id_token: "" }],
  ["has an id_token of another issuer", { id_token: idToken }],
  ["has its token_type in capitals", { token_type: "BEARER" }],
  ["has lifetimes as text", { expires_in: "900", refresh_expires_in: "900" }],
  ["has a refresh token that does not expire", { refresh_expires_in: 0 }],
  ["has a list as scope", { scope: ["openid"] }],
  ["has a refresh token with a unit in its lifetime", { refresh_expires_in: "1 h" }],
];

/** Other changes than those of the fault matrix, and whole responses. */
const refused: readonly [what: string, changes: object | string][] = [
  ["has no access token", { access_token: undefined }],
  ["has a line break in its access token", { access_token: `${accessToken}\r\nX: y` }],
  ["has a letter beyond ASCII in its access token", { access_token: `${accessToken}é` }],
  ["has another token_type", { token_type: "mac" }],
  ["has a lifetime of 0", { expires_in: 0 }],
  ["has true as lifetime", { expires_in: true }],
  ["has an endless lifetime", JSON.stringify(tokens).replace("900", "1e999")],
  ["has a number as refresh token", { refresh_token: 7 }],
  ["is a text", JSON.stringify(accessToken)],
];

/** Returns the text of a response. */
const textOf = (changes: object | string) =>
  typeof changes === "string" ? changes : JSON.stringify({ ...tokens, ...changes });

describe("a token response", () => {
  const clock = useClock();
  const search = new LeakSearch([accessToken, refreshToken, idToken, password]);

  /** Starts a service that responds to sign-ins with a text. */
  async function startService(body: string, status = 200) {
    const server = await startScriptedServer();
    const service = {
      body,
      /** Reads a project. Returns `success`, or the code of the error, which contains no token. */
      async read(): Promise<string> {
        const connection = connectionTo(server.url, { password });
        try {
          await getProject({ projectId: "p-1" }, { connection });
          return "success";
        } catch (error) {
          assert.ok(error instanceof ProjectServiceError, String(error));
          search.error(service.body, error);
          return error.code;
        }
      },
      lastAuthorization: () => server.requests.at(-1)?.headers.authorization,
    };
    server.respond = (request, response) =>
      request.url?.startsWith("/auth/") === true
        ? sendJson(response, status, service.body)
        : respondCorrectly(request, response);
    return service;
  }

  for (const [what, changes] of accepted) {
    it(`is accepted if it ${what}`, async () => {
      const service = await startService(textOf(changes));
      assert.equal(await service.read(), "success");
      assert.equal(service.lastAuthorization(), `Bearer ${accessToken}`);
    });
  }

  for (const [what, changes] of refused) {
    it(`is refused if it ${what}, at a sign-in and at a renewal, without a leak`, async () => {
      const service = await startService(textOf(changes));
      assert.equal(await service.read(), "LOGIN_RESPONSE_INVALID");
      service.body = textOf({});
      assert.equal(await service.read(), "success");
      service.body = textOf(changes);
      clock.pass(901_000);
      assert.equal(await service.read(), "LOGIN_RESPONSE_INVALID");
    });
  }

  it("is not in an error if its status is 400 or 401, with any shape", async () => {
    for (const status of [400, 401]) {
      for (const [, changes] of [...accepted, ...refused]) {
        const body = textOf(changes).replace("{", `{"error_description":"${refreshToken}",`);
        const service = await startService(body, status);
        assert.match(await service.read(), /^LOGIN_RE/);
      }
    }
  });
});
