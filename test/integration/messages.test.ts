import { createServer, type ServerResponse } from "node:http";
import type { Server } from "node:net";
import * as pulumi from "@pulumi/pulumi";
import * as sdk from "../../sdk/index.js";
import { useFastClock } from "../support/clock.js";
import { assertMessages, callsOf, type Case } from "./errorMessages.js";
import { closedPort, listen } from "../support/listen.js";
import { wireProject } from "../support/project.js";
import { connectionTo, sendJson, startScriptedServer } from "../support/scriptedServer.js";
import { setConfig } from "../support/stackConfig.js";
import { startSandbox } from "../support/testSandbox.js";

let users = 0;
/** Returns settings of a new user, whose password no error may contain. */
const newConnection = (baseUrl: string, authUrl = baseUrl) =>
  connectionTo(baseUrl, {
    ...{ authUrl, realm: "hosting", clientId: "pulumi" },
    ...{ username: `user-${++users}`, password: "c4nary-password" },
  });

const read = (connection: object) =>
  sdk.getProject({ projectId: "p-1" }, { connection: connection as sdk.ConnectionSettings });

/** Starts a server that responds to requests to the project API. Sign-ins succeed. */
async function startService(respond: (response: ServerResponse, path: string) => void) {
  const server = await startScriptedServer();
  server.respond = ({ url = "" }, response) =>
    url.startsWith("/auth/")
      ? sendJson(response, 200, { access_token: "c4nary-token", expires_in: 3_600 })
      : respond(response, url);
  return server;
}

