import { inClear } from "../../provider/wire/mapping.js";
import assert from "node:assert/strict";
import fc from "fast-check";
import { systemClock } from "../../provider/http/clock.js";
import { AuthenticatedClient } from "../../provider/client/authenticatedClient.js";
import { ProjectApi } from "../../provider/client/projectApi.js";
import { getProjectService } from "../../provider/client/projectService.js";
import { Retry } from "../../provider/http/retry.js";
import { createTokenEndpoint } from "../../provider/auth/tokenEndpoint.js";
import { timeLimitsOf } from "../../provider/http/limits.js";
import { AccessTokens } from "../../provider/auth/accessTokens.js";
import { TokenCache } from "../../provider/auth/tokenCache.js";
import { createTransport, type Transport } from "../../provider/http/transport.js";
import { sampleProjects } from "../../sandbox/index.js";
import {
  assertNothingInvented,
  assertProject,
  assertProjectList,
  assertTokenSet,
} from "../support/resultAssertions.js";
import { withoutRejection } from "../support/failure.js";
import { announceSeed, boundMs, canary, forEachCase, outcomeOf } from "../support/fuzzing.js";
import { mutatedResponse, recipes } from "../support/mutatedResponse.js";
import { setAt, wireProject } from "../support/project.js";
import { type ScriptedServer, startScriptedServer } from "../support/scriptedServer.js";
import { settingsOf } from "../support/settings.js";
import { InstantClock } from "../support/instantClock.js";
import { defaultLimits } from "../support/timeLimits.js";

const runs = Number(process.env["FUZZ_RUNS"] ?? 10_000);
const runsOverHttp = 300;

const rubbish = [`"${canary}"`, `{"${canary}":"${canary}"}`, `["${canary}"]`, canary];

const project = wireProject((wire) => {
  setAt(wire, ["codeRepository", "importRepository"], { url: `https://${canary}@git.example` });
  setAt(wire, ["deployKey"], `${canary}, undocumented`);
  // Two elements of a list are enough for a wrong order. With few places, each is changed often.
  wire.projectEnvironments.splice(2);
  for (const environment of wire.projectEnvironments) {
    environment.projectEnvironmentAssets.assetGroups.splice(1);
    environment.symLinks.splice(1);
    environment.projectEnvironmentCode.initialized = { at: "2026-03-02", by: [{ user: 7 }] };
    const { databases } = environment.projectEnvironmentDatabases;
    databases.splice(1);
    for (const database of databases) {
      database.username = `user-${canary}`;
      database.password = `pass-${canary}`;
      database.allowedIP = ["203.0.113.7", { range: "10.0.0.0/8" }];
      setAt(database, ["rootPassword"], `${canary}, undocumented`);
    }
  }
});

const list = {
  _embedded: {
    projectResources: sampleProjects().map(({ _id, name, type, status, domain }) => ({
      _id,
      name,
      type,
      status,
      domain,
      deployKey: `${canary}, undocumented`,
    })),
  },
  _links: { self: { href: "/api/project/v5/projects" }, next: null },
  page: { size: 50, totalElements: 12, totalPages: 1, number: 0 },
};

/** Generates further unusual properties of a list, for {@link listWith}. */
function listCases(url: string) {
  const next = [
    ...["projects?page=2", "#", "//other.example/projects", "../../../x", "javascript:alert(1)"],
    ...["file:///etc/passwd", `blob:${url}/x`, `${url.replace("//", "//user:pw@")}/x`, "http://"],
    ...["\ud800", "\u009b", "x".repeat(9_000), 7, null, [], { href: "x" }],
  ].map((href): unknown => ({ next: { href } }));
  const ids = ["..", "", "a/b", "é😀", "\u009b31m", "\n", "\u2028", "\ud800", "x".repeat(9_000)];
  const names = ["😀".repeat(50), `a${"😀".repeat(50)}`, "\u009b31m", "\u2028", "x".repeat(9_000)];
  return fc.record({
    links: maybe<unknown>([null, 7, [], { next: 7 }, { next: [] }, ...next], list._links),
    total: maybe<unknown>([0, 1, 13, -1, 1.5, 1e308, "12", null, {}], 12),
    shopId: maybe(ids, "p-1"),
    shopName: maybe(names, "shop"),
  });
}

