import assert from "node:assert/strict";
import { inspect } from "node:util";
import axios from "axios";
import type { ProjectServiceErrorCode } from "../../../provider/errors/projectServiceError.js";
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

  it("sends no header that the program set for its other requests with axios", async () => {
    api.project("p-1", { body: wireProject() });
    axios.defaults.headers.common["X-Vault-Token"] = "c4nary";
    try {
      await api.read();
    } finally {
      delete axios.defaults.headers.common["X-Vault-Token"];
    }
    assert.ok(!JSON.stringify(api.server.requests).includes("c4nary"));
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

  it("renews a rejected token once, and repeats the request", async () => {
    api.project("p-1", { status: 401, body: {} }, { body: wireProject() });
    await api.read();
    assert.equal(api.paths().length, 2);
    assert.equal(api.server.requests.at(-1)?.headers.authorization, "Bearer token-2");
  });

  it("fails with TOKEN_REFUSED if the service rejects the new token too", async () => {
    api.project("p-1", { status: 401, body: {} });
    const error = await failureOf(api.read(), "TOKEN_REFUSED");
    assert.equal(error.status, 401);
    assert.equal(api.paths().length, 2);
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
    it(`turns status ${status} into ${code}, with its data as fields and no part of the response`, async () => {
      const headers = { "retry-after": "120" };
      api.project("p-1", { status, body: { secret: "c4nary" }, headers });
      const error = await failureOf(api.read(), code);
      assert.equal(error.status, status);
      assert.equal(error.projectId, "p-1");
      assert.equal(error.url, `${api.server.url}${apiPath}/projects/p-1`);
      const shown = inspect(error, { depth: Infinity, showHidden: true });
      assert.ok(!shown.includes("c4nary") && !shown.includes("token-"), shown);
    });
  }

  it("names the invalid place in a response, and not its value", async () => {
    api.project("p-1", { body: { ...wireProject(), name: 4711 } });
    const { message } = await failureOf(api.read(), "RESPONSE_INVALID");
    assert.match(message, /name must be a string/);
    assert.ok(!message.includes("4711"));
  });

  for (const [what, body] of [
    ["a web page", "<html>c4nary</html>"],
    ["broken JSON", '{"password": "c4nary'],
    ["an empty response", ""],
  ]) {
    it(`rejects ${what}, without quoting it`, async () => {
      api.project("p-1", { body });
      const error = await failureOf(api.read(), "RESPONSE_INVALID");
      assert.ok(!inspect(error, { depth: Infinity, showHidden: true }).includes("c4nary"));
    });
  }
});