/* The messages of errors outside the fault matrix. Expected: messages/<name>.txt, written by UPDATE_GOLDEN=1. */
describe("messages of errors", () => {
  const clock = useFastClock();
  afterEach(() => {
    pulumi.runtime.setAllConfig({});
    delete process.env["HTTPS_PROXY"];
  });

  it("of sign-ins", async () => {
    const server = await startScriptedServer();
    const responses: [status: number, body: string][] = [
      [401, '{"error":"invalid_grant","error_description":"Invalid user credentials"}'],
      [400, '{"error":"invalid_grant","error_description":["c4nary"]}'],
      [401, '{"error":"invalid_client"}'],
      [400, '{"error":"unauthorized_client"}'],
      [400, '{"error":"unsupported_grant_type"}'],
      [400, '{"error":"invalid_scope"}'],
      [403, '{"error":"access_denied"}'],
      [404, '{"error":"Realm does not exist"}'],
      [200, '{"error":"invalid_grant","access_token":null}'],
      [200, '{"access_token":""}'],
      [200, "<html>a page</html>"],
      [400, "<html><head><title>400 No required SSL certificate was sent</title></head></html>"],
      [400, '{"error":"not_allowed"}'],
      [403, '{"error":"account_locked"}'],
      [400, '{"error":"##[group]\\u200b"}'],
      [400, '{"error":"the password c4nary is wrong"}'],
      [200, '{"error":{"code":"c4nary"}}'],
      [400, '{"error":"toString"}'],
      [400, "null"],
      [403, '{"error":"request realm blocked"}'],
      [404, '{"status":404,"error":"Not Found"}'],
      [429, '{"error":"invalid_grant"}'],
      [302, '{"error":"invalid_grant"}'],
    ];
    const cases = responses.map(([status, body]): Case => {
      const cause = () => {
        server.respond = (_request, response) => sendJson(response, status, body);
        return read(newConnection(server.url));
      };
      return [`sign-in, ${status} ${body}`, cause];
    });
    const connection = newConnection(server.url);
    const readTwice = async () => {
      server.respond = (_request, response) => sendJson(response, 400, '{"error":"invalid_grant"}');
      await read(connection).catch(() => {});
      return read(connection);
    };
    cases.push(["sign-in, the second one with a rejected password", readTwice]);
    await assertMessages("Sign-ins", cases);
  });

  it("of limits of time", async () => {
    // The first response comes 2 s before the limit of all attempts, or of the list. The messages contain these 2 s. So
    // the clock stands still, or they would say less on a busy machine. Its timers move it.
    clock.stop();
    let requests = 0;
    const slowRead = await startService((response) => {
      if (++requests > 1) return; // no response
      clock.pass(60_000 - 2_000);
      response.writeHead(503, { "retry-after": "0" }).end();
    });
    let pages = 0;
    const slowList = await startService((response, path) => {
      if (++pages > 1) return;
      clock.pass(300_000 - 2_000);
      sendJson(response, 200, {
        _embedded: { projectResources: [wireProject()] },
        _links: { next: { href: `${path}?page=1` } },
      });
    });
    await assertMessages("Limits of time", [
      ["single read, the limit of all attempts", () => read(newConnection(slowRead.url))],
      [
        "list, the limit of a list",
        () => sdk.getProjects({}, { connection: newConnection(slowList.url) }),
      ],
    ]);
  });

  it("of servers and proxies that cannot be reached", async () => {
    const start = async (server: Server) => `http://127.0.0.1:${await listen(server)}`;
    const startProxy = (status: string) =>
      start(createServer().on("connect", (_, socket) => socket.end(`HTTP/1.1 ${status}\r\n\r\n`)));
    const closing = createServer().on("connect", (_, socket) => socket.destroy());
    const proxies = {
      "that requires a password": await startProxy("407 Authenticate"),
      "that cannot connect": await startProxy("502 Bad Gateway"),
      "that does not listen": await closedPort(),
      "that closes the connection": await start(closing),
      "that is silent": await start(createServer().on("connect", () => {})),
      "that does not speak TLS": (await start(createServer())).replace("http", "https"),
    };
    const remote = "https://projects.example.com";
    const cases: Case[] = [];
    /** Reads through the proxy, or without one if its address is empty. */
    const readThrough = (proxy: string, connection: object) => {
      process.env["HTTPS_PROXY"] = proxy;
      return read(connection);
    };
    for (const [name, address] of Object.entries(proxies)) {
      const proxy = address.replace("://", "://clerk:c4nary-password@");
      const limit = name === "that is silent" ? { timeoutSeconds: 10 } : {};
      const user = await signedIn();
      const signIn = () => readThrough(proxy, { ...newConnection(user.baseUrl, remote), ...limit });
      cases.push([`sign-in, a proxy ${name}`, signIn]);
      const readOnce = () => readThrough(proxy, { ...user, baseUrl: remote, ...limit });
      cases.push([`single read, a proxy ${name}`, readOnce]);
    }
    for (const [name, address] of [
      ["of another kind", "socks5://clerk:c4nary@127.0.0.1:1"],
      ["with a bare /", "http://clerk:c4nary/c4nary@127.0.0.1:1"],
      ["with a bare %", "http://clerk:c4nary%zz@127.0.0.1:1"],
    ] as const) {
      const cause = () => readThrough(address, newConnection(remote, "http://127.0.0.1:1"));
      cases.push([`a proxy ${name}`, cause]);
    }
    const { url } = await startService((response) => sendJson(response, 200, wireProject()));
    const insecure = url.replace("http:", "https:");
    const signIn = () => readThrough("", newConnection(url, insecure));
    cases.push(["sign-in, a server that does not speak TLS", signIn]);
    const readOnce = () => readThrough("", newConnection(insecure, url));
    cases.push(["single read, a server that does not speak TLS", readOnce]);
    await assertMessages("Proxies and TLS", cases);
  });

  it("of reads that are not sent in an outage", async () => {
    const server = await startService((response) => void response.writeHead(501).end());
    const connection = { ...newConnection(server.url), maxConcurrency: 1 };
    const calls = Array.from({ length: 60 }, (_, index) =>
      sdk.getProject({ projectId: `p-${index}` }, { connection }),
    );
    await Promise.allSettled(calls);
    await assertMessages("Outages", [
      ["single read, not sent after many failures", () => calls.at(-1)],
    ]);
  });

  it("of projects, environments and databases that cannot be read", async () => {
    const sandbox = await startSandbox();
    after(() => sandbox.close());
    const [live] = sandbox.projects.find(({ _id }) => _id === "p-2")!.projectEnvironments;
    live!.projectEnvironmentDatabases.databases = [];
    sandbox.projects.push(
      { ...wireProject(), _id: "p-99", name: "blog" },
      { ...wireProject(), _id: "p-97", name: "caf\u00e9" },
      { ...wireProject(), _id: "p-98", name: "empty", projectEnvironments: [] },
    );
    sandbox.forbiddenProjectIds.add("p-12").add("p-11");
    setConfig({ ...sandbox.connection, maxConcurrency: 1 });
    const { getProject, getProjects, getEnvironment, getDatabase } = sdk;
    const { getProjectOutput, getEnvironmentOutput, getDatabaseOutput } = sdk;
    const withProjectTwice = () => {
      sandbox.projects.push(sandbox.projects[0]!);
      return getProjects();
    };
    const withoutProjects = () => {
      sandbox.projects = [];
      return getProject({ name: "shop" });
    };
    const withoutList = () => {
      sandbox.failNext({ status: 404, path: /projects$/ });
      return getProjects();
    };
    await assertMessages("Reads", [
      ...callsOf([
        () => getProject({ name: "shoop" }),
        () => getProject({ name: "something else altogether" }),
        () => getProject({ name: "::add-mask::\n##[group]\u202e" }),
        () => getProject({ name: "cafe\u0301" }),
        () => getProject({ name: "blog" }),
        () => getProject({ projectId: "p-12" }),
        () => getProject({ projectId: "shop" }),
        () =>
          getProjects({ details: true, filters: [{ key: "projectId", values: ["p-11", "p-12"] }] }),
        () => getEnvironment({ name: "shop", environmentId: "prod" }),
        () => getEnvironment({ name: "empty", environmentId: "live" }),
        () => getDatabase({ name: "shop", environmentId: "live" }),
        () => getDatabase({ name: "shop", environmentId: "live", databaseName: "shop" }),
        () => getDatabase({ projectId: "p-2", environmentId: "live" }),
        () => getProjectOutput({ name: pulumi.secret("c4nary") }),
        () => getProjectOutput({ projectId: pulumi.secret("c4nary") }),
        () => getProjectOutput({ name: pulumi.secret("blog") }),
        () => getEnvironmentOutput({ name: "shop", environmentId: pulumi.secret("c4nary") }),
        () =>
          getDatabaseOutput({
            name: "shop",
            environmentId: "live",
            databaseName: pulumi.secret("c4nary"),
          }),
      ]),
      // These change the sandbox, so they come last.
      ["a list that is incomplete", withProjectTwice],
      ["no projects", withoutProjects],
      ["no list at the address", withoutList],
    ]);
  });
});

/** Returns settings of a user who has a token, so that a short timeout ends nothing but the reads. */
async function signedIn() {
  const { url } = await startService((response) => sendJson(response, 200, wireProject()));
  const connection = newConnection(url);
  await read(connection);
  return connection;
}
