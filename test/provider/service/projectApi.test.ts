import assert from "node:assert/strict";
import { inspect } from "node:util";
import { failureOf } from "../../support/failure.js";
import { setAt, wireProject } from "../../support/project.js";
import { apiPath, ProjectApiServer } from "../../support/projectApiServer.js";

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

  it("has the data of a failed request as fields of the error, and no part of the response", async () => {
    api.project("p-1", { status: 403, body: { secret: "c4nary" } });
    const error = await failureOf(api.read(), "FORBIDDEN");
    assert.equal(error.status, 403);
    assert.equal(error.projectId, "p-1");
    assert.equal(error.url, `${api.server.url}${apiPath}/projects/p-1`);
    const shown = inspect(error, { depth: Infinity, showHidden: true });
    assert.ok(!shown.includes("c4nary") && !shown.includes("token-"), shown);
  });
});
