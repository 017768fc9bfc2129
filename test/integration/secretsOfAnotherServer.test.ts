import assert from "node:assert/strict";
import { runtime } from "@pulumi/pulumi";
import { createProvider } from "../../provider/snapshot/dynamicProvider.js";
import { getProject, getProjects, type ProjectServiceError } from "../../sdk/index.js";
import { wireProject } from "../support/project.js";
import {
  connectionTo,
  respondCorrectly,
  type ScriptedServer,
  sendJson,
  startScriptedServer,
} from "../support/scriptedServer.js";

const { setAllConfig } = runtime;

type Values = Readonly<Record<string, string>>;

/** Settings of a service, with a secret that only its server may get. */
interface Place {
  readonly addresses: Values;
  readonly names: Values;
  readonly secrets: Values;
}

const noPlace: Place = { addresses: {}, names: {}, secrets: {} };

type Mixture = readonly [title: string, config: Values, variables: Values, password?: string];

/** With a password, the read succeeds, and it is the one that is used. */
function mixtures([a = noPlace, b = noPlace]: Place[]): Mixture[] {
  const [all, allOfB] = [a, b].map((each) => ({
    ...each.addresses,
    ...each.names,
    ...each.secrets,
  })) as [Values, Values];
  const { password = "" } = a.secrets;
  const open = { ...a.addresses, ...a.names };
  const { baseUrl = "", authUrl = "" } = a.addresses;
  return [
    ["everything in the config", all, {}, password],
    ["everything in variables", {}, all, password],
    ["secrets in variables alone", open, a.secrets, password],
    ["names and secrets in variables", a.addresses, { ...a.names, ...a.secrets }, password],
    ["another password in a variable", all, { ...open, password: "c4nary-unused" }, password],
    ["a limit in the config alone", { timeoutSeconds: "9" }, all, password],
    ["equal addresses, written in another way", open, { ...all, baseUrl: `${baseUrl}/` }, password],
    ["another service in variables", open, allOfB],
    ["another service in variables, which lack secrets", all, { ...b.addresses, ...b.names }],
    ["another user in a variable", all, { username: "other" }],
    ["one address in the config", { ...a.names, baseUrl }, { ...a.secrets, authUrl }],
    ["a password in the config, and addresses in variables", { password }, { ...open }],
  ];
}

for (const [namespace, prefix] of [
  ["project-service", "PROJECT_SERVICE_"],
  ["staging", "PROJECT_SERVICE_STAGING_"],
] as const) {
  describe(`two services in one process, one of them in the namespace ${namespace}`, () => {
    const variableOf = (key: string) => prefix + key.replace(/[A-Z]/g, "_$&").toUpperCase();
    const servers: ScriptedServer[] = [];
    let number = 0;

    before(async () => {
      for (const name of ["a", "b"]) {
        const server = await startScriptedServer();
        server.respond = (request, response, body) => {
          const isSignIn = request.url?.startsWith("/auth/") === true;
          if (!isSignIn || body.includes(`c4nary-password-of-${name}`)) {
            return respondCorrectly(request, response);
          }
          sendJson(response, 401, { error: "invalid_grant" });
        };
        servers.push(server);
      }
    });
    afterEach(() => {
      setAllConfig({});
      for (const name of Object.keys(process.env)) {
        if (name.startsWith("PROJECT_SERVICE_")) delete process.env[name];
      }
    });

    const places = (): Place[] =>
      servers.map(({ url }, index) => {
        const name = ["a", "b"][index];
        return {
          addresses: { baseUrl: url, authUrl: url },
          names: { realm: `r-${name}`, clientId: `c-${name}`, username: `u-${name}-${number}` },
          secrets: {
            password: `c4nary-password-of-${name}`,
            clientSecret: `c4nary-client-secret-of-${name}`,
            headers: `{"x-gateway-key":"c4nary-gateway-key-of-${name}"}`,
          },
        };
      });

    for (const [index, [title]] of mixtures([]).entries()) {
      it(`get no secret of each other: ${title}`, async () => {
        number++;
        for (const server of servers) server.requests.length = 0;
        const [a = noPlace, b = noPlace] = places();
        const [, config, variables, password] = mixtures([a, b])[index] as Mixture;
        const entries = Object.entries(config).map(([key, value]) => [
          `${namespace}:${key}`,
          value,
        ]);
        setAllConfig(Object.fromEntries(entries) as Values, [`${namespace}:password`]);
        for (const [key, value] of Object.entries(variables)) process.env[variableOf(key)] = value;
        const { headers, ...ofB } = { ...b.addresses, ...b.names, ...b.secrets } as Values;
        const connection = { ...ofB, headers: JSON.parse(headers as string) as Values };
        const reads = await Promise.allSettled([
          getProject({ projectId: "p-1" }, { connection: connection as never }),
          getProject({ projectId: "p-1" }, { connection: namespace }),
        ]);
        const reasons = reads.map(
          (read) => read.status === "rejected" && (read.reason as ProjectServiceError).code,
        );
        assert.deepEqual(reasons, [false, password === undefined && "SETTINGS_INVALID"]);
        const [ofServerA, ofServerB] = servers.map(({ requests }) => JSON.stringify(requests));
        assert.doesNotMatch(ofServerA as string, /c4nary-\S*-of-b|c4nary-unused/);
        assert.doesNotMatch(ofServerB as string, /c4nary-\S*-of-a/);
        if (password === undefined) assert.equal(ofServerA, "[]", "nothing is sent");
        else assert.ok(ofServerA?.includes(password));
      });
    }

    it("are kept apart by a refresh, too", async () => {
      const [a = noPlace, b = noPlace] = places();
      for (const [key, value] of Object.entries({ ...a.addresses, ...a.secrets })) {
        process.env[variableOf(key)] = value;
      }
      const config: Values = { ...b.addresses, ...b.names };
      const provider = createProvider();
      const get = (key: string) => config[key.replace(`${namespace}:`, "")];
      await provider.configure!({ config: { get, require: (key) => get(key) as string } });
      const service = `${b.addresses["baseUrl"]}/api/project/v5`;
      const recorded = { projects: {}, service, connection: namespace };
      for (const server of servers) server.requests.length = 0;
      await assert.rejects(provider.read!("p-1", recorded), {
        message: new RegExp(
          `${namespace}:baseUrl in the stack config differs from .*${prefix}BASE_URL`,
        ),
      });
      assert.deepEqual(
        servers.map(({ requests }) => requests.length),
        [0, 0],
      );
    });
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
