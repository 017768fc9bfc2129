import assert from "node:assert/strict";
import { InvalidResponseError } from "../../../provider/errors/requestFailure.js";
import { inClear } from "../../../provider/wire/credentials.js";
import { mapProject } from "../../../provider/wire/mapping.js";
import { validateProject, validateProjectList } from "../../../provider/wire/validate.js";
import { setAt, wireProject } from "../../support/project.js";

const environment = ["projectEnvironments", 1];
const database = [...environment, "projectEnvironmentDatabases", "databases", 0];

function rejectionOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof InvalidResponseError);
    return error.message;
  }
  assert.fail("the response was accepted");
}

describe("the validation", () => {
  for (const [path, place] of [
    [["_id"], "_id"],
    [["name"], "name"],
    [[...environment, "environmentId"], "projectEnvironments[1].environmentId"],
    [[...database, "name"], "projectEnvironments[1].projectEnvironmentDatabases.databases[0].name"],
    [
      [...environment, "projectEnvironmentAssets", "assetGroups", 0, "id"],
      "projectEnvironments[1].projectEnvironmentAssets.assetGroups[0].id",
    ],
    [[...environment, "symLinks", 0, "id"], "projectEnvironments[1].symLinks[0].id"],
  ] as const) {
    it(`rejects a project whose ${place} is missing, null or not text, and names the place`, () => {
      for (const value of [undefined, null, 12345]) {
        const wire = wireProject((project) => setAt(project, path, value));
        const message = rejectionOf(() => validateProject(wire));
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
    [[...database, "username"], 7],
    [[...database, "password"], {}],
  ] as const) {
    it(`rejects ${JSON.stringify(wrong)} as ${path.join(".")}`, () => {
      rejectionOf(() => validateProject(wireProject((project) => setAt(project, path, wrong))));
    });
  }

  it("rejects Pulumi's text for an unknown value in every text field", () => {
    for (const path of [["domain"], ["name"], database.concat("password")]) {
      const sentinel = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
      rejectionOf(() => validateProject(wireProject((project) => setAt(project, path, sentinel))));
    }
  });

  it("rejects an unpaired surrogate in every text field, and accepts a whole pair", () => {
    for (const path of [["domain"], ["name"], database.concat("password")]) {
      const withText = (text: string) => wireProject((project) => setAt(project, path, text));
      rejectionOf(() => validateProject(withText("a\ud83d")));
      rejectionOf(() => validateProject(withText("\ude00b")));
      validateProject(withText("a\ud83d\ude00b"));
    }
  });

  it("accepts a database without credentials, for users who may not see them", () => {
    for (const value of [undefined, null, ""]) {
      const wire = wireProject((project) => setAt(project, [...database, "password"], value));
      assert.equal(validateProject(wire), wire);
    }
  });

  it("rejects list elements without id or name", () => {
    for (const element of [{ _id: "p" }, { name: "n" }, { _id: "", name: "n" }, null, "p"]) {
      rejectionOf(() => validateProjectList({ _embedded: { projectResources: [element] } }));
    }
  });

  it("accepts or rejects any value in any place, and never shows it", () => {
    const texts = ["", "__proto__", "c4nary \u001b[31m", "04da6b54-80e4-46f7-96ec-b56ff0331ba9"];
    const numbers = [0, -1, 1.5, 1e308, 9007199254740993];
    const objects = [
      {},
      { c4nary: 1 },
      { then: "c4nary" },
      { __pulumiOutput: true },
      { length: 3 },
    ];
    const values = [...texts, ...numbers, ...objects, [], [null], [["c4nary"]], true, null];
    let accepted = 0;
    const text = JSON.stringify(wireProject());
    const paths = [...pathsIn(JSON.parse(text))];
    for (const path of paths) {
      for (const value of values) {
        const wire = JSON.parse(text) as unknown;
        setAt(wire, path, structuredClone(value));
        try {
          mapProject(validateProject(wire), inClear);
          accepted++;
        } catch (error) {
          assert.ok(error instanceof InvalidResponseError, String(error));
          assert.doesNotMatch(error.message, /c4nary/);
        }
      }
    }
    const cases = paths.length * values.length;
    assert.ok(accepted > cases / 10 && accepted < cases / 2, `${accepted} of ${cases}`);
  });
});

/** Yields the path of each value in a response. Of a list, only the first element. */
function* pathsIn(value: unknown, path: string[] = []): Generator<string[]> {
  if (typeof value !== "object" || value === null) return;
  const members = Object.entries(value);
  for (const [key, member] of Array.isArray(value) ? members.slice(0, 1) : members) {
    yield [...path, key];
    yield* pathsIn(member, [...path, key]);
  }
}
