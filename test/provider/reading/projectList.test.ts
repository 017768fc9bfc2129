import assert from "node:assert/strict";
import { withoutCredentials } from "../../../provider/wire/credentials.js";
import { failureOf } from "../../support/failure.js";
import { wireProject } from "../../support/project.js";
import { apiPath, ProjectApiServer } from "../../support/projectApiServer.js";
import { startScriptedServer } from "../../support/scriptedServer.js";

describe("the list of projects", () => {
  let api: ProjectApiServer;
  before(async () => {
    api = await ProjectApiServer.start();
  });
  beforeEach(() => api.reset());

  const readNames = async () => (await api.readList()).map(({ name }) => name);

  const page = (names: string[], next?: string) => ({
    _embedded: { projectResources: names.map((name) => ({ _id: `id-${name}`, name })) },
    ...(next === undefined ? {} : { _links: { next: { href: next } } }),
  });

  it("follows relative and absolute links to further pages", async () => {
    api.list({ body: page(["a"], "projects?page=1") });
    api.page(1, { body: page(["b"], `${api.server.url}${apiPath}/projects?page=2`) });
    api.page(2, { body: page(["c"]) });
    assert.deepEqual(await readNames(), ["a", "b", "c"]);
  });

  it("follows a list of one link, and none of two", async () => {
    const linked = (...hrefs: string[]) => ({
      ...page(["a"]),
      _links: { next: hrefs.map((href) => ({ href })) },
    });
    api.list({ body: linked("?page=1") });
    api.page(1, { body: page(["b"]) });
    assert.deepEqual(await readNames(), ["a", "b"]);
    api.list({ body: linked() });
    assert.deepEqual(await readNames(), ["a"]);
    api.list({ body: linked("?page=1", "?page=2") });
    await failureOf(api.readList(), "LIST_INCOMPLETE");
  });

  it("is invalid if an id leads elsewhere, also with skip", async () => {
    api.list({ body: { _embedded: { projectResources: [{ _id: "..", name: "a" }] } } });
    await failureOf(
      api.service.readProjects([], withoutCredentials, { onInaccessible: "skip" }),
      "RESPONSE_INVALID",
    );
  });

  it("follows no circle of links, and no further page after a page without new projects", async () => {
    for (const [names, next] of [
      [["a"], `${apiPath}/projects`],
      [["a"], "#1"],
      [["a"], "?page=1"],
      [[], "?page=1"],
    ] as const) {
      api.list({ body: page([...names], next) });
      api.page(1, { body: page([...names], "?page=2") });
      api.server.requests.length = 0;
      await failureOf(api.readList(), "LIST_INCOMPLETE");
      assert.ok(api.paths().length <= 2, String(api.paths().length));
    }
  });

  it("follows no link to another path or server, so that no token reaches it", async () => {
    const other = await startScriptedServer();
    const hosts = [other.url, api.server.url.replace("//", "//user@")];
    const elsewhere = hosts.map((host) => `${host}${apiPath}/projects?page=1`);
    for (const next of ["projects/x", "/other?page=1", "projects/", ...elsewhere]) {
      api.server.requests.length = 0;
      api.list({ body: page(["a"], next) });
      const { message } = await failureOf(api.readList(), "LIST_INCOMPLETE");
      assert.match(message, /leads to another address/);
      assert.deepEqual(api.paths(), [`${apiPath}/projects`]);
      assert.equal(other.requests.length, 0);
    }
  });

  for (const [sign, extra, link = ""] of [
    ['the header Link of its last page has rel="next"', {}, '<https://x/?page=1>; rel="next"'],
    ['the header Link of its last page has rel="next"', {}, "</>; rel=first, </?p>; rel=next"],
    ['the header Link of its last page has rel="next"', {}, '</?page=1>; REL="last next"'],
    ["page.totalElements is 3", { page: { totalElements: "3" } }],
    ["page.totalPages is 3", { page: { totalElements: 1, totalPages: 3 } }],
  ] as [string, object, string?][]) {
    it(`is incomplete if ${sign}, on any page but with Link on the last one`, async () => {
      const failWith = async (shown: string, pages: number) => {
        api.server.requests.length = 0;
        const { message } = await failureOf(api.readList(), "LIST_INCOMPLETE");
        assert.ok(message.includes(`it shows ${shown}, but ${sign}`), message);
        assert.equal(api.paths().length, pages);
      };
      api.list({ body: { ...page(["a"]), ...extra }, headers: { link } });
      await failWith("1 project on 1 page", 1);
      api.list({ body: page(["a"], "?page=1") });
      api.page(1, { body: { ...page(["b"]), ...extra }, headers: { link } });
      await failWith("2 projects on 2 pages", 2);
      if (link !== "") return;
      api.list({ body: { ...page(["a"], "?page=1"), ...extra } });
      api.page(1, { body: page(["b"]) });
      await failWith("2 projects on 2 pages", 2);
    });
  }

  for (const [title, extra, headers] of [
    ["a Link header to other pages", {}, { link: '</>; rel="prev"; title="next", </n>; rel=self' }],
    ["a relation whose name contains next", {}, { link: '</a>; rel="next-archive"' }],
    ["equal counts", { page: { number: 0, totalPages: 1, totalElements: "1" } }, {}],
    ["counts that are no numbers", { page: { totalPages: {}, totalElements: "many" } }, {}],
    ["fields with other names", { total: 2, hasMore: true, next: "/?page=2", last: false }, {}],
    ["a page that is no object, and no next page", { page: 7, _links: { next: null } }, {}],
  ] as [string, object, Record<string, string>][]) {
    it(`is complete in spite of ${title}`, async () => {
      api.list({ body: { ...page(["a"]), ...extra }, headers });
      assert.equal((await api.readList()).length, 1);
      assert.equal(api.paths().length, 1);
    });
  }

  it("is incomplete if it has a project twice, on one page or on two", async () => {
    for (const [first, second] of [
      [["a", "a"], []],
      [
        ["a", "b"],
        ["b", "d"],
      ],
    ] as const) {
      api.list({ body: page([...first], "?page=1") });
      api.page(1, { body: page([...second]) });
      const { message } = await failureOf(api.readList(), "LIST_INCOMPLETE");
      assert.match(message, /it has project id-[ab] twice/);
    }
  });

  it("is empty only if the service says so", async () => {
    const self = { self: { href: "/projects" } };
    api.list({ body: page([]) });
    assert.deepEqual(await api.readList(), []);
    const embedsNothing = [{}, { page: { totalElements: 0 } }, { _links: self }];
    for (const body of [...embedsNothing, { error: "Internal", _links: self }, wireProject()]) {
      api.list({ body });
      const { message } = await failureOf(api.readList(), "RESPONSE_INVALID");
      assert.match(message, /Some services omit it if the user has access to no project\./);
    }
  });
});
