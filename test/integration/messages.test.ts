import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server, Socket } from "node:net";
import { runInThisContext } from "node:vm";
import * as pulumi from "@pulumi/pulumi";
import { type Sandbox, startSandbox } from "../support/testSandbox.js";
import * as sdk from "../../sdk/index.js";
import { createAuthority, createCertificate } from "../support/certificates.js";
import { closedPort } from "../support/closedPort.js";
import { assertGolden, type ErrorCase } from "../support/goldenFile.js";
import { passTime } from "../support/passTime.js";
import { wireProject } from "../support/project.js";
import { type ScriptedServer, sendJson, startScriptedServer } from "../support/scriptedServer.js";
import { settled } from "../support/settled.js";

/*
 * The messages of errors that are no faults of the fault matrix, which has a golden file of its own. An
 * error may not contain "c4nary".
 */
describe("messages of errors", () => {
  const cases: ErrorCase[] = [];
  const closing: (() => unknown)[] = [];
  let server: ScriptedServer;
  let sandbox: Sandbox;
  let users = 0;
  before(async () => {
    server = await startScriptedServer();
    sandbox = await startSandbox();
    closing.push(() => sandbox.close());
  });
  after(() => Promise.all(closing.map((close) => close())));

  async function add(name: string, action: () => unknown): Promise<void> {
    const error: unknown = await Promise.resolve()
      .then(action)
      .then(
        () => assert.fail(`${name}: it succeeded`),
        (thrown: unknown) => thrown,
      );
    assert.doesNotMatch(JSON.stringify(error) + String(error), /c4nary/, name);
    cases.push({ name, error });
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

  /** Returns a connection that has a token, so that a short timeout ends nothing but its reads. */
  async function signedIn(): Promise<ReturnType<typeof connectionTo>> {
    const connection = connectionTo(server.url, server.url);
    respondToReads((response) => sendJson(response, 200, wireProject()));
    await read(connection);
    return connection;
  }

  const sendToken = (response: ServerResponse) =>
    sendJson(response, 200, { access_token: "c4nary-token", expires_in: 3_600 });

  /** Makes the server respond to a sign-in. Reads succeed. */
  function respondToSignIns(respond: (response: ServerResponse) => void): void {
    server.respond = ({ url = "" }, response) =>
      url.startsWith("/auth/") ? respond(response) : sendJson(response, 200, wireProject());
  }

  /** Makes the server respond to requests to the project API. Sign-ins succeed. */
  function respondToReads(respond: (response: ServerResponse, path: string) => void): void {
    server.respond = ({ url = "" }, response) =>
      url.startsWith("/auth/") ? sendToken(response) : respond(response, url);
  }

  it("of sign-ins", async () => {
    const description = (error_description: string) => ({
      error: "invalid_grant",
      error_description,
    });
    const responses: [status: number, body: unknown][] = [
      [401, description("Invalid user credentials c4nary")],
      [400, description("Account disabled")],
      [400, description("Account is not fully set up")],
      [400, { error: "invalid_grant", error_description: ["c4nary"] }],
      [401, { error: "invalid_client" }],
      [400, { error: "unauthorized_client" }],
      [
        401,
        {
          error: "unauthorized_client",
          error_description: "Invalid client or Invalid client credentials",
        },
      ],
      [400, { error: "unsupported_grant_type" }],
      [400, { error: "invalid_scope" }],
      [403, { error: "access_denied" }],
      [400, { error: "invalid_request" }],
      [404, { error: "Realm does not exist" }],
      [200, { error: "locked out" }],
      [200, { error: "toString" }],
      [200, { error: "invalid_grant", access_token: null }],
      [200, { access_token: "" }],
      [200, "<html>a page</html>"],
      [400, { error: "toString" }],
      [400, { error: 7 }],
      [400, "null"],
      [400, "[]"],
      [403, { error: "request realm blocked" }],
      [404, { status: 404, error: "Not Found" }],
      [429, { error: "invalid_grant" }],
      [501, { error: "invalid_grant" }],
      [302, { error: "invalid_grant" }],
    ];
    for (const [status, body] of responses) {
      respondToSignIns((response) => sendJson(response, status, body));
      const text = (typeof body === "string" ? body : JSON.stringify(body)).replace(" c4nary", "");
      await add(`sign-in, ${status} ${text.replace("c4nary", "…")}`, readFromServer);
    }
    const environment = { PROJECT_SERVICE_PASSWORD: "c4nary-password" };
    Object.assign(process.env, environment);
    pulumi.runtime.setAllConfig(
      Object.fromEntries(
        Object.entries({ ...connectionTo(server.url, server.url), password: undefined })
          .filter(([, value]) => value !== undefined)
          .map(([key, value]) => [`project-service:${key}`, value as string]),
      ),
    );
    respondToSignIns((response) => sendJson(response, 401, { error: "invalid_grant" }));
    await add("sign-in, settings of two places", () => sdk.getProject({ projectId: "p-1" }));
    respondToSignIns((response) => sendJson(response, 404, { error: "Realm does not exist" }));
    process.env["PROJECT_SERVICE_PASSWORD"] = "c4nary-other-password";
    await add("sign-in, a realm of the config", () => sdk.getProject({ projectId: "p-1" }));
    delete process.env["PROJECT_SERVICE_PASSWORD"];
    pulumi.runtime.setAllConfig({});
  });

  it("of statuses", async () => {
    for (const status of [206, 300, 303, 304, 305, 307, 308, 399, 400, 410, 418]) {
      respondToReads((response) => void response.writeHead(status).end());
      await add(`single read, status ${status}`, readFromServer);
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
      const { _id, name, type, status, domain } = wireProject();
      sendJson(response, 200, {
        _embedded: { projectResources: [{ _id, name, type, status, domain }] },
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
    const sockets = new Set<Socket>();
    const listen = async (own: Server) => {
      own.on("connection", (socket) => sockets.add(socket.on("error", () => {})));
      await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
      closing.push(() => own.close());
      return (own.address() as AddressInfo).port;
    };
    closing.push(() => sockets.forEach((socket) => socket.destroy()));
    const proxy = (status: string) =>
      listen(createServer().on("connect", (_, socket) => socket.end(`HTTP/1.1 ${status}\r\n\r\n`)));
    const authority = createAuthority("A private authority");
    const tls = createTlsServer(createCertificate(authority, "localhost"));
    const closes = createServer().on("connect", (_, socket) => socket.destroy());
    const silent = createServer().on("connect", () => {});
    const proxies: [name: string, address: string][] = [
      ["that requires a password", `http://127.0.0.1:${await proxy("407 Authenticate")}`],
      ["that cannot connect", `http://127.0.0.1:${await proxy("502 Bad Gateway")}`],
      ["that does not listen", await closedPort()],
      ["that closes the connection", `http://127.0.0.1:${await listen(closes)}`],
      ["that is silent", `http://127.0.0.1:${await listen(silent)}`],
      ["that does not speak TLS", `https://127.0.0.1:${await listen(createServer())}`],
      ["that nobody trusts", `https://localhost:${await listen(tls)}`],
    ];
    const remote = "https://projects.example.com";
    for (const [name, address] of proxies) {
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

  it("of projects that cannot be read", async () => {
    sandbox.projects.push({ ...wireProject(), _id: "p-99", name: "blog" });
    sandbox.projects.push({ ...wireProject(), _id: "p-98", name: "empty" });
    Object.assign(sandbox.projects.at(-1)!, { projectEnvironments: [] });
    const [live] = sandbox.projects[1]!.projectEnvironments;
    live!.projectEnvironmentDatabases.databases = [];
    sandbox.forbiddenProjectIds.add("p-12").add("p-11");
    await addCalls([
      'getProject({ name: "shoop" })',
      'getProject({ name: "something else altogether" })',
      'getProject({ name: "::add-mask::\\n##[group]\\u202e" })',
      'getProject({ name: "blog" })',
      'getProject({ projectId: "p-12" })',
      'getProject({ projectId: "shop" })',
      'getProjects({ details: true, filters: [{ key: "projectId", values: ["p-11", "p-12"] }] })',
      'getEnvironment({ name: "shop", environmentId: "prod" })',
      'getEnvironment({ name: "empty", environmentId: "live" })',
      'getDatabase({ name: "shop", environmentId: "live" })',
      'getDatabase({ name: "shop", environmentId: "live", databaseName: "shop" })',
      `getDatabase({ projectId: "p-2", environmentId: "${live!.environmentId}" })`,
      'getProjectOutput({ name: "shoop" })',
      'getEnvironmentOutput({ name: "shop", environmentId: "prod" })',
      'getProjectOutput({ name: pulumi.secret("c4nary") })',
      'getProjectOutput({ projectId: pulumi.secret("c4nary") })',
      'getProjectOutput({ name: pulumi.secret("blog") })',
      'getEnvironmentOutput({ name: "shop", environmentId: pulumi.secret("c4nary") })',
      'getDatabaseOutput({ name: "shop", environmentId: "live", databaseName: pulumi.secret("c4nary") })',
    ]);
    sandbox.projects = [];
    await addCalls(['getProject({ name: "shop" })']);
    sandbox.failNext({ status: 404, path: /projects$/ });
    await add("no list at the address", () =>
      sdk.getProjects({}, { connection: sandbox.connection }),
    );
  });

  it("of wrong arguments, which send no request", async () => {
    const before = { ...sandbox.counters };
    await addCalls([
      "getProject()",
      "getProject(null)",
      'getProject("shop")',
      "getProject({})",
      "getProject({ name: undefined })",
      'getProject({ name: "" })',
      "getProject({ projectId: 1 })",
      "getProject({ projectId: null })",
      'getProject({ projectId: ".." })',
      'getProject({ projectId: "p-1", name: "shop" })',
      'getProject({ projectID: "p-1" })',
      'getProject({ name: "shop", includeCredentials: "no" })',
      'getProject({ name: pulumi.output("shop") })',
      'getProject({ name: "shop", connection: {} })',
      'getProject({ name: "shop" }, { parent: {} })',
      'getProject({ name: "shop" }, { dependsOn: [] })',
      'getProject({ name: "shop" }, null)',
      'getProject({ name: "shop" }, { connection: 7 })',
      'getProject({ name: "shop" }, { connection: "a:b" })',
      'getProject({ name: "shop" }, { connection: { password: pulumi.secret("c4nary") } })',
      'getProjectOutput({ id: "p-1" })',
      'getProjectOutput(pulumi.output({ name: "shop" }))',
      "getProjectOutput({ name: null })",
      "getProjectOutput({ name: pulumi.output(7) })",
      'getProjectOutput({ name: "shop" }, { dependsOn: [{}] })',
      'getEnvironment({ name: "shop" })',
      'getEnvironment({ name: "shop", environmentId: 0 })',
      'getEnvironmentOutput({ environment: "live" })',
      'getDatabase({ name: "shop" })',
      'getDatabase({ name: "shop", environmentId: "live", databaseName: "" })',
      'getDatabase({ name: "shop", environmentId: "live", database: "a" })',
      'getProjects({ filter: "shop" })',
      'getProjects({ details: "yes" })',
      'getProjects({ onInaccessible: "skip" })',
      'getProjects({ details: true, onInaccessible: "ignore" })',
      "getProjects({ includeCredentials: false })",
      'getProjects({ filters: { key: "name", values: ["a"] } })',
      "getProjects({ filters: [7] })",
      'getProjects({ filters: [{ values: ["a"] }] })',
      'getProjects({ filters: [{ key: "nmae", values: ["a"] }] })',
      'getProjects({ filters: [{ key: "codeRepository.group", values: ["a"] }] })',
      'getProjects({ details: true, filters: [{ key: "environments.databases.password", values: ["a"] }] })',
      'getProjects({ filters: [{ key: "name", values: [] }] })',
      'getProjects({ filters: [{ key: "name", values: "shop" }] })',
      'getProjects({ filters: [{ key: "name", value: "shop" }] })',
      'getProjects({ filters: [{ key: "name", values: [7] }] })',
      'getProjects({ filters: [{ key: "name", values: [null] }] })',
      'getProjects({ filters: [{ key: "name", values: ["a"], matchBy: "regex" }] })',
      'getProjects({ filters: [{ key: "name", values: [""], matchBy: "substring" }] })',
      'getProjects({ details: true, filters: [{ key: "environments.order", values: ["x"] }] })',
      'getProjects({ details: true, filters: [{ key: "environments.order", values: [NaN] }] })',
      'getProjects({ details: true, filters: [{ key: "hasCode", values: ["c4nary"] }] })',
      'getProjects({ filters: [{ key: "name", values: [pulumi.output("shop")] }] })',
      'getProjects({ filters: [{ key: "name", values: ["a"], matchBy: pulumi.output("exact") }] })',
      "getProjectsOutput({}, { provider: {} })",
      "getProjectsOutput({ filters: pulumi.output([]) })",
      'databaseUrl(undefined, { protocol: "mysql", host: "db" })',
      'databaseUrl({ name: "n" }, { protocol: "mysql", host: "db" })',
      "databaseUrl(database, undefined)",
      'databaseUrl(database, { protocol: "mysql://", host: "db" })',
      'databaseUrl(database, { protocol: "mysql", host: "db:3306" })',
      'databaseUrl(database, { protocol: "mysql" })',
      'databaseUrl(database, { protocol: "mysql", host: "db", port: "3306" })',
      'databaseUrl(database, { protocol: "mysql", host: "db", port: 65_536 })',
      'databaseUrl({ ...database, password: "c4nary\\ud800" }, { protocol: "mysql", host: "db" })',
      'databaseUrl(database, { protocol: "mysql", host: "db", user: "x" })',
      "`${databaseUrl(database, { protocol: 'mysql', host: 'db' })}`",
      "pipelineOutputs(5)",
      'pipelineOutputs({ projectId: "p-1", name: "shop" })',
      "readPipelineOutputs(5)",
      'readPipelineOutputs({ getOutput() {} }, { project: "" })',
      'readPipelineOutputs({ getOutput() {} }, { projects: "a" })',
      'new ProjectSnapshot("a", {})',
      'new ProjectSnapshot("a", { nmae: "a" })',
      'new ProjectSnapshot("a", { name: "a", connection: {} })',
      'new ProjectSnapshot("a", { name: "a" }, { connection: "b" })',
      'new ProjectSnapshot("a", { name: "a" }, { import: "p-1" })',
      'new ProjectSnapshot("a", { name: "a", includeCredentials: 1 })',
      'new ProjectsSnapshot("a", { filter: [] })',
      'new ProjectsSnapshot("a", { fields: [] })',
      'new ProjectsSnapshot("a", { fields: ["stauts"] })',
      'new ProjectsSnapshot("a", { connection: {} })',
      'new ProjectsSnapshot("a", { onInaccessible: "ignore" })',
      'new ProjectsSnapshot("a", {}, { id: "a" })',
    ]);
    assert.deepEqual({ ...sandbox.counters }, before);
  });

  it("of wrong settings", async () => {
    const complete = connectionTo("https://api.example.com", "https://login.example.com");
    const wrong: object[] = [
      { baseUrl: undefined },
      { baseUrl: "nowhere" },
      { baseUrl: "http://api.example.com" },
      { baseUrl: "https://u:c4nary@api.example.com" },
      { baseUrl: "https://api.example.com?key=c4nary" },
      { authUrl: 7 },
      { realm: ".." },
      { clientId: "" },
      { timeoutSeconds: 0 },
      { timeoutSeconds: 3_601 },
      { maxConcurrency: 1.5 },
      { maxConcurrency: 257 },
      { insecureHttp: "perhaps" },
      { caCertificate: "c4nary.pem" },
      { caCertificate: "-----BEGIN CERTIFICATE-----\nc4nary\n-----END CERTIFICATE-----" },
      { caCertificate: "-----BEGIN c4nary" },
      { headers: "c4nary" },
      { headers: { "a b": "c4nary" } },
      { headers: { Authorization: "c4nary" } },
      { headers: { a: 7 } },
      { headers: { a: "c4nary\n" } },
      { baseURL: "https://c4nary.example.com", userName: "c4nary" },
    ];
    for (const settings of wrong) {
      const name = JSON.stringify({ ...settings }, (_, value: unknown) => value ?? null);
      await add(`settings ${name.replaceAll("c4nary", "…")}`, () =>
        read({ ...complete, ...settings }),
      );
    }
    for (const key of Object.keys(complete)) {
      const { [key]: _, ...rest } = complete as Record<string, unknown>;
      await add(`settings without ${key}`, () => read(rest));
    }
    await add("no settings", () => sdk.getProject({ projectId: "p-1" }));
    await add("a namespace without settings", () =>
      sdk.getProject({ projectId: "p-1" }, { connection: "second" }),
    );
    pulumi.runtime.setAllConfig({ "project-service:baseUrl": "https://api.example.com" });
    await add("settings of the config alone", () => sdk.getProject({ projectId: "p-1" }));
    process.env["PROJECT_SERVICE_BASE_URL"] = "https://other.example.com";
    process.env["PROJECT_SERVICE_PASSWORD"] = "c4nary";
    await add("settings of the config, and of the environment for another server", () =>
      sdk.getProject({ projectId: "p-1" }),
    );
    for (const key of ["BASE_URL", "PASSWORD"]) delete process.env[`PROJECT_SERVICE_${key}`];
    pulumi.runtime.setAllConfig({});
  });

  it("are those of messages.txt", () => assertGolden("test/integration/messages.txt", cases));

  /** Adds the errors of calls. Each is an expression, and the name of its case. */
  async function addCalls(calls: readonly string[]): Promise<void> {
    const scope = {
      ...sdk,
      pulumi,
      database: { name: "n", username: "u", password: "c4nary" },
    };
    const connection = { ...sandbox.connection, maxConcurrency: 1 };
    for (const call of calls) {
      // A read without options uses the sandbox.
      const text = /^get\w+\(\{.*\}\)$/.test(call) ? call.replace(/\)$/, ", opts)") : call;
      const run = runInThisContext(`({ ${Object.keys(scope).join(", ")}, opts }) => (${text})`) as (
        scope: object,
      ) => unknown;
      await add(call, () => {
        const result = run({ ...scope, opts: { connection } });
        return pulumi.Output.isInstance(result) ? settled(result) : result;
      });
    }
  }
}).timeout(60_000);
