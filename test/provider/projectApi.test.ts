import assert from "node:assert/strict";
import { inspect } from "node:util";
import type { Sealer } from "../../provider/mapping.js";
import type { CodeRepository, Database } from "../../provider/project.js";
import axios from "axios";
import { Paging } from "../../provider/paging.js";
import { connect, type ProjectService } from "../../provider/projectService.js";
import type { ProjectServiceErrorCode } from "../../provider/errors.js";
import { failureOf } from "../support/failure.js";
import { setAt, wireProject } from "../support/project.js";
import { type ScriptedServer, sendJson, startScriptedServer } from "../support/scriptedServer.js";
import { settingsOf } from "../support/settings.js";

const bare: Sealer<CodeRepository, Database> = {
  repository: (facts) => facts,
  database: (facts) => facts,
};

describe("the project API", () => {
  let server: ScriptedServer;
  let service: ProjectService;
  /** Answers to the API's requests, by path, each used up in turn but for the last. */
  let answers: Record<
    string,
    { status?: number; body: unknown; headers?: Record<string, string> }[]
  >;
  let tokens: number;

  before(async () => {
    server = await startScriptedServer();
    server.answer = (request, response) => {
      const path = request.url ?? "";
      if (path.startsWith("/auth/")) {
        return sendJson(response, 200, { access_token: `token-${++tokens}`, expires_in: 900 });
      }
      const queue = answers[path] ?? [];
      const answer = queue.length > 1 ? queue.shift() : queue[0];
      for (const [name, value] of Object.entries(answer?.headers ?? {})) {
        response.setHeader(name, value);
      }
      sendJson(response, answer?.status ?? (answer === undefined ? 404 : 200), answer?.body ?? {});
    };
  });

  let run = 0;
  beforeEach(() => {
    answers = {};
    tokens = 0;
    server.requests.length = 0;
    service = connect(settingsWith({}), () => {});
  });

  function settingsWith(changes: Record<string, unknown>) {
    return settingsOf({
      baseUrl: server.url,
      authUrl: server.url,
      realm: "r",
      clientId: "c",
      username: `user-${++run}`,
      password: "p",
      headers: { "X-Key": "k" },
      ...changes,
    });
  }

  const api = "/api/project/v5";
  const paths = () =>
    server.requests.map(({ path }) => path).filter((path) => path.startsWith(api));

  it("sends the token, the user agent and the extra headers", async () => {
    answers[`${api}/projects/p-1`] = [{ body: wireProject() }];
    await service.readProject({ projectId: "p-1" }, bare);
    const { headers } = server.requests.at(-1) ?? {};
    assert.equal(headers?.authorization, "Bearer token-1");
    assert.match(headers["user-agent"] ?? "", /^pulumi-project-service\/\d+\.\d+\.\d+$/);
    assert.equal(headers["x-key"], "k");
    assert.equal(headers["accept"], "application/json");
  });

  it("sends nothing that the program set for its other requests with axios", async () => {
    answers[`${api}/projects/p-1`] = [{ body: wireProject() }];
    axios.defaults.headers.common["X-Vault-Token"] = "c4nary";
    try {
      await service.readProject({ projectId: "p-1" }, bare);
    } finally {
      delete axios.defaults.headers.common["X-Vault-Token"];
    }
    assert.ok(!JSON.stringify(server.requests).includes("c4nary"));
  });

  it("encodes the id, and reads that very project", async () => {
    const projectId = "a/b c?#é%2e";
    answers[`${api}/projects/a%2Fb%20c%3F%23%C3%A9%252e`] = [
      { body: wireProject((project) => setAt(project, ["_id"], projectId)) },
    ];
    assert.equal((await service.readProject({ projectId }, bare)).projectId, projectId);
  });

  for (const projectId of ["", ".", "..", "a\nb", "\u0000", "\ud800"]) {
    it(`refuses ${JSON.stringify(projectId)} as id, without a request`, async () => {
      await failureOf(service.readProject({ projectId }, bare), "ARGUMENT_INVALID");
      assert.equal(server.requests.length, 0);
    });
  }

  it("does not take another project's answer", async () => {
    answers[`${api}/projects/p-2`] = [{ body: wireProject() }];
    const { message } = await failureOf(
      service.readProject({ projectId: "p-2" }, bare),
      "RESPONSE_INVALID",
    );
    assert.match(message, /_id is another project's/);
  });

  it("renews a refused token once and repeats the request", async () => {
    answers[`${api}/projects/p-1`] = [{ status: 401, body: {} }, { body: wireProject() }];
    await service.readProject({ projectId: "p-1" }, bare);
    assert.equal(paths().length, 2);
    assert.equal(server.requests.at(-1)?.headers.authorization, "Bearer token-2");
  });

  it("says when the service refuses every token", async () => {
    answers[`${api}/projects/p-1`] = [{ status: 401, body: {} }];
    const error = await failureOf(service.readProject({ projectId: "p-1" }, bare), "TOKEN_REFUSED");
    assert.equal(error.status, 401);
    assert.equal(paths().length, 2);
  });

  for (const [status, code] of [
    [403, "FORBIDDEN"],
    [404, "NOT_FOUND"],
    [418, "RESPONSE_INVALID"],
    [204, "RESPONSE_INVALID"],
    [302, "RESPONSE_INVALID"],
    [429, "RATE_LIMITED"],
    [500, "SERVICE_UNAVAILABLE"],
    [503, "SERVICE_UNAVAILABLE"],
  ] as [number, ProjectServiceErrorCode][]) {
    it(`turns ${status} into ${code}, with the data as fields and nothing of the answer`, async () => {
      answers[`${api}/projects/p-1`] = [{ status, body: { secret: "c4nary" } }];
      const error = await failureOf(service.readProject({ projectId: "p-1" }, bare), code);
      assert.equal(error.status, status);
      assert.equal(error.projectId, "p-1");
      assert.equal(error.url, `${server.url}${api}/projects/p-1`);
      const shown = inspect(error, { depth: Infinity, showHidden: true });
      assert.ok(!shown.includes("c4nary") && !shown.includes("token-"), shown);
    });
  }

  it("names the place where an answer is wrong, and not the value", async () => {
    answers[`${api}/projects/p-1`] = [{ body: { ...wireProject(), name: 4711 } }];
    const { message } = await failureOf(
      service.readProject({ projectId: "p-1" }, bare),
      "RESPONSE_INVALID",
    );
    assert.match(message, /name must be string/);
    assert.ok(!message.includes("4711"));
  });

  for (const [what, body] of [
    ["no JSON", "<html>c4nary</html>"],
    ["broken JSON", '{"password": "c4nary'],
    ["nothing", ""],
  ]) {
    it(`refuses ${what}, without quoting it`, async () => {
      answers[`${api}/projects/p-1`] = [{ body }];
      const error = await failureOf(
        service.readProject({ projectId: "p-1" }, bare),
        "RESPONSE_INVALID",
      );
      assert.ok(!inspect(error, { depth: Infinity, showHidden: true }).includes("c4nary"));
    });
  }

  describe("list", () => {
    const page = (names: string[], next?: string, total?: number) => ({
      _embedded: { projectResources: names.map((name) => ({ _id: `id-${name}`, name })) },
      ...(next === undefined ? {} : { _links: { next: { href: next } } }),
      ...(total === undefined ? {} : { page: { totalElements: total } }),
    });

    it("follows the pages, relative and absolute", async () => {
      answers[`${api}/projects`] = [{ body: page(["a"], "projects?page=1") }];
      answers[`${api}/projects?page=1`] = [
        { body: page(["b"], `${server.url}${api}/projects?page=2`) },
      ];
      answers[`${api}/projects?page=2`] = [{ body: page(["c"]) }];
      const projects = await service.listProjects();
      assert.deepEqual(
        projects.map(({ name }) => name),
        ["a", "b", "c"],
      );
    });

    it("sends no token to another server", async () => {
      const other = await startScriptedServer();
      answers[`${api}/projects`] = [{ body: page(["a"], `${other.url}/projects`) }];
      await failureOf(service.listProjects(), "LIST_INCOMPLETE");
      assert.equal(other.requests.length, 0);
    });

    it("does not go in circles", async () => {
      for (const next of [`${api}/projects`, "#1"]) {
        server.requests.length = 0;
        answers[`${api}/projects`] = [{ body: page(["a"], next) }];
        await failureOf(service.listProjects(), "LIST_INCOMPLETE");
        assert.equal(paths().length, 1);
      }
    });

    it("does not follow pages without end that bring nothing new", async () => {
      for (const names of [["a"], []]) {
        answers[`${api}/projects`] = [{ body: page(names, "projects/x/") }];
        answers[`${api}/projects/x/`] = [{ body: page(names, "x/") }];
        server.requests.length = 0;
        await failureOf(service.listProjects(), "LIST_INCOMPLETE");
        assert.ok(paths().length <= 2);
      }
    });

    it("does not follow more than 10,000 pages", () => {
      const paging = new Paging();
      const next = (number: number) =>
        paging.next(
          {
            body: { _links: { next: { href: `?page=${number}` } } },
            header: () => undefined,
          },
          `${server.url}/?page=${number - 1}`,
          true,
        );
      for (let number = 1; number < 10_000; number++) next(number);
      assert.throws(() => next(10_000), /over 10000 pages/);
    });

    for (const [sign, extra, headers] of [
      ["a Link header", {}, { link: '<https://x.example/?page=1>; rel="next"' }],
      ["a Link header among others", {}, { link: "</>; rel=first, </?page=1>; title=x; rel=next" }],
      ["a Link header with two relations", {}, { link: '</?page=1>; REL="last next"' }],
      ["X-Total-Count", {}, { "x-total-count": "2" }],
      ["page.totalElements as text", { page: { totalElements: "2" } }, {}],
      ["page.totalPages", { page: { number: 0, totalPages: 2 } }, {}],
      ["page.totalPages as text", { page: { number: "0", totalPages: "2" } }, {}],
      ["totalElements", { totalElements: 2 }, {}],
      ["last", { last: false }, {}],
      ["links", { links: [{ rel: "self" }, { rel: "next", href: "/?page=1" }] }, {}],
    ] as [string, object, Record<string, string>][]) {
      it(`is not whole where ${sign} says that there is more, and is then read once more`, async () => {
        answers[`${api}/projects`] = [{ body: { ...page(["a"]), ...extra }, headers }];
        const { message } = await failureOf(service.listProjects(), "LIST_INCOMPLETE");
        assert.match(message, /^Listing the projects failed: the list cannot be read to its end, /);
        assert.equal(paths().length, 2);
        answers[`${api}/projects`] = [
          { body: { ...page(["a"]), ...extra }, headers },
          { body: page(["a", "b"]) },
        ];
        assert.equal((await service.listProjects()).length, 2);
      });
    }

    it("is whole where such signs say so, or say nothing", async () => {
      for (const [extra, headers] of [
        [{}, { link: '</>; rel="prev"; title="next", </next>; rel=self' }],
        [{}, { "x-total-count": "1", link: "" }],
        [{}, { "x-total-count": "many" }],
        [{ page: { number: 0, totalPages: 1, totalElements: "1" } }, {}],
        [{ page: { number: 1, totalPages: 2 } }, {}],
        [{ page: { totalPages: 2 } }, {}],
        [{ totalElements: 1, last: true, links: [{ rel: "prev" }, null, 7] }, {}],
        [{ totalElements: null, last: null, links: {} }, {}],
      ] as [object, Record<string, string>][]) {
        answers[`${api}/projects`] = [{ body: { ...page(["a"]), ...extra }, headers }];
        assert.equal((await service.listProjects()).length, 1, JSON.stringify([extra, headers]));
      }
    });

    it("shows no project in two ways: it is read once more, and is then one or an error", async () => {
      const [first, second] = [page(["a"]), page(["a"])];
      second._embedded.projectResources[0]!.name = "other";
      const both = {
        body: {
          _embedded: {
            projectResources: [
              ...first._embedded.projectResources,
              ...second._embedded.projectResources,
            ],
          },
        },
      };
      answers[`${api}/projects`] = [both, { body: second }];
      assert.deepEqual(
        (await service.listProjects()).map(({ name }) => name),
        ["other"],
      );
      answers[`${api}/projects`] = [both];
      const { message } = await failureOf(service.listProjects(), "LIST_INCOMPLETE");
      assert.match(message, /it shows project id-a twice, with different fields/);
    });

    it("takes one turn for all its pages, and waits in no queue between them", async () => {
      const [first, second] = [page(["a"], "projects?page=1"), page(["b"])];
      answers[`${api}/projects`] = [{ body: first }];
      answers[`${api}/projects?page=1`] = [{ body: second }];
      answers[`${api}/projects/p-1`] = [{ body: wireProject() }];
      const single = connect(settingsWith({ maxConcurrency: 1 }), () => {});
      await Promise.all([single.listProjects(), single.readProject({ projectId: "p-1" }, bare)]);
      assert.deepEqual(
        paths().map((path) => path.slice(api.length)),
        ["/projects", "/projects?page=1", "/projects/p-1"],
      );
    });

    it("follows no link with a user name or a password, for each would open a connection", async () => {
      const next = `${server.url.replace("//", "//c4nary:pw@")}${api}/projects?page=1`;
      answers[`${api}/projects`] = [{ body: page(["a"], next) }];
      const { message } = await failureOf(service.listProjects(), "LIST_INCOMPLETE");
      assert.doesNotMatch(message, /c4nary/);
      assert.equal(paths().length, 1);
    });

    it("fails when a next page has no address", async () => {
      for (const next of [[], { href: `blob:${server.url}/x` }]) {
        answers[`${api}/projects`] = [{ body: { ...page(["a"]), _links: { next } } }];
        await failureOf(service.listProjects(), "LIST_INCOMPLETE");
      }
    });

    it("has each project once, also one that moved to the next page meanwhile", async () => {
      answers[`${api}/projects`] = [{ body: page(["a", "b"], "projects?page=1", 3) }];
      answers[`${api}/projects?page=1`] = [{ body: page(["b", "c"], undefined, 3) }];
      const projects = await service.listProjects();
      assert.deepEqual(
        projects.map(({ name }) => name),
        ["a", "b", "c"],
      );
    });

    it("is read once more when the count disagrees, and is then complete or an error", async () => {
      answers[`${api}/projects`] = [
        { body: page(["a"], undefined, 2) },
        { body: page(["a", "b"]) },
      ];
      assert.equal((await service.listProjects()).length, 2);
      server.requests.length = 0;
      answers[`${api}/projects`] = [{ body: page(["a"], undefined, 50) }];
      const { message } = await failureOf(service.listProjects(), "LIST_INCOMPLETE");
      assert.match(message, /shows 1 projects and counts 50\. Check baseUrl.* Asked: http/);
      assert.equal(paths().length, 2);
    });

    it("does not mind links and counts of another shape", async () => {
      for (const extra of [
        { page: 0 },
        { page: "1" },
        { page: null, _links: null },
        { _links: 7 },
      ]) {
        answers[`${api}/projects`] = [{ body: { ...page(["a"]), ...extra } }];
        assert.equal((await service.listProjects()).length, 1);
      }
    });

    it("is empty only when the service says so", async () => {
      answers[`${api}/projects`] = [{ body: page([]) }];
      assert.deepEqual(await service.listProjects(), []);
      answers[`${api}/projects`] = [{ body: { page: { totalElements: 0 } } }];
      assert.deepEqual(await service.listProjects(), []);
      answers[`${api}/projects`] = [{ body: {} }];
      await failureOf(service.listProjects(), "RESPONSE_INVALID");
    });

    it("finds a project by its name", async () => {
      answers[`${api}/projects`] = [{ body: page(["blog", "shop", "Shop"]) }];
      answers[`${api}/projects/id-shop`] = [
        { body: wireProject((project) => setAt(project, ["_id"], "id-shop")) },
      ];
      assert.equal((await service.readProject({ name: "shop" }, bare)).projectId, "id-shop");
    });

    it("shows what there is when no project has the name", async () => {
      answers[`${api}/projects`] = [{ body: page(["blog", "shop"]) }];
      const { message } = await failureOf(service.readProject({ name: "x" }, bare), "NOT_FOUND");
      assert.match(message, /id-blog \(blog\), id-shop \(shop\)/);
    });

    it("shows the service's texts on one line, and not endless", async () => {
      const names = Array.from({ length: 30 }, (_, n) => `\u001b[31m${"x".repeat(200)}\n${n}`);
      answers[`${api}/projects`] = [{ body: page(names) }];
      const { message } = await failureOf(service.readProject({ name: "x" }, bare), "NOT_FOUND");
      assert.match(message, /and 10 more/);
      assert.ok(message.length < 4_000, String(message.length));
      assert.match(message, /^[\x20-\x7e…]+$/u);
    });

    it("shows an id of the service so too, also one that cannot be asked for", async () => {
      for (const [id, code] of [
        [`\u009b31m${"x".repeat(9_000)}`, "ARGUMENT_INVALID"],
        ["x".repeat(9_000), "NOT_FOUND"],
        ["😀".repeat(500), "NOT_FOUND"],
      ] as const) {
        answers[`${api}/projects`] = [
          { body: { _embedded: { projectResources: [{ _id: id, name: "shop" }] } } },
        ];
        const { message } = await failureOf(service.readProject({ name: "shop" }, bare), code);
        assert.ok(message.length < 1_000, String(message.length));
        assert.doesNotMatch(message, /\p{Cc}/u);
      }
    });

    it("cuts no character in two", async () => {
      answers[`${api}/projects`] = [{ body: page([`a${"😀".repeat(50)}`, "😀".repeat(50)]) }];
      const { message } = await failureOf(service.readProject({ name: "x" }, bare), "NOT_FOUND");
      assert.ok(message.isWellFormed());
    });

    it("shows the ids when several projects have the name", async () => {
      answers[`${api}/projects`] = [
        {
          body: {
            _embedded: {
              projectResources: [
                { _id: "p-1", name: "shop" },
                { _id: "p-9", name: "shop" },
              ],
            },
          },
        },
      ];
      const { message } = await failureOf(
        service.readProject({ name: "shop" }, bare),
        "AMBIGUOUS_NAME",
      );
      assert.match(message, /p-1 .*p-9/);
    });
  });
});
