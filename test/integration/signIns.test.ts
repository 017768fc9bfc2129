import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import * as state from "@pulumi/pulumi/runtime/state.js";
import { getProject, ProjectServiceError } from "../../sdk/index.js";
import { failureOf } from "../support/failure.js";
import { passTime } from "../support/passTime.js";
import {
  connectionTo,
  respondCorrectly,
  type ScriptedServer,
  sendJson,
  startScriptedServer,
} from "../support/scriptedServer.js";

/** Pulumi's SDK calls an inline program with it: with a store of its own. The types of the SDK do not contain it. */
const { withLocalStorage: inInlineProgram } = state as unknown as {
  withLocalStorage: <T>(program: () => T) => T;
};

type Respond = (response: ServerResponse) => void;

const send =
  (status: number, body: unknown): Respond =>
  (response) =>
    sendJson(response, status, body);

const cutOff: Respond = (response) => {
  response.writeHead(401, { "content-length": "100" });
  response.write("<p>no", () => response.socket?.destroy());
};

const close: Respond = (response) => void response.socket?.destroy();

const invalidGrant = send(400, { error: "invalid_grant" });

const newTokens: Respond = (response) => sendJson(response, 200, { access_token: "t" });

describe("signing in", () => {
  let server: ScriptedServer;
  let users = 0;
  let username: string;
  let respondToPassword: Respond;
  let respondToRefresh: Respond;
  let beforeResponse: () => void;
  before(async () => {
    server = await startScriptedServer();
    server.respond = (request, response, body) => {
      if (request.url?.startsWith("/auth/") !== true) {
        beforeResponse();
        return respondCorrectly(request, response);
      }
      (body.includes("grant_type=password") ? respondToPassword : respondToRefresh)(response);
    };
  });
  beforeEach(() => {
    username = `user-${++users}`;
    beforeResponse = () => {};
    server.requests.length = 0;
  });

  /** Reads a project. Returns the code of the error, or the id of the project. */
  async function read(changes: object = {}, projectId = "p-1"): Promise<string> {
    const connection = connectionTo(server.url, { username, ...changes });
    try {
      return (await getProject({ projectId }, { connection })).projectId;
    } catch (error) {
      assert.ok(error instanceof ProjectServiceError, String(error));
      return error.code;
    }
  }

  /** Reads 20 projects at once, with each of the changes in turn. Each read must succeed, or fail with this code. */
  async function readAll(code?: string, ...changes: object[]): Promise<void> {
    const ids = Array.from({ length: 20 }, (_, index) => `p-${index}`);
    const results = ids.map((id, index) => read(changes[index % changes.length], id));
    assert.deepEqual(await Promise.all(results), code === undefined ? ids : ids.map(() => code));
  }

  /** What was sent to the token endpoint, in order: the user, or a refresh token. */
  const grants = () =>
    server.requests
      .filter(({ path }) => path.startsWith("/auth/"))
      .map(({ body }) => new URLSearchParams(body))
      .map((form) => form.get("refresh_token") ?? form.get("username"));

  describe("a rejected sign-in", () => {
    for (const [what, respond, code] of [
      ["400 with an OAuth error", invalidGrant, "LOGIN_REJECTED"],
      ["400 with an OAuth error of its own", send(400, { error: "weekend" }), "LOGIN_REJECTED"],
      ["403 with an OAuth error", send(403, { error: "not_allowed" }), "LOGIN_REJECTED"],
      ["401 with a page", send(401, "<p>no</p>"), "LOGIN_RESPONSE_INVALID"],
      ["401 with a body that is cut off", cutOff, "UNREACHABLE"],
      ["200 with an OAuth error", send(200, { error: "locked" }), "LOGIN_REJECTED"],
      ["200 with an error object", send(200, { error: { id: 7 } }), "LOGIN_REJECTED"],
    ] as const) {
      it(`is not repeated by later reads: ${what}`, async () => {
        respondToPassword = respond;
        for (let n = 0; n < 3; n++) assert.equal(await read(), code);
        assert.deepEqual(grants(), [username]);
      });
    }

    it("says that nothing was sent, and until when", async () => {
      respondToPassword = invalidGrant;
      const start = Date.now();
      await read();
      const opts = { connection: connectionTo(server.url, { username }) };
      const { message } = await failureOf(getProject({ projectId: "p-1" }, opts), "LOGIN_REJECTED");
      const [, end = ""] =
        /: nothing was sent, because .* possible from (\S+) on\. The reason: the user name or the password was rejected \(400, invalid_grant\)/.exec(
          message,
        ) ?? assert.fail(message);
      const lastsMs = Date.parse(end) - start;
      assert.ok(lastsMs >= 60_000 && lastsMs < 90_000, message);
      assert.deepEqual(grants(), [username]);
    });

    it("is not repeated by reads at the same time, with other settings of the same identity", async () => {
      respondToPassword = invalidGrant;
      await readAll(
        "LOGIN_REJECTED",
        { timeoutSeconds: 5 },
        { timeoutSeconds: 6 },
        { maxConcurrency: 3 },
        { baseUrl: `${server.url}/other` },
      );
      assert.deepEqual(grants(), [username]);
    });

    it("is remembered for 60 s, then 120 s and so on up to an hour, until a success", async () => {
      respondToPassword = invalidGrant;
      const attempts = async () => {
        await read();
        return grants().length;
      };
      assert.equal(await attempts(), 1);
      for (const [index, seconds] of [60, 120, 240, 480, 960, 1_920, 3_600, 3_600].entries()) {
        passTime(seconds * 1_000 - 5_000);
        assert.equal(await attempts(), index + 1, `before ${seconds} s`);
        passTime(6_000);
        assert.equal(await attempts(), index + 2, `after ${seconds} s`);
      }

      respondToPassword = send(200, { access_token: "t", expires_in: 1 });
      passTime(3_600_000);
      assert.equal(await read(), "p-1");
      respondToPassword = invalidGrant;
      server.requests.length = 0;
      passTime(2_000);
      assert.equal(await attempts(), 1);
      passTime(60_000);
      assert.equal(await attempts(), 2);
    });

    it("is remembered for each of 40 users", async () => {
      respondToPassword = invalidGrant;
      const usernames = Array.from({ length: 40 }, () => `user-${++users}`);
      for (const username of [...usernames, ...usernames]) await read({ username });
      assert.deepEqual(grants(), usernames);
    });

    it("does not stop another identity: a password that was corrected", async () => {
      respondToPassword = invalidGrant;
      assert.equal(await read(), "LOGIN_REJECTED");
      respondToPassword = newTokens;
      assert.equal(await read({ password: "right" }), "p-1");
    });
  });

  for (const [what, respond] of [
    ["429", send(429, "")],
    ["503", send(503, "")],
    ["a page with status 200", send(200, "<p>maintenance</p>")],
    ["a page with status 403", send(403, "<p>blocked</p>")],
    ["a page with status 404", send(404, "<p>default backend - 404</p>")],
    ["403 of a gateway", send(403, { error: "Forbidden" })],
    ["404 of a gateway", send(404, { error: "Not Found" })],
    ["a realm that does not exist yet", send(404, { error: "Realm does not exist" })],
    ["400 with temporarily_unavailable", send(400, { error: "temporarily_unavailable" })],
    ["408", send(408, { error: "invalid_grant" })],
    ["a closed connection", close],
  ] as const) {
    it(`is not remembered if it says nothing about the password: ${what}`, async () => {
      respondToPassword = respond;
      assert.match(await read(), /LOGIN_|UNREACHABLE/);
      respondToPassword = newTokens;
      assert.equal(await read(), "p-1");
    });
  }

  it("is not repeated within a second after a 429 without Retry-After", async () => {
    const times: number[] = [];
    respondToPassword = (response) => {
      times.push(performance.now());
      (times.length === 1 ? send(429, "") : newTokens)(response);
    };
    assert.equal(await read(), "p-1");
    assert.equal(times.length, 2);
    assert.ok((times[1] as number) - (times[0] as number) >= 1_000, String(times));
  });

  it("ends at its limit if other reads join it, and the next read signs in again", async () => {
    let requests = 0;
    respondToPassword = (response) => (++requests === 1 ? undefined : newTokens(response));
    const codes: string[] = [];
    const start = performance.now();
    for (let number = 0; !codes.some((code) => code.startsWith("p-")); number++) {
      assert.ok(performance.now() - start < 10_000, `no read succeeded: ${codes.join(" ")}`);
      const settings = { timeoutSeconds: 0.5, maxConcurrency: 256 };
      void read(settings, `p-${number}`).then((code) => codes.push(code));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.equal(codes[0], "TIMEOUT");
  });

  it("has the most time of the connections that wait when it starts", async () => {
    const responses: ServerResponse[] = [];
    respondToPassword = (response) => void responses.push(response);
    const short = read({ timeoutSeconds: 0.3 }, "p-1");
    const long = read({ timeoutSeconds: 30 }, "p-2");
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    for (const response of responses) newTokens(response);
    assert.equal(await long, "p-2");
    assert.equal(await short, "p-1");
    assert.equal(responses.length, 1);
  });

  describe("the tokens of an identity", () => {
    let issued: number;
    const issue = (response: ServerResponse, refreshToken = `refresh-${issued + 1}`) =>
      sendJson(response, 200, {
        access_token: `access-${++issued}`,
        expires_in: 900,
        refresh_token: refreshToken,
        refresh_expires_in: 36_000,
      });
    beforeEach(() => {
      issued = 0;
      respondToRefresh = respondToPassword = (response) => issue(response);
    });

    it("come from one sign-in, also for several connections and inline programs", async () => {
      const connections = [{ timeoutSeconds: 20 }, { baseUrl: `${server.url}/b` }];
      await Promise.all([
        readAll(undefined, {}, ...connections),
        inInlineProgram(() => readAll()),
        inInlineProgram(() => readAll(undefined, ...connections)),
      ]);
      assert.deepEqual(grants(), [username]);
    });

    it("are renewed with the refresh token near their end, once for all reads", async () => {
      await readAll();
      for (let round = 1; round <= 3; round++) {
        passTime(899_000);
        await readAll(undefined, {}, { timeoutSeconds: 20 });
      }
      assert.deepEqual(grants(), [username, "refresh-1", "refresh-2", "refresh-3"]);
    });

    it("are renewed when it is a read's turn, not earlier", async () => {
      beforeResponse = () => passTime(899_000);
      await Promise.all(["p-1", "p-2"].map((id) => read({ maxConcurrency: 1 }, id)));
      assert.deepEqual(grants(), [username, "refresh-1"]);
    });

    it("are renewed with the password if the refresh token has expired", async () => {
      await readAll();
      passTime(36_000_000);
      await readAll();
      assert.deepEqual(grants(), [username, username]);
    });

    for (const [what, respond] of [
      ["got no response", () => {}],
      ["got 503", send(503, "")],
      ["got an invalid token", send(200, { access_token: 7 })],
      ["was rejected", invalidGrant],
    ] as const) {
      it(`never come from a refresh token whose request ${what}, even if the password fails`, async () => {
        const limit = { timeoutSeconds: what === "got no response" ? 3 : 15 };
        await readAll(undefined, limit);
        respondToRefresh = respond;
        respondToPassword = send(500, "");
        passTime(899_000);
        await readAll("LOGIN_UNAVAILABLE", limit);
        assert.deepEqual(grants().slice(0, 3), [username, "refresh-1", username]);
        assert.equal(grants().filter((grant) => grant === "refresh-1").length, 1);

        respondToPassword = (response) => issue(response);
        server.requests.length = 0;
        await readAll(undefined, limit);
        passTime(899_000);
        await readAll(undefined, limit);
        assert.deepEqual(grants(), [username, "refresh-2", username]);
      }).timeout(60_000);
    }

    it("never come from a refresh token that the server issues twice", async () => {
      respondToRefresh = respondToPassword = (response) => issue(response, "always");
      for (let round = 1; round <= 4; round++) {
        await readAll();
        passTime(899_000);
      }
      assert.deepEqual(grants(), [username, "always", username, username]);
    });
  });
});
