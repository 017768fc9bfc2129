import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import * as state from "@pulumi/pulumi/runtime/state.js";
import { getProject, ProjectServiceError } from "../../sdk/index.js";
import { passTime } from "../support/passTime.js";
import { wireProject } from "../support/project.js";
import { type ScriptedServer, sendJson, startScriptedServer } from "../support/scriptedServer.js";

/** Pulumi's SDK calls an inline program with it: with a store of its own. The types of the SDK do not contain it. */
const { withLocalStorage: inInlineProgram } = state as unknown as {
  withLocalStorage: <T>(program: () => T) => T;
};

type Respond = (response: ServerResponse) => void;

const send =
  (status: number, body: string, type = "text/html"): Respond =>
  (response) =>
    void response.writeHead(status, { "content-type": type }).end(body);

const cutOff: Respond = (response) => {
  response.writeHead(401, { "content-length": "100" });
  response.write("<p>no", () => response.socket?.destroy());
};

const close: Respond = (response) => void response.socket?.destroy();

const invalidGrant = send(400, JSON.stringify({ error: "invalid_grant" }), "application/json");

describe("a rejected sign-in", () => {
  let server: ScriptedServer;
  let users = 0;
  let respondToSignIn: Respond;
  before(async () => {
    server = await startScriptedServer();
  });
  beforeEach(() => {
    server.requests.length = 0;
    server.respond = ({ url = "" }, response) => {
      if (url.startsWith("/auth/")) return respondToSignIn(response);
      sendJson(response, 200, { ...wireProject(), _id: url.split("/").at(-1) });
    };
  });

  const newUser = () => `user-${++users}`;

  /** Reads a project. Returns the code of the error, or the id of the project. */
  async function read(username: string, others: object = {}, projectId = "p-1"): Promise<string> {
    const service = { baseUrl: server.url, authUrl: server.url, realm: "r", clientId: "c" };
    const connection = { ...service, username, password: "wrong", ...others };
    try {
      return (await getProject({ projectId }, { connection })).projectId;
    } catch (error) {
      assert.ok(error instanceof ProjectServiceError, String(error));
      return error.code;
    }
  }

  /** The user names whose password was sent, in order. */
  const signIns = () =>
    server.requests
      .filter(({ path }) => path.startsWith("/auth/"))
      .map(({ body }) => new URLSearchParams(body).get("username"));

  for (const [what, respond, code] of [
    ["400 with an OAuth error", invalidGrant, "LOGIN_REJECTED"],
    ["401 with a page", send(401, "<p>no</p>"), "LOGIN_RESPONSE_INVALID"],
    ["401 with a body that is cut off", cutOff, "UNREACHABLE"],
    ["200 with an OAuth error", send(200, `{"error":"locked"}`), "LOGIN_REJECTED"],
  ] as const) {
    it(`is not repeated by ten reads in sequence: ${what}`, async () => {
      respondToSignIn = respond;
      const username = newUser();
      const codes: string[] = [];
      for (let n = 0; n < 10; n++) codes.push(await read(username));
      assert.deepEqual(new Set(codes), new Set([code]));
      assert.deepEqual(signIns(), [username]);
    });
  }

  it("is not repeated by 100 reads at once", async () => {
    respondToSignIn = invalidGrant;
    const username = newUser();
    const ids = Array.from({ length: 100 }, (_, index) => `p-${index}`);
    const codes = await Promise.all(ids.map((id) => read(username, {}, id)));
    assert.deepEqual(new Set(codes), new Set(["LOGIN_REJECTED"]));
    assert.deepEqual(signIns(), [username]);
  });

  it("is not repeated by calls with other settings of the same identity", async () => {
    respondToSignIn = invalidGrant;
    const username = newUser();
    const calls = [
      { timeoutSeconds: 5 },
      { timeoutSeconds: 6 },
      { maxConcurrency: 3 },
      { baseUrl: `${server.url}/other` },
    ];
    const codes = await Promise.all(calls.map((others) => read(username, others)));
    assert.deepEqual(new Set(codes), new Set(["LOGIN_REJECTED"]));
    assert.deepEqual(signIns(), [username]);
  });

  it("is remembered for 60 s, then 120 s and so on up to an hour, until a success", async () => {
    respondToSignIn = invalidGrant;
    const username = newUser();
    const attempts = async () => {
      await read(username);
      return signIns().length;
    };
    assert.equal(await attempts(), 1);
    for (const [index, seconds] of [60, 120, 240, 480, 960, 1_920, 3_600, 3_600].entries()) {
      passTime(seconds * 1_000 - 5_000);
      assert.equal(await attempts(), index + 1, `before ${seconds} s`);
      passTime(6_000);
      assert.equal(await attempts(), index + 2, `after ${seconds} s`);
    }

    respondToSignIn = (response) => sendJson(response, 200, { access_token: "t", expires_in: 1 });
    passTime(3_600_000);
    assert.equal(await read(username), "p-1");
    respondToSignIn = invalidGrant;
    server.requests.length = 0;
    passTime(2_000);
    assert.equal(await attempts(), 1);
    passTime(60_000);
    assert.equal(await attempts(), 2);
  });

  it("does not end the sign-in of a connection with more time", async () => {
    const responses: ServerResponse[] = [];
    respondToSignIn = (response) => void responses.push(response);
    const username = newUser();
    const short = read(username, { timeoutSeconds: 0.3 }, "p-1");
    const long = read(username, { timeoutSeconds: 30 }, "p-2");
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    for (const response of responses) sendJson(response, 200, { access_token: "t" });
    assert.equal(await long, "p-2");
    assert.equal(await short, "p-1");
    assert.equal(responses.length, 1);
  });

  it("is remembered for each of 20 users", async () => {
    respondToSignIn = invalidGrant;
    const usernames = Array.from({ length: 20 }, newUser);
    for (const username of [...usernames, ...usernames]) await read(username);
    assert.deepEqual(signIns(), usernames);
  });

  it("does not stop another identity: a password that was corrected", async () => {
    const username = newUser();
    respondToSignIn = invalidGrant;
    assert.equal(await read(username), "LOGIN_REJECTED");
    respondToSignIn = (response) => sendJson(response, 200, { access_token: "t" });
    assert.equal(await read(username, { password: "right" }), "p-1");
  });

  for (const [what, respond] of [
    ["429", send(429, "")],
    ["503", send(503, "")],
    ["a page with status 200", send(200, "<p>maintenance</p>")],
    ["a closed connection", close],
  ] as const) {
    it(`is not remembered if it says nothing about the password: ${what}`, async () => {
      const username = newUser();
      respondToSignIn = respond;
      assert.match(await read(username), /LOGIN_|UNREACHABLE/);
      respondToSignIn = (response) => sendJson(response, 200, { access_token: "t" });
      assert.equal(await read(username), "p-1");
    });
  }
});

