import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { Server } from "node:net";
import { join } from "node:path";
import { runInThisContext } from "node:vm";
import * as pulumi from "@pulumi/pulumi";
import { type Sandbox, startSandbox } from "../support/testSandbox.js";
import * as sdk from "../../sdk/index.js";
import { closedPort } from "../support/closedPort.js";
import { assertGolden, type ErrorCase } from "../support/goldenFile.js";
import { listen } from "../support/listen.js";
import { passTime } from "../support/passTime.js";
import { repository } from "../support/paths.js";
import { wireProject } from "../support/project.js";
import { type ScriptedServer, sendJson, startScriptedServer } from "../support/scriptedServer.js";
import { settled } from "../support/settled.js";

const file = "test/integration/messages.txt";

/** The headings of the file. Most of them say what causes the error, so a heading is a new case. */
const headings = [...readFileSync(join(repository, file), "utf8").matchAll(/^# (.*)$/gm)].map(
  ([, heading = ""]) => heading,
);

/** Returns the headings that match, with their groups. In these, "…" stands for a secret. */
function matching(pattern: RegExp): [heading: string, ...groups: string[]][] {
  return headings.flatMap((heading) => {
    const [, ...groups] = pattern.exec(heading.replaceAll("…", "c4nary")) ?? [];
    return groups.length === 0 ? [] : [[heading, ...groups] as [string, ...string[]]];
  });
}

/*
 * The messages of errors that are no faults of the fault matrix, which has a golden file of its own. An
 * error may not contain "c4nary".
 */
describe("messages of errors", () => {
  const errors = new Map<string, unknown>();
  let server: ScriptedServer;
  let sandbox: Sandbox;
  let users = 0;
  before(async () => {
    server = await startScriptedServer();
    sandbox = await startSandbox();
  });
  after(() => sandbox.close());
  afterEach(() => {
    pulumi.runtime.setAllConfig({});
    for (const name of ["HTTPS_PROXY", "PROJECT_SERVICE_BASE_URL", "PROJECT_SERVICE_PASSWORD"]) {
      delete process.env[name];
    }
  });

  async function add(name: string, action: () => unknown): Promise<void> {
    const error: unknown = await Promise.resolve()
      .then(action)
      .then(
        () => assert.fail(`${name}: it succeeded`),
        (thrown: unknown) => thrown,
      );
    assert.doesNotMatch(JSON.stringify(error) + String(error), /c4nary/, name);
    errors.set(name, error);
  }

  const connectionTo = (baseUrl: string, authUrl: string, others: object = {}) => ({
    baseUrl,
    authUrl,
    realm: "hosting",
    clientId: "pulumi",
    username: `user-${++users}`,
    password: "c4nary-password",
    ...others,
  });
  const read = (connection: object) => sdk.getProject({ projectId: "p-1" }, { connection });
  const readFromServer = () => read(connectionTo(server.url, server.url));
  const readAsConfigured = () => sdk.getProject({ projectId: "p-1" });

  function setConfig(settings: object): void {
    const entries = Object.entries(settings) as [string, string][];
    pulumi.runtime.setAllConfig(
      Object.fromEntries(entries.map(([key, value]) => [`project-service:${key}`, value])),
    );
  }

  /** Returns a connection that has a token, so that a short timeout ends nothing but its reads. */
  async function signedIn(): Promise<ReturnType<typeof connectionTo>> {
    const connection = connectionTo(server.url, server.url);
    respondToReads((response) => sendJson(response, 200, wireProject()));
    await read(connection);
    return connection;
  }

  /** Makes the server respond to requests to the project API. Sign-ins succeed. */
  function respondToReads(respond: (response: ServerResponse, path: string) => void): void {
    server.respond = ({ url = "" }, response) =>
      url.startsWith("/auth/")
        ? sendJson(response, 200, { access_token: "c4nary-token", expires_in: 3_600 })
        : respond(response, url);
  }

  it("of sign-ins", async () => {
    for (const [heading, status, body] of matching(/^sign-in, (\d+) (.*)$/)) {
      server.respond = (_request, response) => sendJson(response, Number(status), body);
      await add(heading, readFromServer);
    }
  });

  it("of statuses", async () => {
    for (const [heading, status] of matching(/^single read, status (\d+)$/)) {
      respondToReads((response) => void response.writeHead(Number(status)).end());
      await add(heading, readFromServer);
    }
  });

  it("of limits of time", async () => {
    // The first response comes late: the limit of all attempts, or of the list, has nearly passed.
    let requests = 0;
    respondToReads((response) => {
      if (++requests > 1) return; // no response
      passTime(58_000);
      response.writeHead(503, { "retry-after": "0" }).end();
    });
    await add("single read, the limit of all attempts", readFromServer);
    requests = 0;
    respondToReads((response, path) => {
      if (++requests > 1) return;
      passTime(298_000);
      sendJson(response, 200, {
        _embedded: { projectResources: [wireProject()] },
        _links: { next: { href: `${path}?page=1` } },
      });
    });
    const connection = connectionTo(server.url, server.url);
    await add("list, the limit of a list", () => sdk.getProjects({}, { connection }));
    const short = await signedIn();
    respondToReads(() => {});
    await add("single read, the limit of an attempt", () =>
      read({ ...short, timeoutSeconds: 0.2 }),
    );
  });

  it("of servers and proxies that cannot be reached", async () => {
    const start = async (server: Server) => `http://127.0.0.1:${await listen(server)}`;
    const proxy = (status: string) =>
      start(createServer().on("connect", (_, socket) => socket.end(`HTTP/1.1 ${status}\r\n\r\n`)));
    const closes = createServer().on("connect", (_, socket) => socket.destroy());
    const silent = createServer().on("connect", () => {});
    const remote = "https://projects.example.com";
    for (const [name, address] of [
      ["that requires a password", await proxy("407 Authenticate")],
      ["that cannot connect", await proxy("502 Bad Gateway")],
      ["that does not listen", await closedPort()],
      ["that closes the connection", await start(closes)],
      ["that is silent", await start(silent)],
      ["that does not speak TLS", (await start(createServer())).replace("http", "https")],
    ] as const) {
      const others = name.endsWith("silent") ? { timeoutSeconds: 0.3 } : {};
      const reader = await signedIn();
      process.env["HTTPS_PROXY"] = address.replace("://", "://clerk:c4nary-password@");
      await add(`sign-in, a proxy ${name}`, () => read(connectionTo(server.url, remote, others)));
      await add(`single read, a proxy ${name}`, () =>
        read({ ...reader, baseUrl: remote, ...others }),
      );
    }
    for (const [name, address] of [
      ["of another kind", "socks5://clerk:c4nary@127.0.0.1:1"],
      ["with a bare /", "http://clerk:c4nary/c4nary@127.0.0.1:1"],
      ["with a bare %", "http://clerk:c4nary%zz@127.0.0.1:1"],
    ] as const) {
      process.env["HTTPS_PROXY"] = address;
      await add(`a proxy ${name}`, () => read(connectionTo(remote, server.url)));
    }
    delete process.env["HTTPS_PROXY"];
    const insecure = server.url.replace("http:", "https:");
    await add("sign-in, a server that does not speak TLS", () =>
      read(connectionTo(server.url, insecure)),
    );
    await add("single read, a server that does not speak TLS", () =>
      read(connectionTo(insecure, server.url)),
    );
  });

  it("of reads that are not sent in an outage", async () => {
    respondToReads((response) => void response.writeHead(501).end());
    const connection = connectionTo(server.url, server.url, { maxConcurrency: 1 });
    const calls = Array.from({ length: 60 }, (_, index) =>
      sdk.getProject({ projectId: `p-${index}` }, { connection }),
    );
    await Promise.allSettled(calls);
    await add("single read, not sent after many failures", () => calls.at(-1));
  });

  it("of calls: projects that cannot be read, and wrong arguments, which send no request", async () => {
    sandbox.projects.push({ ...wireProject(), _id: "p-99", name: "blog" });
    sandbox.projects.push({ ...wireProject(), _id: "p-98", name: "empty" });
    Object.assign(sandbox.projects.at(-1)!, { projectEnvironments: [] });
    const [live] = sandbox.projects[1]!.projectEnvironments;
    live!.projectEnvironmentDatabases.databases = [];
    sandbox.forbiddenProjectIds.add("p-12").add("p-11");
    const database = { name: "n", username: "u", password: "c4nary" };
    const scope = { ...sdk, pulumi, database };
    const connection = { ...sandbox.connection, maxConcurrency: 1 };
    for (const [call] of matching(
      /^((?:get\w+|databaseUrl|\w*[pP]ipelineOutputs|new \w+|`\$)\W.*)$/,
    )) {
      // A read without options uses the sandbox.
      const text = /^get\w+\(\{.*\}\)$/.test(call) ? call.replace(/\)$/, ", opts)") : call;
      const run = runInThisContext(`({ ${Object.keys(scope).join(", ")}, opts }) => (${text})`) as (
        scope: object,
      ) => unknown;
      const before = { ...sandbox.counters };
      await add(call, () => {
        const result = run({ ...scope, opts: { connection } });
        return pulumi.Output.isInstance(result) ? settled(result) : result;
      });
      const isWrong = headings.indexOf(call) >= headings.indexOf("getProject()");
      if (isWrong) assert.deepEqual({ ...sandbox.counters }, before, call);
    }
    sandbox.projects = [];
    await add("no projects", () => sdk.getProject({ name: "shop" }, { connection }));
    sandbox.failNext({ status: 404, path: /projects$/ });
    await add("no list at the address", () => sdk.getProjects({}, { connection }));
  });

  it("of wrong settings", async () => {
    const complete = connectionTo("https://api.example.com", "https://login.example.com");
    for (const [heading, text] of matching(/^settings (\{.*\})$/)) {
      const settings = JSON.parse(text as string) as Record<string, unknown>;
      // In a heading, null stands for undefined.
      const changes = Object.entries(settings).map(([key, value]) => [key, value ?? undefined]);
      await add(heading, () => read({ ...complete, ...(Object.fromEntries(changes) as object) }));
    }
    for (const [heading, key] of matching(/^settings without (\w+)$/)) {
      const { [key as string]: _, ...rest } = complete as Record<string, unknown>;
      await add(heading, () => read(rest));
    }
    await add("no settings", readAsConfigured);
    await add("a namespace without settings", () =>
      sdk.getProject({ projectId: "p-1" }, { connection: "second" }),
    );
    setConfig({ baseUrl: "https://api.example.com" });
    await add("settings of the config alone", readAsConfigured);
    process.env["PROJECT_SERVICE_BASE_URL"] = "https://other.example.com";
    process.env["PROJECT_SERVICE_PASSWORD"] = "c4nary";
    await add(
      "settings of the config, and of the environment for another server",
      readAsConfigured,
    );
  });

  it("are those of messages.txt", () => {
    const names = new Set([...headings, ...errors.keys()]);
    const cases = [...names].map((name): ErrorCase => ({ name, error: errors.get(name) }));
    assertGolden(file, cases);
  });
}).timeout(60_000);
