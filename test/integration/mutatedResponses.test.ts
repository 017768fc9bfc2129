import { inClear } from "../../provider/wire/mapping.js";
import fc from "fast-check";
import { getProjectService } from "../../provider/service/projectService.js";
import { sampleProjects } from "../../sandbox/index.js";
import { assertProject, assertProjectList } from "../support/resultAssertions.js";
import { announceSeed, boundMs, canary, forEachCase, outcomeOf } from "../support/fuzzing.js";
import { mutatedResponse, recipes } from "../support/mutatedResponse.js";
import { setAt, wireProject } from "../support/project.js";
import { type ScriptedServer, startScriptedServer } from "../support/scriptedServer.js";
import { settingsOf } from "../support/settings.js";

const runs = Number(process.env["FUZZ_RUNS"] ?? 300);

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
const oauthError = { error: "invalid_grant", error_description: `Bad password: ${canary}` };

describe("a mutated response", function () {
  this.timeout(600_000);
  this.slow(60_000);

  before(announceSeed);

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
      await forEachCase(runs, recipes(rubbish), async (recipe) => {
        bodies.project = mutatedResponse(project, recipe);
        return outcomeOf(service.readProject({ projectId: "p-1" }, inClear), assertProject);
      });
    });

    it("gives a list or its project with a name, or a ProjectServiceError without a secret", async () => {
      const service = getProjectService(settings(server.url), () => {});
      const unusual = listCases(server.url);
      const cases = fc.record({ recipe: recipes(), unusual, byName: fc.boolean() });
      await forEachCase(runs, cases, async ({ recipe, unusual, byName }) => {
        bodies.list = mutatedResponse(listWith(unusual), recipe);
        return byName
          ? outcomeOf(service.readProject({ name: "shop" }, inClear), assertProject)
          : outcomeOf(service.listProjects(), assertProjectList);
      });
    });

    it("gives a project or a ProjectServiceError without a secret, at sign-in", async () => {
      const cases = fc.record({ recipe: recipes(rubbish), isError: fc.boolean() });
      let user = 0;
      await forEachCase(runs, cases, async ({ recipe, isError }) => {
        bodies.token = mutatedResponse(isError ? oauthError : tokenResponse, recipe);
        status = isError ? 401 : 200;
        const service = getProjectService(settings(server.url, `reader-${++user}`), () => {});
        return outcomeOf(service.readProject({ projectId: "p-1" }, inClear), assertProject);
      });
    });
  });
});

const listPath = "/api/project/v5/projects";

function settings(url: string, username = "reader") {
  return settingsOf({
    baseUrl: url,
    authUrl: url,
    realm: "r",
    clientId: "c",
    clientSecret: `client-${canary}`,
    username,
    password: `password-${canary}`,
    headers: { "X-Key": `key-${canary}` },
    timeoutSeconds: boundMs / 2_000,
  });
}