type UnusualList = ReturnType<typeof listCases> extends fc.Arbitrary<infer T> ? T : never;

/** Returns the list with these links, this total count, and this id and name of the project shop. */
function listWith({ links, total, shopId, shopName }: UnusualList): unknown {
  const [shop, ...others] = list._embedded.projectResources;
  return {
    _embedded: { projectResources: [{ ...shop, _id: shopId, name: shopName }, ...others] },
    _links: links,
    page: { ...list.page, totalElements: total },
  };
}

/** Generates the usual value in four of five cases. */
function maybe<T>(unusual: T[], usual: T): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...unusual) },
  );
}

const tokenResponse = {
  access_token: `access-${canary}`,
  expires_in: 900,
  refresh_expires_in: 900,
  refresh_token: `refresh-${canary}`,
  token_type: "bearer",
  "not-before-policy": 0,
  session_state: `session-${canary}`,
};
const statuses = [201, 204, 205, 302, 304, 400, 401, 403, 404, 408, 429, 500, 501, 503, 600, 999];
const oauthError = { error: "invalid_grant", error_description: `Bad password: ${canary}` };

/** Its waits end at once. */
const retryWithoutWaits = new Retry(defaultLimits, () => {}, {
  clock: new InstantClock(),
  random: () => 0,
});

/** Its waits have a duration of 0, in real time. */
const retryInRealTime = new Retry(timeLimitsOf({ timeoutSeconds: boundMs / 2_000 }), () => {}, {
  clock: systemClock,
  random: () => 0,
});

