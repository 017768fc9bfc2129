import assert from "node:assert/strict";
import { failureOf } from "../../support/failure.js";
import { wireProject } from "../../support/project.js";
import { apiPath, ProjectApiServer } from "../../support/projectApiServer.js";

describe("a project that changes between the list and its read", () => {
  let api: ProjectApiServer;
  before(async () => {
    api = await ProjectApiServer.start();
  });
  beforeEach(() => api.reset());

  const list = `${apiPath}/projects`;
  const listOf = (names: Record<string, string>) => ({
    body: {
      _embedded: {
        projectResources: Object.entries(names).map(([_id, name]) => ({
          _id,
          name,
          status: "DEPLOYED",
        })),
      },
    },
  });
  const fullForm = (_id: string, changes: object) => ({
    body: { ...wireProject(), _id, ...changes },
  });

  it("is not returned under a name that it no longer has", async () => {
    api.responses = {
      [list]: [listOf({ "p-1": "shop" })],
      [`${list}/p-1`]: [fullForm("p-1", { name: "shop-old" })],
    };
    const { message } = await failureOf(api.readByName("shop"), "NOT_FOUND");
    assert.match(message, /no project named "shop"\. Project p-1 was renamed to "shop-old"/);
    assert.equal(api.paths().length, 4);

    api.responses[list] = [listOf({ "p-1": "shop" }), listOf({ "p-1": "shop-old" })];
    const second = await failureOf(api.readByName("shop"), "NOT_FOUND");
    assert.match(second.message, /Project p-1 was renamed to "shop-old"/);
  });

  it("is replaced by the project that has the name now", async () => {
    api.responses = {
      [list]: [listOf({ "p-1": "shop" }), listOf({ "p-1": "shop-old", "p-2": "shop" })],
      [`${list}/p-1`]: [fullForm("p-1", { name: "shop-old" })],
      [`${list}/p-2`]: [fullForm("p-2", { name: "shop" })],
    };
    assert.equal((await api.readByName("shop")).projectId, "p-2");
  });
});
