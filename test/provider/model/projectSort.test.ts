import assert from "node:assert/strict";
import { sortProjects } from "../../../provider/model/selection.js";

describe("sorting projects", () => {
  const projects = [
    { projectId: "1", name: "b", type: "Z", hasCode: true },
    { projectId: "2", name: undefined, type: "Z", hasCode: false },
    { projectId: "3", name: "ä", type: "A", hasCode: true },
    { projectId: "4", name: "B", type: "A", hasCode: undefined },
    { projectId: "5", name: "b", type: "A", hasCode: false },
    { projectId: "10", name: "a-b", type: "A", hasCode: true },
  ];
  const order = (...sorts: Parameters<typeof sortProjects>[1]) =>
    sortProjects(projects, sorts)
      .map(({ projectId }) => projectId)
      .join(" ");

  it("keeps the order of the list if there are no sorts, and never changes the list itself", () => {
    assert.equal(order(), "1 2 3 4 5 10");
    order({ key: "name" });
    assert.equal(projects[0]?.projectId, "1");
  });

  it("compares code units in every locale, is stable, and puts missing values last", () => {
    assert.equal(order({ key: "name" }), "4 10 1 5 3 2");
    assert.equal(order({ key: "name", direction: "desc" }), "3 1 5 10 4 2");
    assert.equal(order({ key: "projectId" }), "1 10 2 3 4 5");
  });

  it("puts false before true", () => {
    assert.equal(order({ key: "hasCode", direction: "asc" }), "2 5 1 3 10 4");
  });

  it("uses the next field where the field before is equal", () => {
    assert.equal(order({ key: "type", direction: "desc" }, { key: "name" }), "1 2 4 10 5 3");
  });
});