describe("the tokens of an identity", () => {
  let server: ScriptedServer;
  let users = 0;
  let username: string;
  let issued: number;
  let respondToRefresh: Respond;
  let respondToPassword: Respond;
  before(async () => {
    server = await startScriptedServer();
  });
  beforeEach(() => {
    username = `user-${++users}`;
    issued = 0;
    respondToRefresh = respondToPassword = issue;
    server.requests.length = 0;
    server.respond = ({ url = "" }, response, body) => {
      if (!url.startsWith("/auth/")) {
        return sendJson(response, 200, { ...wireProject(), _id: url.split("/").at(-1) });
      }
      (body.includes("grant_type=password") ? respondToPassword : respondToRefresh)(response);
    };
  });

  const issueRefreshToken = (response: ServerResponse, refresh_token: string) =>
    sendJson(response, 200, {
      access_token: `access-${++issued}`,
      expires_in: 900,
      refresh_token,
      refresh_expires_in: 36_000,
    });
  const issue: Respond = (response) => issueRefreshToken(response, `refresh-${issued + 1}`);

  /** Reads 20 projects at once. Each must succeed, or fail with this code. */
  async function readAll(code?: string, ...others: object[]): Promise<void> {
    const service = { baseUrl: server.url, authUrl: server.url, realm: "r", clientId: "c" };
    const outcomes = Array.from({ length: 20 }, async (_, index) => {
      const connection = { ...service, username, password: "p", ...others[index % others.length] };
      try {
        await getProject({ projectId: `p-${index}` }, { connection });
        return undefined;
      } catch (error) {
        return error instanceof ProjectServiceError ? error.code : error;
      }
    });
    assert.deepEqual(new Set(await Promise.all(outcomes)), new Set([code]));
  }

  /** What was sent to the token endpoint, in order: "password", or a refresh token. */
  const grants = () =>
    server.requests
      .filter(({ path }) => path.startsWith("/auth/"))
      .map(({ body }) => new URLSearchParams(body).get("refresh_token") ?? "password");

  it("come from one sign-in, also for several connections and inline programs", async () => {
    const connections = [{ timeoutSeconds: 20 }, { baseUrl: `${server.url}/b` }];
    await Promise.all([
      readAll(undefined, {}, ...connections),
      inInlineProgram(() => readAll(undefined)),
      inInlineProgram(() => readAll(undefined, ...connections)),
    ]);
    assert.deepEqual(grants(), ["password"]);
  });

  it("are renewed with the refresh token near their end, once for all reads", async () => {
    await readAll();
    for (let round = 1; round <= 3; round++) {
      passTime(899_000);
      await readAll(undefined, {}, { timeoutSeconds: 20 });
    }
    assert.deepEqual(grants(), ["password", "refresh-1", "refresh-2", "refresh-3"]);
  });

  it("are renewed with the password if the refresh token has expired", async () => {
    await readAll();
    passTime(36_000_000);
    await readAll();
    assert.deepEqual(grants(), ["password", "password"]);
  });

  for (const [what, respond] of [
    ["got no response", () => {}],
    ["got 503", send(503, "")],
    ["got an invalid token", send(200, '{"access_token":7}', "application/json")],
    ["was rejected", invalidGrant],
  ] as const) {
    it(`are renewed with the password after a request with a refresh token ${what}`, async () => {
      const short = { timeoutSeconds: what === "got no response" ? 3 : 15 };
      await readAll(undefined, short);
      respondToRefresh = respond;
      passTime(899_000);
      await readAll(undefined, short);
      passTime(899_000);
      await readAll(undefined, short);
      assert.deepEqual(grants(), ["password", "refresh-1", "password", "refresh-2", "password"]);
    });

    it(`never come from a refresh token whose request ${what}, even if the password fails`, async () => {
      const short = { timeoutSeconds: what === "got no response" ? 3 : 15 };
      await readAll(undefined, short);
      respondToRefresh = respond;
      respondToPassword = send(500, "");
      passTime(899_000);
      await readAll("LOGIN_UNAVAILABLE", short);
      assert.deepEqual(grants().slice(0, 3), ["password", "refresh-1", "password"]);
      respondToPassword = issue;
      await readAll(undefined, short);
      assert.equal(grants().filter((grant) => grant === "refresh-1").length, 1);
    }).timeout(60_000);
  }

  it("never come from a refresh token that the server issues twice", async () => {
    respondToRefresh = respondToPassword = (response) => issueRefreshToken(response, "always");
    for (let round = 1; round <= 4; round++) {
      await readAll();
      passTime(899_000);
    }
    assert.deepEqual(grants(), ["password", "always", "password", "password"]);
  });
});
