import assert from "node:assert/strict";
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

/*
 * The stack config names server B. The environment is that of a job for server A, with A's address and
 * secrets.
 */
for (const [namespace, prefix] of [
  ["project-service", "PROJECT_SERVICE_"],
  ["staging", "PROJECT_SERVICE_STAGING_"],
] as const) {
  describe(`a server that the namespace ${namespace} names, beside an environment for another server`, () => {
    let server: ScriptedServer;
    before(async () => {
      server = await startScriptedServer();
      server.respond = (request, response, body) => {
        const isSignIn = request.url?.startsWith("/auth/") === true;
        if (!isSignIn || body.includes("password=of-b")) return respondCorrectly(request, response);
        sendJson(response, 401, { error: "invalid_grant" });
      };
    });

    const environment = {
      [`${prefix}BASE_URL`]: "https://a.example.com",
      [`${prefix}AUTH_URL`]: "https://login.a.example.com",
      [`${prefix}PASSWORD`]: "c4nary-password-of-a",
      [`${prefix}CLIENT_SECRET`]: "c4nary-client-secret-of-a",
      [`${prefix}HEADERS`]: '{"x-gateway-key":"c4nary-gateway-key-of-a"}',
      [`${prefix}SCOPE`]: "c4nary-scope-of-a",
    };
    let number = 0;
    let config: Record<string, string>;
    beforeEach(() => {
      server.requests.length = 0;
      Object.assign(process.env, environment);
      const { password: _, ...others } = connectionTo(server.url, { username: `u-${++number}` });
      config = others;
    });
    afterEach(() => {
      for (const name of Object.keys(environment)) delete process.env[name];
      assert.doesNotMatch(JSON.stringify(server.requests), /c4nary/, "nothing of A reaches B");
    });

    const message = new RegExp(
      `${prefix}CLIENT_SECRET is not used, because .*: ${prefix}BASE_URL is https://a\\.example\\.com, but ${namespace}:baseUrl is http://127\\.0\\.0\\.1:\\d+\\.`,
    );

    for (const [title, recorded] of [
      ["ProjectSnapshot", { projectId: "p-1" }],
      ["ProjectsSnapshot", { projects: {} }],
    ] as const) {
      it(`gets nothing of the other in a refresh of ${title}, whose error names the variable`, async () => {
        const provider = createProvider();
        const get = (key: string) => config[key.replace(`${namespace}:`, "")];
        await provider.configure!({ config: { get, require: (key) => get(key) as string } });
        const service = `${server.url}/api/project/v5`;
        const read = () => provider.read!("p-1", { ...recorded, service, connection: namespace });
        await assert.rejects(read(), { message: /password is missing/ });
        assert.equal(server.requests.length, 0);
        config["password"] = "wrong";
        await assert.rejects(read(), { message });
        config["password"] = "of-b";
        assert.ok("props" in (await read()));
      });
    }
  });
}

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
