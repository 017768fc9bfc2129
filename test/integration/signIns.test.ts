import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { getProject, ProjectServiceError } from "../../sdk/index.js";
import { wireProject } from "../support/project.js";
import { type ScriptedServer, sendJson, startScriptedServer } from "../support/scriptedServer.js";

type Respond = (response: ServerResponse) => void;

const send =
  (status: number, body: string, type = "text/html"): Respond =>
  (response) =>
    void response.writeHead(status, { "content-type": type }).end(body);

const encoded =
  (encoding: string): Respond =>
  (response) =>
    void response.writeHead(401, { "content-encoding": encoding }).end("<p>no</p>");

const cutOff: Respond = (response) => {
  response.writeHead(401, { "content-length": "100" });
  response.write("<p>no", () => response.socket?.destroy());
};

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
      sendJson(response, 200, { ...wireProject(), _id: "p-1" });
    };
  });

  const newUser = () => `user-${++users}`;

  /** Reads a project. Returns the code of the error, or the id of the project. */
  async function read(username: string, others: object = {}): Promise<string> {
    const service = { baseUrl: server.url, authUrl: server.url, realm: "r", clientId: "c" };
    const connection = { ...service, username, password: "wrong", ...others };
    try {
      return (await getProject({ projectId: "p-1" }, { connection })).projectId;
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
    ["403 with a text", send(403, "no", "text/plain"), "LOGIN_RESPONSE_INVALID"],
    ["404 with a page", send(404, "<p>no</p>"), "LOGIN_RESPONSE_INVALID"],
    ["401 with a page of 70 kB", send(401, "x".repeat(70_000)), "LOGIN_RESPONSE_INVALID"],
    ["401 with an unknown encoding", encoded("br"), "LOGIN_RESPONSE_INVALID"],
    ["401 with a broken body", encoded("gzip"), "LOGIN_RESPONSE_INVALID"],
    ["401 with a body that is cut off", cutOff, "UNREACHABLE"],
    [
      "200 with an OAuth error beside an empty token",
      send(200, `{"access_token":null,"error":"invalid_grant"}`),
      "LOGIN_REJECTED",
    ],
    ["418 without a body", send(418, ""), "LOGIN_RESPONSE_INVALID"],
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

  it("is remembered for each of 100 users", async () => {
    respondToSignIn = invalidGrant;
    const usernames = Array.from({ length: 100 }, newUser);
    for (const username of [...usernames, ...usernames]) await read(username);
    assert.deepEqual(signIns(), usernames);
  });

  it("is remembered for each of 1,010 users, so for more than are remembered otherwise", async function () {
    this.timeout(60_000);
    respondToSignIn = invalidGrant;
    const usernames = Array.from({ length: 1_010 }, newUser);
    for (const username of usernames) await read(username);
    for (const timeoutSeconds of [5, 6]) await read(usernames.at(-1)!, { timeoutSeconds });
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
    ["408", send(408, "")],
    ["429", send(429, "")],
    ["500", send(500, "")],
    ["503", send(503, "")],
    ["a page with status 200", send(200, "<p>maintenance</p>")],
    ["a closed connection", (response: ServerResponse) => void response.socket?.destroy()],
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
