import assert from "node:assert/strict";
import { sorted } from "../../provider/projectSort.js";

describe("sorting projects", () => {
  const projects = [
    { projectId: "1", name: "b", type: "Z", hasCode: true },
    { projectId: "2", name: undefined, type: "Z", hasCode: false },
    { projectId: "3", name: "ä", type: "A", hasCode: true },
    { projectId: "4", name: "B", type: "A", hasCode: undefined },
    { projectId: "5", name: "b", type: "A", hasCode: false },
    { projectId: "10", name: "a-b", type: "A", hasCode: true },
  ];
  const order = (...sorts: Parameters<typeof sorted>[1]) =>
    sorted(projects, sorts)
      .map(({ projectId }) => projectId)
      .join(" ");

  it("keeps the order of the list without sorts, and the list itself", () => {
    assert.equal(order(), "1 2 3 4 5 10");
    order({ key: "name" });
    assert.equal(projects[0]?.projectId, "1");
  });

  it("is by code units, whatever the locale, stable, and has what is missing last", () => {
    assert.equal(order({ key: "name" }), "4 10 1 5 3 2");
    assert.equal(order({ key: "name", direction: "desc" }), "3 1 5 10 4 2");
    assert.equal(order({ key: "projectId" }), "1 10 2 3 4 5");
  });

  it("has false before true", () => {
    assert.equal(order({ key: "hasCode", direction: "asc" }), "2 5 1 3 10 4");
  });

  it("is by the next fact where the one before makes no difference", () => {
    assert.equal(order({ key: "type", direction: "desc" }, { key: "name" }), "1 2 4 10 5 3");
  });
});
