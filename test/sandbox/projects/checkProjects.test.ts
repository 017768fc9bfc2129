import assert from "node:assert/strict";
import { checkProjects } from "../../../sandbox/projects/checkProjects.js";
import { sampleProjects, type SandboxProject } from "../../../sandbox/index.js";

describe("checkProjects", () => {
  it("accepts the sample projects, and an empty list", () => {
    assert.deepEqual(checkProjects(sampleProjects()), sampleProjects());
    assert.deepEqual(checkProjects([]), []);
  });

  it("accepts a project with an id and a name only, and null for everything optional", () => {
    checkProjects([{ _id: "p-1", name: "shop" }]);
    checkProjects([{ _id: "p-1", name: "shop", projectEnvironments: null }]);
    const environment = {
      environmentId: "live",
      projectEnvironmentDatabases: null,
      symLinks: null,
    };
    checkProjects([{ _id: "p-1", name: "shop", projectEnvironments: [environment] }]);
  });

  for (const value of [{}, null, "text", 5]) {
    it(`rejects ${JSON.stringify(value)} instead of a list`, () => {
      assert.throws(() => checkProjects(value), { message: "the JSON must be a list" });
    });
  }

  const environment = "[1].projectEnvironments[0]";
  const databases = `${environment}.projectEnvironmentDatabases.databases`;
  for (const [place, value, message] of [
    ["[1]", null, "[1] must be an object"],
    ["[1]", [], "[1] must be an object"],
    ["[1]._id", undefined, "[1]._id is missing"],
    ["[1]._id", 5, "[1]._id must be a string"],
    ["[1]._id", "", "[1]._id must not be empty"],
    ["[1]._id", "p-1", "[1]._id must differ from [0]._id"],
    ["[1].name", null, "[1].name must be a string"],
    ["[1].projectEnvironments", {}, "[1].projectEnvironments must be a list"],
    [environment, "live", `${environment} must be an object`],
    [`${environment}.environmentId`, undefined, `${environment}.environmentId is missing`],
    [
      "[1].projectEnvironments[1].environmentId",
      "live",
      `[1].projectEnvironments[1].environmentId must differ from ${environment}.environmentId`,
    ],
    [databases, {}, `${databases} must be a list`],
    [`${databases}[0].name`, "", `${databases}[0].name must not be empty`],
    [`${environment}.symLinks`, "x", `${environment}.symLinks must be a list`],
    [`${environment}.symLinks[0].id`, 1, `${environment}.symLinks[0].id must be a string`],
    [
      `${environment}.projectEnvironmentAssets.assetGroups[0].id`,
      undefined,
      `${environment}.projectEnvironmentAssets.assetGroups[0].id is missing`,
    ],
    [
      `${environment}.projectEnvironmentCode`,
      [],
      `${environment}.projectEnvironmentCode must be an object`,
    ],
    [
      `${environment}.projectEnvironmentCode.latestDeploymentPaths`,
      "x",
      `${environment}.projectEnvironmentCode.latestDeploymentPaths must be a list`,
    ],
  ] as const) {
    it(`says where the mistake is: ${message}`, () => {
      const projects = sampleProjects();
      set(projects, place, value);
      assert.throws(() => checkProjects(projects), { name: "TypeError", message });
    });
  }
});

/** Sets the value at a place such as `[0].projectEnvironments[1].environmentId`. */
function set(projects: SandboxProject[], place: string, value: unknown): void {
  const keys = place.match(/\w+/g) as string[];
  let parent = projects as unknown as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) parent = parent[key] as Record<string, unknown>;
  parent[keys.at(-1) as string] = value;
}
