import assert from "node:assert/strict";
import { withoutCredentials } from "../../../provider/wire/credentials.js";
import { failureOf } from "../../support/failure.js";
import { setAt, wireProject } from "../../support/project.js";
import { ProjectApiServer } from "../../support/projectApiServer.js";

describe("the project API", () => {
  let api: ProjectApiServer;
  before(async () => {
    api = await ProjectApiServer.start();
  });
  beforeEach(() => api.reset());

  it("sends the token, the user agent and the extra headers", async () => {
    api.project("p-1", { body: wireProject() });
    await api.read();
    const { headers } = api.server.requests.at(-1) ?? {};
    assert.equal(headers?.authorization, "Bearer token-1");
    assert.match(headers["user-agent"] ?? "", /^pulumi-project-service\/\d+\.\d+\.\d+$/);
    assert.equal(headers["x-key"], "k");
    assert.equal(headers["accept"], "application/json");
  });

  it("encodes the id, and reads the project with this id", async () => {
    const projectId = "a/b c?#é%2e";
    api.project("a%2Fb%20c%3F%23%C3%A9%252e", {
      body: wireProject((project) => setAt(project, ["_id"], projectId)),
    });
    assert.equal((await api.read(projectId)).projectId, projectId);
  });

  for (const projectId of ["", ".", "..", "a\nb", "\u0000", "\ud800"]) {
    it(`rejects ${JSON.stringify(projectId)} as id, without a request`, async () => {
      await failureOf(api.read(projectId), "ARGUMENT_INVALID");
      assert.equal(api.server.requests.length, 0);
    });
  }

  it("rejects the response of another project", async () => {
    api.project("p-2", { body: wireProject() });
    const { message } = await failureOf(api.read("p-2"), "RESPONSE_INVALID");
    assert.match(message, /_id is the id of another project/);
  });

  describe("goes on with skip", () => {
    const broken = (id: string) =>
      wireProject((project) => {
        setAt(project, ["_id"], id);
        setAt(project, ["codeRepository", "name"], 5);
      });
    const listed = ["p-1", "p-2"].map((_id) => ({ _id, name: _id }));
    const read = (onInaccessible: "fail" | "skip") =>
      api.service.readProjects([], withoutCredentials, { onInaccessible, advice: "The advice." });
    beforeEach(() => {
      api.list({ body: { _embedded: { projectResources: listed } } });
      api.project("p-1", { body: wireProject() });
    });

    it("after a project whose fields break the contract, and else says how", async () => {
      api.project("p-2", { body: broken("p-2") });
      const { projects, inaccessible } = await read("skip");
      assert.equal(projects.length, 1);
      assert.deepEqual(inaccessible, [{ projectId: "p-2", code: "RESPONSE_INVALID" }]);
      const { message } = await failureOf(read("fail"), "RESPONSE_INVALID");
      assert.match(message, /p-2 failed: .*codeRepository\.name must be .* The advice\.$/);
    });

    for (const [what, response] of [
      ["another project", { body: broken("p-1") }],
      ["no project", { body: [] }],
      ["a redirect", { status: 302, body: {} }],
      ["a page", { body: {}, headers: { "content-encoding": "gzip" } }],
    ] as const) {
      it(`but not after ${what}`, async () => {
        api.project("p-2", response);
        const { message } = await failureOf(read("skip"), "RESPONSE_INVALID");
        assert.doesNotMatch(message, /advice/);
      });
    }
  });
});
