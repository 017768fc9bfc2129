import assert from "node:assert/strict";
import { failureOf } from "../../support/failure.js";
import { ProjectApiServer } from "../../support/projectApiServer.js";

/* Pulumi would delete what a program made for the projects, if it took one of these for a shorter list or a NOT_FOUND. */
describe("a response that looks like a deletion is invalid:", () => {
  let api: ProjectApiServer;
  before(async () => {
    api = await ProjectApiServer.start();
  });
  beforeEach(() => api.reset());

  for (const [what, body] of [
    ["an error with status 200", { error: "Internal", _links: { self: { href: "/" } } }],
    ["the entry point of HAL", { _links: { projects: { href: "/api/project/v5/projects" } } }],
    ["a single project", { _id: "p-1", name: "shop", _links: { self: { href: "/" } } }],
  ] as const) {
    it(`${what} in place of the list`, async () => {
      api.list({ body });
      const { message } = await failureOf(api.readList(), "RESPONSE_INVALID");
      assert.match(message, /_embedded is missing/);
    });
  }

  for (const status of [403, 404]) {
    it(`a page of a gateway with ${status} in place of a project`, async () => {
      api.project("p-1", { status, body: "A page." });
      const { message } = await failureOf(api.read("p-1"), "RESPONSE_INVALID");
      assert.match(message, /a gateway sent a page \(status 40[34]\)/);
    });
  }
});
