// Run with: npm test
import assert from "node:assert/strict";
import test from "node:test";
import * as tools from "pulumi-project-service/policies";
import createRules from "./house-rules.mjs";

const rules = createRules(tools);
const rule = rules.find(({ name }) => name === "tagged-releases");
const ownDomains = rules.find(({ name }) => name === "own-domains");

/** Returns the state of each finding for a project whose environment runs a tag. */
function statesOf(currentTag, environmentId = "live") {
  const environments = [{ environmentId, currentTag }];
  const project = { projectId: "p-1", name: "shop", hasCode: true, environments };
  return tools.auditProject(project, [rule]).map(({ state }) => state);
}

test("a release may be live", () => assert.deepEqual(statesOf("v1.2.3"), []));
test("another tag must not be live", () => assert.deepEqual(statesOf("try-out"), ["violated"]));
test("another tag may be on stage", () => assert.deepEqual(statesOf("try-out", "stage"), []));
test("a missing tag is undecided", () => assert.deepEqual(statesOf(undefined), ["undecided"]));
test("the second project with a domain is found", () => {
  const projects = ["p-1", "p-2"].map((projectId) => ({
    projectId,
    name: projectId,
    domain: "shop.example.com",
    environments: [],
  }));
  const found = tools.auditProjects(projects, [ownDomains]);
  assert.deepEqual(
    found.map(({ projectId, subject }) => [projectId, subject]),
    [["p-2", "domain shop.example.com"]],
  );
});
