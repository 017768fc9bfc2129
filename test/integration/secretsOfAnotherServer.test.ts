import assert from "node:assert/strict";
import { runtime } from "@pulumi/pulumi";
import { createProvider } from "../../provider/snapshot/dynamicProvider.js";
import { getProject, getProjects } from "../../sdk/index.js";
import { wireProject } from "../support/project.js";
import {
  connectionTo,
  respondCorrectly,
  type ScriptedServer,
  sendJson,
  startScriptedServer,
} from "../support/scriptedServer.js";

const { setAllConfig } = runtime;

describe("a stack config and variables that name different services", () => {
  const config = { realm: "r", clientId: "c", username: "u" };
  afterEach(() => {
    setAllConfig({});
    for (const key of ["BASE_URL", "AUTH_URL", "PASSWORD"]) {
      delete process.env[`PROJECT_SERVICE_STAGING_${key}`];
    }
  });

  it("let a function and a refresh send nothing", async () => {
    const server = await startScriptedServer();
    const ofConfig: Record<string, string> = {};
    for (const [key, value] of Object.entries({
      ...config,
      baseUrl: server.url,
      authUrl: server.url,
    }))
      ofConfig[`staging:${key}`] = value;
    setAllConfig(ofConfig);
    const variables = { BASE_URL: "http://127.0.0.1:1", AUTH_URL: server.url, PASSWORD: "c4nary" };
    for (const [key, value] of Object.entries(variables)) {
      process.env[`PROJECT_SERVICE_STAGING_${key}`] = value;
    }
    const provider = createProvider();
    const get = (key: string) => ofConfig[key];
    await provider.configure!({ config: { get, require: (key) => get(key) as string } });
    const service = `${server.url}/api/project/v5`;
    const recorded = { projects: {}, service, connection: "staging" };
    for (const read of [
      () => getProject({ projectId: "p-1" }, { connection: "staging" }),
      () => provider.read!("p-1", recorded),
    ]) {
      await assert.rejects(read, { message: /staging:baseUrl in the stack config differs/ });
    }
    assert.equal(server.requests.length, 0);
  });
});

describe("two services that one process reads at the same time", () => {
  const names = ["a", "b"] as const;
  type Name = (typeof names)[number];
  const servers = {} as Record<Name, ScriptedServer>;
  const connectionOf = (name: Name) =>
    connectionTo(servers[name].url, {
      username: `username-of-${name}`,
      password: `password-of-${name}`,
      clientSecret: `client-secret-of-${name}`,
      headers: { "x-gateway-key": `gateway-key-of-${name}` },
    });
  const secretsOf = (name: Name) =>
    ["username", "password", "client-secret", "gateway-key", "access", "refresh"].map(
      (kind) => `${kind}-of-${name}`,
    );

  before(async () => {
    for (const name of names) {
      const server = await startScriptedServer();
      servers[name] = server;
      const seen = new Set<string>();
      server.respond = (request, response) => {
        const { url = "" } = request;
        if (url.startsWith("/auth/")) {
          const number = server.requests.length;
          return sendJson(response, 200, {
            access_token: `access-of-${name}-${number}`,
            expires_in: 0.05,
            refresh_token: `refresh-of-${name}-${number}`,
          });
        }
        // The first requests of some projects fail, so that each service repeats requests.
        const isFirst = !seen.has(url);
        seen.add(url);
        if (isFirst && /[38]$/.test(url)) return sendJson(response, 401, {});
        if (isFirst && /[45]$/.test(url)) return sendJson(response, 503, {});
        if (url.endsWith("/projects")) return respondCorrectly(request, response);
        const _id = url.split("/").at(-1);
        sendJson(response, 200, { ...wireProject(), _id, name: `of ${name}` });
      };
    }
  });

  it("get their own user, password, client secret, headers and tokens, and none of the other", async () => {
    const reads = Array.from({ length: 60 }, async (_, index) => {
      const name = names[index % 2] as Name;
      const opts = { connection: connectionOf(name) };
      if (index % 10 < 2) return void (await getProjects({}, opts));
      const project = await getProject({ projectId: `p-${index}` }, opts);
      assert.equal(project.name, `of ${name}`);
    });
    await Promise.all(reads);
    for (const [own, other] of [
      ["a", "b"],
      ["b", "a"],
    ] as const) {
      const received = JSON.stringify(servers[own].requests);
      for (const secret of secretsOf(own)) assert.ok(received.includes(secret), secret);
      for (const secret of secretsOf(other)) assert.ok(!received.includes(secret), secret);
    }
  });
});
