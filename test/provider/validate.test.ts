import assert from "node:assert/strict";
import {
  InvalidAnswer,
  validateProject,
  validateProjectList,
  validateTokenReply,
} from "../../provider/validate.js";
import { setAt, wireProject } from "../support/project.js";

const environment = ["projectEnvironments", 1];
const database = [...environment, "projectEnvironmentDatabases", "databases", 0];

function complaint(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof InvalidAnswer);
    return error.message;
  }
  assert.fail("accepted");
}

describe("the validation", () => {
  for (const [path, place] of [
    [["_id"], "_id"],
    [["name"], "name"],
    [[...environment, "environmentId"], "projectEnvironments[1].environmentId"],
    [[...database, "name"], "projectEnvironments[1].projectEnvironmentDatabases.databases[0].name"],
    [
      [...database, "username"],
      "projectEnvironments[1].projectEnvironmentDatabases.databases[0].username",
    ],
    [
      [...database, "password"],
      "projectEnvironments[1].projectEnvironmentDatabases.databases[0].password",
    ],
    [
      [...environment, "projectEnvironmentAssets", "assetGroups", 0, "id"],
      "projectEnvironments[1].projectEnvironmentAssets.assetGroups[0].id",
    ],
    [[...environment, "symLinks", 0, "id"], "projectEnvironments[1].symLinks[0].id"],
  ] as const) {
    it(`refuses a project whose ${place} is missing, null or no text, and names the place`, () => {
      for (const value of [undefined, null, 12345]) {
        const wire = wireProject((project) => setAt(project, path, value));
        const message = complaint(() => validateProject(wire));
        assert.ok(message.startsWith(place), message);
        assert.ok(!message.includes("12345"), message);
      }
    });
  }

  for (const [path, wrong] of [
    [["type"], 1],
    [["hasCode"], "true"],
    [["codeRepository"], "git"],
    [["codeRepository", "gitHost"], 1],
    [["projectEnvironments"], {}],
    [environment, null],
    [[...environment, "order"], 1.5],
    [[...environment, "order"], "1"],
    [[...environment, "symLinks"], "none"],
    [[...environment, "projectEnvironmentCode"], []],
    [[...environment, "projectEnvironmentCode", "branch"], "main"],
    [[...environment, "projectEnvironmentCode", "branch", "guarded"], 1],
    [[...environment, "projectEnvironmentCode", "deploymentsToKeep"], "3"],
    [[...environment, "projectEnvironmentCode", "latestDeploymentPaths"], "p"],
    [[...environment, "projectEnvironmentAssets", "assetGroups"], {}],
    [[...environment, "projectEnvironmentDatabases", "initialized"], "yes"],
    [[...environment, "projectEnvironmentDatabases", "databases"], {}],
    [[...database, "associationId"], "5"],
    [[...database, "databaseType"], 8],
  ] as const) {
    it(`refuses ${JSON.stringify(wrong)} as ${path.join(".")}`, () => {
      complaint(() => validateProject(wireProject((project) => setAt(project, path, wrong))));
    });
  }

  it("refuses the text that stands for an unknown value in Pulumi, wherever text is", () => {
    for (const path of [["domain"], ["name"], database.concat("password")]) {
      const sentinel = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
      complaint(() => validateProject(wireProject((project) => setAt(project, path, sentinel))));
    }
  });

  it("refuses half a surrogate pair wherever text is, and takes a whole one", () => {
    for (const path of [["domain"], ["name"], database.concat("password")]) {
      const withText = (text: string) => wireProject((project) => setAt(project, path, text));
      complaint(() => validateProject(withText("a\ud83d")));
      complaint(() => validateProject(withText("\ude00b")));
      validateProject(withText("a\ud83d\ude00b"));
    }
  });

  it("accepts empty credentials: a database may have an empty password", () => {
    const wire = wireProject((project) => setAt(project, [...database, "password"], ""));
    assert.equal(validateProject(wire), wire);
  });

  it("refuses list elements without id or name", () => {
    for (const element of [{ _id: "p" }, { name: "n" }, { _id: "", name: "n" }, null, "p"]) {
      complaint(() => validateProjectList({ _embedded: { projectResources: [element] } }));
    }
  });

  it("refuses token replies that cannot be used, without showing the token", () => {
    for (const reply of [
      { token_type: "bearer" },
      { access_token: "", token_type: "bearer" },
      { access_token: "to\r\nken", token_type: "bearer" },
      { access_token: "tokén", token_type: "bearer" },
      { access_token: "t0ken", token_type: "mac" },
      { access_token: "t0ken", expires_in: 0 },
      { access_token: "t0ken", expires_in: -1 },
      { access_token: "t0ken", expires_in: "900" },
      { access_token: "t0ken", refresh_token: 7 },
      [],
      "t0ken",
      null,
    ]) {
      assert.ok(!complaint(() => validateTokenReply(reply)).includes("t0ken"));
    }
  });
});
