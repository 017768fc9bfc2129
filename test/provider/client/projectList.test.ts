import assert from "node:assert/strict";
import { Page, Paging } from "../../../provider/wire/paging.js";
import { withoutCredentials } from "../../../provider/wire/mapping.js";
import { failureOf } from "../../support/failure.js";
import { setAt, wireProject } from "../../support/project.js";
import { apiPath, ProjectApiServer } from "../../support/projectApiServer.js";
import { sendJson, startScriptedServer } from "../../support/scriptedServer.js";

describe("the list of projects", () => {
  let api: ProjectApiServer;
  before(async () => {
    api = await ProjectApiServer.start();
  });
  beforeEach(() => api.reset());

  const readNames = async () => (await api.readList()).map(({ name }) => name);

  const page = (names: string[], next?: string, total?: number) => ({
    _embedded: { projectResources: names.map((name) => ({ _id: `id-${name}`, name })) },
    ...(next === undefined ? {} : { _links: { next: { href: next } } }),
    ...(total === undefined ? {} : { page: { totalElements: total } }),
  });

  it("follows relative and absolute links to further pages", async () => {
    api.list({ body: page(["a"], "projects?page=1") });
    api.page(1, { body: page(["b"], `${api.server.url}${apiPath}/projects?page=2`) });
    api.page(2, { body: page(["c"]) });
    assert.deepEqual(await readNames(), ["a", "b", "c"]);
  });

  it("follows no link to another server, so that no token reaches it", async () => {
    const other = await startScriptedServer();
    api.list({ body: page(["a"], `${other.url}/projects`) });
    await failureOf(api.readList(), "LIST_INCOMPLETE");
    assert.equal(other.requests.length, 0);
  });

  it("follows no circle of links", async () => {
    for (const next of [`${apiPath}/projects`, "#1"]) {
      api.server.requests.length = 0;
      api.list({ body: page(["a"], next) });
      await failureOf(api.readList(), "LIST_INCOMPLETE");
      assert.equal(api.paths().length, 1);
    }
  });

  it("follows no further page after a page without new projects", async () => {
    for (const names of [["a"], []]) {
      api.list({ body: page(names, "?page=1") });
      api.page(1, { body: page(names, "?page=2") });
      api.server.requests.length = 0;
      await failureOf(api.readList(), "LIST_INCOMPLETE");
      assert.ok(api.paths().length <= 2);
    }
  });

  it("follows no link to another path, so that no token reaches it", async () => {
    for (const next of ["projects/x", "/other?page=1", "../x/projects?page=1", "projects/"]) {
      api.server.requests.length = 0;
      api.list({ body: page(["a"], next) });
      const { message } = await failureOf(api.readList(), "LIST_INCOMPLETE");
      assert.match(message, /the next page has another path/);
      assert.deepEqual(api.paths(), [`${apiPath}/projects`]);
    }
  });

  it("follows at most 10,000 pages", () => {
    const paging = new Paging();
    const next = (number: number) =>
      paging.next(
        new Page(
          { _links: { next: { href: `?page=${number}` } } },
          `${api.server.url}/?page=${number - 1}`,
          () => undefined,
        ),
        true,
      );
    for (let number = 1; number < 10_000; number++) next(number);
    assert.throws(() => next(10_000), /more than 10000 pages/);
  });

  const last = (href: string, self?: string) => ({
    _links: { last: { href }, ...(self !== undefined && { self: { href: self } }) },
  });
  for (const [sign, extra, headers] of [
    ["a Link header", {}, { link: '<https://x.example/?page=1>; rel="next"' }],
    ["a Link header among others", {}, { link: "</>; rel=first, </?page=1>; title=x; rel=next" }],
    ["a Link header with two relations", {}, { link: '</?page=1>; REL="last next"' }],
    ["X-Next-Page", {}, { "x-next-page": "2" }],
    ["X-Total-Count", {}, { "x-total-count": "2" }],
    ["X-Total-Count, sent twice", {}, { "x-total-count": ["2", "2"] }],
    ["X-Total-Count, sent twice with different values", {}, { "x-total-count": ["1", "2"] }],
    ["X-Total", {}, { "x-total": "2" }],
    ["X-Total-Pages", {}, { "x-total-pages": "2" }],
    ["page.totalElements", { page: { totalElements: 2 } }, {}],
    ["page.totalElements as text", { page: { totalElements: "2" } }, {}],
    ["page.totalPages", { page: { number: 0, totalPages: 2 } }, {}],
    ["page.totalPages as text", { page: { number: "0", totalPages: "2" } }, {}],
    ["page.totalPages of pages that count from 1", { page: { number: 1, totalPages: 2 } }, {}],
    ["page.totalPages without a number", { page: { size: 1, totalPages: 2 } }, {}],
    ["totalPages", { totalPages: 2 }, {}],
    ["totalElements", { totalElements: 2 }, {}],
    ["total", { total: 2 }, {}],
    ["last", { last: false }, {}],
    ["hasMore", { hasMore: true }, {}],
    ["nextPageToken", { nextPageToken: "abc" }, {}],
    ["_links.Next", { _links: { Next: { href: "?page=1" } } }, {}],
    ["links as an object", { links: { self: "/x", next: "?page=2" } }, {}],
    ["links with several relations", { links: [{ rel: ["Next"], href: "/?page=1" }] }, {}],
    ["next", { next: "/?page=2" }, {}],
    ["nextLink", { nextLink: "/?page=2" }, {}],
    ["@odata.nextLink", { "@odata.nextLink": "/?page=2" }, {}],
    ["next_cursor", { next_cursor: "abc" }, {}],
    ["page.next", { page: { next: 2 } }, {}],
    ["page.last", { page: { last: false } }, {}],
    ["page.total", { page: { size: 1, total: 2 } }, {}],
    ["meta.pagination.total_pages", { meta: { pagination: { total_pages: 2 } } }, {}],
    ["has_more", { has_more: true }, {}],
    ["hasNext", { hasNext: "true" }, {}],
    ["last as text", { last: "false" }, {}],
    ["truncated", { truncated: true }, {}],
    ["totalCount", { totalCount: 2 }, {}],
    ["Content-Range", {}, { "content-range": "items 0-0/2" }],
    ["X-Has-More", {}, { "x-has-more": "true" }],
    ["X-Next-Cursor", {}, { "x-next-cursor": "abc" }],
    ["X-Page-Count", {}, { "x-page-count": "2" }],
    ["X-Pagination-Total-Count", {}, { "x-pagination-total-count": "2" }],
    ["a Link header with single quotes", {}, { link: "</?page=1>; rel='next'" }],
    ["links", { links: [{ rel: "self" }, { rel: "next", href: "/?page=1" }] }, {}],
    ["_links as a list", { _links: [{ rel: "self" }, { rel: "next", href: "/?page=1" }] }, {}],
    ["_links.last", last("?page=1"), {}],
    ["_links.last beside self", last("?page=1&size=1", "?page=0&size=1"), {}],
  ] as [string, object, Record<string, string | string[]>][]) {
    it(`is incomplete if ${sign} announces more projects, and is then read once more`, async () => {
      api.list({ body: { ...page(["a"]), ...extra }, headers });
      const { message } = await failureOf(api.readList(), "LIST_INCOMPLETE");
      assert.match(message, /^Listing the projects failed: the list is incomplete: /);
      assert.equal(api.paths().length, 2);
      api.list({ body: { ...page(["a"]), ...extra }, headers }, { body: page(["a", "b"]) });
      assert.equal((await api.readList()).length, 2);
    });
  }

  for (const [title, extra, headers] of [
    [
      "a Link header to other pages",
      {},
      { link: '</>; rel="prev"; title="next", </next>; rel=self' },
    ],
    [
      "a relation whose name contains next",
      {},
      { link: '</a>; rel="next-archive", </b>; rel=nextish' },
    ],
    ["equal or empty headers", {}, { "x-total-count": "1", link: "", "x-next-page": "" }],
    ["equal counts, sent twice", {}, { "x-total-count": ["1", "1"], "x-total-pages": "1" }],
    ["counts that are no numbers", { total: "many", totalPages: {} }, { "x-total-count": "many" }],
    ["one page in HAL", { page: { number: 0, totalPages: 1, totalElements: "1" } }, {}],
    ["one page that counts from 1", { page: { number: 1, size: 20, totalPages: 1 } }, {}],
    ["a negative count", { totalElements: -1, total: -1 }, {}],
    ["other fields", { totalElements: 1, last: true, links: [{ rel: "prev" }, null, 7] }, {}],
    ["fields of other types", { totalElements: null, last: null, links: {}, hasMore: "yes" }, {}],
    ["no further page", { hasMore: false, nextPageToken: null, totalPages: 1, total: 1 }, {}],
    ["an empty token", { nextPageToken: "" }, {}],
    ["a link to no next page", { links: { next: null }, page: { next: { href: null } } }, {}],
    [
      "no next page in any form",
      { next: null, nextLink: "", has_more: false, truncated: false },
      {},
    ],
    ["an unknown length", {}, { "content-range": "items 0-0/*", "x-has-more": "false" }],
    ["a last page that is this one", last(`${apiPath}/projects`), {}],
    ["a last page with the number 0", last("?page=0&size=20"), {}],
    ["a last page like self", last("?page=1&size=20", "?page=1&size=20"), {}],
  ] as [string, object, Record<string, string | string[]>][]) {
    it(`is complete in spite of ${title}`, async () => {
      api.list({ body: { ...page(["a"]), ...extra }, headers });
      assert.equal((await api.readList()).length, 1);
      assert.equal(api.paths().length, 1);
    });
  }

  for (const [name, total] of [
    ["page.totalElements", (count: number) => ({ body: { page: { totalElements: count } } })],
    ["totalElements", (count: number) => ({ body: { totalElements: count } })],
    ["total", (count: number) => ({ body: { total: count } })],
    ["X-Total-Count", (count: number) => ({ headers: { "x-total-count": String(count) } })],
    ["X-Total", (count: number) => ({ headers: { "x-total": String(count) } })],
  ] as [string, (count: number) => { body?: object; headers?: Record<string, string> }][]) {
    it(`is read once more if ${name} changes between two pages`, async () => {
      const of = (names: string[], next: string | undefined, count: number) => ({
        body: { ...page(names, next), ...total(count).body },
        headers: total(count).headers ?? {},
      });
      // Five projects. Project a is deleted between the pages, so c moves to the page read before.
      const [first, second, third] = ["", "?page=1", "?page=2"].map(
        (query) => `${apiPath}/projects${query}`,
      ) as [string, string, string];
      const afterwards = {
        [first]: of(["b", "c"], "?page=1", 4),
        [second]: of(["d", "e"], undefined, 4),
      };
      api.responses = {
        [first]: [of(["a", "b"], "?page=1", 5), afterwards[first]!],
        [second]: [of(["d", "e"], undefined, 4), afterwards[second]!],
      };
      assert.deepEqual(await readNames(), ["b", "c", "d", "e"]);

      api.responses = {
        [first]: [of(["a", "b"], "?page=1", 5)],
        [second]: [of(["d", "e"], "?page=2", 4)],
        [third]: [of(["f"], undefined, 5)],
      };
      const { message } = await failureOf(api.readList(), "LIST_INCOMPLETE");
      assert.ok(message.includes(`${name} changed from 5 to 4`), message);
    });
  }

  it("may have 256 MiB in all, so that endless pages do not fill the memory", async function () {
    this.timeout(30_000);
    const padding = "x".repeat(9 * 1024 * 1024);
    let number = 0;
    const server = await startScriptedServer();
    server.respond = (request, response) => {
      if (request.url?.startsWith("/auth/")) return sendJson(response, 200, { access_token: "t" });
      number++;
      sendJson(response, 200, { ...page([`p-${number}`], `?page=${number}`), padding });
    };
    const service = api.connect({ baseUrl: server.url, authUrl: server.url });
    const { message } = await failureOf(service.listProjects(), "LIST_INCOMPLETE");
    assert.match(message, /larger than 256 MiB/);
    assert.equal(number, 29);
  });

  it("is read once more if it has a project twice with different fields, and then succeeds or fails", async () => {
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
    api.list(both, { body: second });
    assert.deepEqual(await readNames(), ["other"]);
    api.list(both);
    const { message } = await failureOf(api.readList(), "LIST_INCOMPLETE");
    assert.match(message, /it has project id-a twice, with different fields/);
  });

  it("waits once for all its pages together, not for each page", async () => {
    const [first, second] = [page(["a"], "projects?page=1"), page(["b"])];
    api.list({ body: first });
    api.page(1, { body: second });
    api.project("p-1", { body: wireProject() });
    const single = api.connect({ maxConcurrency: 1 });
    await Promise.all([
      single.listProjects(),
      single.readProject({ projectId: "p-1" }, withoutCredentials),
    ]);
    assert.deepEqual(
      api.paths().map((path) => path.slice(apiPath.length)),
      ["/projects", "/projects?page=1", "/projects/p-1"],
    );
  });

  it("follows no link with a user name or a password", async () => {
    const next = `${api.server.url.replace("//", "//c4nary:pw@")}${apiPath}/projects?page=1`;
    api.list({ body: page(["a"], next) });
    const { message } = await failureOf(api.readList(), "LIST_INCOMPLETE");
    assert.doesNotMatch(message, /c4nary/);
    assert.equal(api.paths().length, 1);
  });

  it("fails if the link to the next page has no address", async () => {
    for (const next of [[], { href: `blob:${api.server.url}/x` }]) {
      api.list({ body: { ...page(["a"]), _links: { next } } });
      await failureOf(api.readList(), "LIST_INCOMPLETE");
    }
  });

  it("has each project once, also a project that moved to the next page meanwhile", async () => {
    api.list({ body: page(["a", "b"], "projects?page=1", 3) });
    api.page(1, { body: page(["b", "c"], undefined, 3) });
    assert.deepEqual(await readNames(), ["a", "b", "c"]);
  });

  it("is read once more if a project moved and there is no total count, and then succeeds or fails", async () => {
    const [first, second] = ["", "?page=1"].map((query) => `${apiPath}/projects${query}`);
    const moved = [{ body: page(["a", "b"], "projects?page=1") }, { body: page(["b", "d"]) }];
    api.responses[first!] = [moved[0]!, { body: page(["a", "c"], "projects?page=1") }];
    api.responses[second!] = [moved[1]!, { body: page(["b", "d"]) }];
    assert.deepEqual(await readNames(), ["a", "c", "b", "d"]);
    api.responses[first!] = [moved[0]!];
    api.responses[second!] = [moved[1]!];
    const { message } = await failureOf(api.readList(), "LIST_INCOMPLETE");
    assert.match(message, /has project \S+ twice, and no total count/);
  });

  it("is read once more if its total count differs, and then succeeds or fails", async () => {
    api.list({ body: page(["a"], undefined, 2) }, { body: page(["a", "b"]) });
    assert.equal((await api.readList()).length, 2);
    api.server.requests.length = 0;
    api.list({ body: page(["a"], undefined, 50) });
    const { message } = await failureOf(api.readList(), "LIST_INCOMPLETE");
    assert.match(
      message,
      /it has 1 projects, but page\.totalElements is 50\. Check baseUrl.* \(URL: http/,
    );
    assert.equal(api.paths().length, 2);
  });

  it("ignores links and counts of another shape", async () => {
    for (const extra of [{ page: 0 }, { page: "1" }, { page: null, _links: null }, { _links: 7 }]) {
      api.list({ body: { ...page(["a"]), ...extra } });
      assert.equal((await api.readList()).length, 1);
    }
  });

  it("is empty only if the service says so", async () => {
    api.list({ body: page([]) });
    assert.deepEqual(await api.readList(), []);
    api.list({ body: { page: { totalElements: 0 } } });
    assert.deepEqual(await api.readList(), []);
    api.list({ body: {} });
    await failureOf(api.readList(), "RESPONSE_INVALID");
  });

  it("is searched for the name of a project", async () => {
    api.list({ body: page(["blog", "shop", "Shop"]) });
    api.project("id-shop", { body: wireProject((project) => setAt(project, ["_id"], "id-shop")) });
    assert.equal((await api.readByName("shop")).projectId, "id-shop");
  });

  it("appears in the error if no project has the name", async () => {
    api.list({ body: page(["blog", "shop"]) });
    const { message } = await failureOf(api.readByName("x"), "NOT_FOUND");
    assert.match(message, / These exist: "blog", "shop"\. .* access to 2 projects\./);
  });

  it("appears on one line, with limited length, and without control characters", async () => {
    for (const [length, shown] of [
      [10, 10],
      [30, 10],
    ] as const) {
      const names = Array.from({ length }, (_, n) => `\u001b[31m${"x".repeat(200)}\n${n}`);
      api.list({ body: page(names) });
      const { message } = await failureOf(api.readByName("x"), "NOT_FOUND");
      assert.equal(message.match(/x…"/g)?.length, shown);
      assert.ok(message.length < 2_000, String(message.length));
      assert.match(message, /^[\x20-\x7e…]+$/u);
    }
  });

  it("has ids that appear the same way in errors, also invalid ids", async () => {
    for (const [id, code] of [
      [`\u009b31m${"x".repeat(9_000)}`, "ARGUMENT_INVALID"],
      ["x".repeat(9_000), "NOT_FOUND"],
      ["😀".repeat(500), "NOT_FOUND"],
    ] as const) {
      api.list({ body: { _embedded: { projectResources: [{ _id: id, name: "shop" }] } } });
      const { message } = await failureOf(api.readByName("shop"), code);
      assert.ok(message.length < 1_000, String(message.length));
      assert.doesNotMatch(message, /\p{Cc}/u);
    }
  });

  it("is shortened without cutting a character in two", async () => {
    api.list({ body: page([`a${"😀".repeat(50)}`, "😀".repeat(50)]) });
    const { message } = await failureOf(api.readByName("x"), "NOT_FOUND");
    assert.ok(message.isWellFormed());
  });

  it("appears with its ids in the error if several projects have the name", async () => {
    api.list({
      body: {
        _embedded: {
          projectResources: [
            { _id: "p-1", name: "shop" },
            { _id: "p-9", name: "shop" },
          ],
        },
      },
    });
    const { message } = await failureOf(api.readByName("shop"), "AMBIGUOUS_NAME");
    assert.match(message, /p-1 .*p-9/);
  });
});