describe("a mutated response", function () {
  this.timeout(600_000);
  this.slow(60_000);

  before(announceSeed);

  describe("of the project API", () => {
    let body: Buffer;
    const api = apiOver({ send: () => Promise.resolve({ status: 200, headers: {}, body }) });

    it("gives a Project or a ProjectServiceError without a secret", async () => {
      await forEachCase(runs, recipes(rubbish), async (recipe) => {
        body = mutatedResponse(project, recipe);
        return outcomeOf(api.readProject("p-1", inClear), (result) => {
          assertProject(result);
          assertNothingInvented(result, parsed(body));
        });
      });
    });

    it("gives a list of ProjectSummary or a ProjectServiceError without a secret", async () => {
      const cases = fc.record({ recipe: recipes(), unusual: listCases("http://127.0.0.1:1") });
      await forEachCase(runs, cases, async ({ recipe, unusual }) => {
        body = mutatedResponse(listWith(unusual), recipe);
        return outcomeOf(api.listProjects(), (result) => {
          assertProjectList(result);
          assertNothingInvented(result, parsed(body));
        });
      });
    });
  });

  describe("of the token endpoint", () => {
    let body: Buffer;
    let status = 200;
    const endpoint = createTokenEndpoint(
      settings("http://127.0.0.1:1"),
      { send: () => Promise.resolve({ status, headers: {}, body }) },
      retryWithoutWaits,
    );

    it("gives a TokenSet or a ProjectServiceError without a secret", async () => {
      const cases = fc.record({ recipe: recipes(rubbish), isRefresh: fc.boolean() });
      status = 200;
      await forEachCase(runs, cases, async ({ recipe, isRefresh }) => {
        body = mutatedResponse(tokenResponse, recipe);
        return outcomeOf(
          withoutRejection(
            isRefresh ? endpoint.refresh(`old-${canary}`, false) : endpoint.signIn(),
          ),
          assertTokenSet,
        );
      });
    });

    it("that is an OAuth error gives a ProjectServiceError without a secret, with any status", async () => {
      const cases = fc.record({ recipe: recipes(rubbish), status: fc.constantFrom(...statuses) });
      await forEachCase(
        runs,
        cases,
        async ({ recipe, status: drawnStatus }) => {
          body = mutatedResponse(oauthError, recipe);
          status = drawnStatus;
          return outcomeOf(withoutRejection(endpoint.signIn()), () =>
            assert.fail("there was no token"),
          );
        },
        ["rejected"],
      );
    });
  });

  describe("over HTTP", () => {
    let server: ScriptedServer;
    let status = 200;
    /** The bodies of the next responses. */
    let bodies: Record<"token" | "list" | "project", Buffer>;

    before(async () => {
      server = await startScriptedServer();
      server.respond = (request, response) => {
        const path = request.url ?? "";
        const known = path === listPath ? "list" : path.startsWith(listPath) ? "project" : "other";
        if (path.startsWith("/auth/")) response.writeHead(status).end(bodies.token);
        else if (known === "other") response.writeHead(404).end();
        else response.writeHead(200).end(bodies[known]);
      };
    });

    beforeEach(() => {
      status = 200;
      bodies = {
        token: Buffer.from(JSON.stringify(tokenResponse)),
        list: Buffer.from(JSON.stringify(list)),
        project: Buffer.from(JSON.stringify(project)),
      };
    });

    it("gives a Project or a ProjectServiceError without a secret", async () => {
      const service = getProjectService(settings(server.url), () => {});
      await forEachCase(runsOverHttp, recipes(rubbish), async (recipe) => {
        bodies.project = mutatedResponse(project, recipe);
        return outcomeOf(service.readProject({ projectId: "p-1" }, inClear), assertProject);
      });
    });

    it("gives a list or its project with a name, or a ProjectServiceError without a secret", async () => {
      const service = getProjectService(settings(server.url), () => {});
      const unusual = listCases(server.url);
      const cases = fc.record({ recipe: recipes(), unusual, byName: fc.boolean() });
      await forEachCase(runsOverHttp, cases, async ({ recipe, unusual, byName }) => {
        bodies.list = mutatedResponse(listWith(unusual), recipe);
        return byName
          ? outcomeOf(service.readProject({ name: "shop" }, inClear), assertProject)
          : outcomeOf(service.listProjects(), assertProjectList);
      });
    });

    it("gives a TokenSet or a ProjectServiceError without a secret, at sign-in", async () => {
      const cases = fc.record({ recipe: recipes(rubbish), isError: fc.boolean() });
      await forEachCase(runsOverHttp, cases, async ({ recipe, isError }) => {
        bodies.token = mutatedResponse(isError ? oauthError : tokenResponse, recipe);
        status = isError ? 401 : 200;
        const transport = createTransport(transportOptions);
        const endpoint = createTokenEndpoint(settings(server.url), transport, retryInRealTime);
        return outcomeOf(withoutRejection(endpoint.signIn()), assertTokenSet);
      });
    });
  });
});

const listPath = "/api/project/v5/projects";

const transportOptions = {
  maxConnections: 4,
  caCertificates: [],
  headers: {},
};

function settings(url: string) {
  return settingsOf({
    baseUrl: url,
    authUrl: url,
    realm: "r",
    clientId: "c",
    clientSecret: `client-${canary}`,
    username: "reader",
    password: `password-${canary}`,
    headers: { "X-Key": `key-${canary}` },
    timeoutSeconds: boundMs / 2_000,
  });
}

/** Creates the API with its own token and retries, over an in-memory transport. */
function apiOver(transport: Transport): ProjectApi {
  const tokens = { accessToken: `access-${canary}`, lifetimeMs: 900_000 };
  const endpoint = {
    signIn: () => Promise.resolve(tokens),
    refresh: () => Promise.resolve(tokens),
  };
  const anySettings = settings("http://127.0.0.1:1");
  const client = new AuthenticatedClient(
    anySettings,
    new AccessTokens(new TokenCache(), endpoint),
    new Retry(defaultLimits, () => {}),
    transport,
  );
  return new ProjectApi(client, anySettings.apiUrl, defaultLimits.listMs);
}

function parsed(body: Buffer): unknown {
  return JSON.parse(body.toString("utf8").replace(/^\uFEFF/, ""));
}
