import assert from "node:assert/strict";
import { keepCredentials } from "../../../provider/wire/credentials.js";
import { mapProject } from "../../../provider/wire/mapping.js";
import { InvalidResponseError } from "../../../provider/errors/requestFailure.js";
import { validateProject } from "../../../provider/wire/validate.js";
import { setAt, wireProject } from "../../support/project.js";

function map(wire: unknown) {
  return mapProject(validateProject(asJson(wire)), keepCredentials);
}

const environment = "projectEnvironments[0]";
const code = `${environment}.projectEnvironmentCode`;
const assets = `${environment}.projectEnvironmentAssets`;
const databasePart = `${environment}.projectEnvironmentDatabases`;
const database = `${databasePart}.databases[0]`;

const fieldsOfUnknownShape = [
  "codeRepository.importRepository",
  `${code}.initialized`,
  `${code}.importBranchOrTag`,
  `${code}.latestDeploymentPaths[0]`,
  `${assets}.initialized`,
  `${database}.allowedIP`,
];

/** Returns the value at a path such as `environments[0].order`. */
function at(value: unknown, path: string): unknown {
  const keys = path.split(/[.[\]]+/).filter(Boolean);
  return keys.reduce((node, key) => (node as Record<string, unknown>)[key], value);
}

/** Returns a value without its undefined fields. */
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

/** Returns the name that an error message gives a field. Elements of a list of any JSON have that of the list. */
function nameInMessage(path: string): string {
  return path.replace(/\[0\]$/, "");
}

describe("the mapping", () => {
  /** Returns our name of each key of an object, by its place in the response. */
  const inObject = (place: string, name: string, keys: readonly string[]) =>
    Object.fromEntries(keys.map((key) => [place + key, name + key]));
  const inCode = ["branch", "branch.name", "branch.guarded", "currentTag", "deploymentsToKeep"];

  /** Our name of each documented field that may be missing, by its place in the response. */
  const fields = {
    ...inObject("", "", ["type", "status", "domain", "hasCode", "hasDatabases", "hasAssets"]),
    codeRepository: "codeRepository",
    ...inObject("codeRepository.", "codeRepository.", ["gitHost", "group", "name", "repositoryId"]),
    "codeRepository.gitProvider": "codeRepository.gitProvider",
    "codeRepository.sshrepoUrl": "codeRepository.sshRepoUrl",
    projectEnvironments: "environments",
    ...inObject(`${environment}.`, "environments[].", ["order", "symLinks"]),
    ...inObject(`${code}.`, "environments[].", inCode),
    ...inObject(`${code}.`, "environments[].", ["latestDeploymentPaths", "webroot", "webServer"]),
    [`${code}.deploymentTargetGroupId`]: "environments[].deploymentTargetGroupIds.code",
    [`${assets}.assetGroups`]: "environments[].assetGroups",
    [`${assets}.deploymentTargetGroupId`]: "environments[].deploymentTargetGroupIds.assets",
    [`${databasePart}.databases`]: "environments[].databases",
    [`${databasePart}.initialized`]: "environments[].initialized.databases",
    [`${databasePart}.deploymentTargetGroupId`]:
      "environments[].deploymentTargetGroupIds.databases",
  };
  /** Those of which null has a documented meaning. */
  const nullableFields = {
    "codeRepository.importRepository": "codeRepository.importRepository",
    [`${code}.importBranchOrTag`]: "environments[].importBranchOrTag",
    [`${code}.initialized`]: "environments[].initialized.code",
    [`${assets}.initialized`]: "environments[].initialized.assets",
  };

  it("renames and flattens by the documented rule, and drops undocumented fields", () => {
    const wire = wireProject();
    const identities = {
      ...{ _id: "projectId", name: "name" },
      [`${environment}.environmentId`]: "environments[].environmentId",
    };
    const complete = map(wire);
    for (const [place, name] of Object.entries({ ...identities, ...fields, ...nullableFields })) {
      if (["codeRepository", "projectEnvironments"].includes(place)) continue; // their fields are here
      assert.deepEqual(at(complete, name.replace("[]", "[0]")), at(wire, place), name);
    }
    const objects = [code, assets, databasePart, database, `${assets}.assetGroups[0]`, environment];
    for (const place of ["codeRepository", `${environment}.symLinks[0]`, ...objects]) {
      setAt(wire, `${place}.undocumented`, "undocumented");
    }
    assert.deepEqual(map({ ...wire, undocumented: 1 }), complete);
  });

  const namesInEnvironment = Object.values({ ...fields, ...nullableFields }).flatMap(
    (name) => name.split("environments[].")[1] ?? [],
  );

  it("maps a missing field and null to undefined, a missing list to an empty list, and invents nothing", () => {
    for (const nothing of [undefined, null]) {
      const wire = wireProject((project) => {
        const inEnvironment = [`${environment}.symLinks`, `${environment}.order`];
        const places = ["type", "hasCode", "codeRepository", code, assets, databasePart];
        for (const place of [...places, ...inEnvironment]) setAt(project, place, nothing);
      });
      const { type, hasCode, codeRepository, environments } = map(wire);
      assert.deepEqual([type, hasCode, codeRepository], [undefined, undefined, undefined]);
      const bare = environments.at(-1);
      assert.deepEqual(asJson(bare), {
        environmentId: "live",
        latestDeploymentPaths: [],
        assetGroups: [],
        databases: [],
        symLinks: [],
        deploymentTargetGroupIds: {},
        initialized: {},
        missingFields: namesInEnvironment.filter((name) => !name.startsWith("branch.")).sort(),
      });
      setAt(wire, "projectEnvironments", nothing);
      const { environments: none, missingFields } = map(wire);
      assert.deepEqual(none, []);
      assert.deepEqual(missingFields, ["codeRepository", "environments", "hasCode", "type"]);
    }
  });

  function missingIn(wire: unknown): string[] {
    const { missingFields, environments } = map(wire);
    return [
      ...missingFields,
      ...environments.flatMap(({ missingFields }) =>
        missingFields.map((path) => `environments[].${path}`),
      ),
    ];
  }

  for (const [path, name] of Object.entries({ ...fields, ...nullableFields })) {
    it(`names the missing field ${name}`, () => {
      for (const value of [undefined, null]) {
        const wire = wireProject((project) => setAt(project, path, value));
        const isNull = value === null && path in nullableFields;
        assert.deepEqual(missingIn(wire), isNull ? [] : [name]);
      }
    });
  }

  it("keeps any JSON value, including null, in fields of unknown shape", () => {
    for (const value of [null, "text", 7, ["10.0.0.1"], { at: 1 }]) {
      const wire = wireProject((project) => {
        for (const path of fieldsOfUnknownShape) setAt(project, path, value);
      });
      for (const name of [
        ...Object.values(nullableFields),
        "environments[].latestDeploymentPaths[0]",
        "environments[].databases[0].allowedIP",
      ]) {
        assert.deepEqual(at(map(wire), name.replace("[]", "[0]")), value);
      }
    }
  });

  describe("sorts whatever the order of the response is", () => {
    /** Checks that a list of an environment has these elements in this order, also if the response reverses them. */
    function assertSorted(place: string, name: string, sorted: readonly object[]): void {
      for (const elements of [sorted, sorted.toReversed()]) {
        const wire = wireProject((project) => setAt(project, place, elements));
        assert.deepEqual(asJson(at(map(wire), name)), asJson(sorted));
      }
    }

    it("lists by the code units of ids and names, then by association and type", () => {
      const ids = [" ", '"', "B", "\\", "a", "aa", "b", "\u00e4", "\u{1F600}", "\ufb01"];
      const elements = ids.map((id) => ({ id }));
      assertSorted(`${environment}.symLinks`, "environments[0].symLinks", elements);
      assertSorted(`${assets}.assetGroups`, "environments[0].assetGroups", elements);
      const keys = [["B"], ["a", 2], ["a", 10, "A"], ["a", 10, "B"], ["a"], ["b", 1]] as const;
      const databases = keys.map(([name, associationId, databaseType]) => ({
        ...{ name, associationId, databaseType, username: "u", password: "p" },
      }));
      assertSorted(`${databasePart}.databases`, "environments[0].databases", databases);
    });

    it("environments by order, then by id, and puts those without order last", () => {
      const order = { d: 1, b: 2, c: 2, a: undefined };
      const environments = Object.entries(order).map(([environmentId, order]) => ({
        ...{ environmentId, order },
      }));
      for (const each of [environments, environments.toReversed()]) {
        const wire = wireProject((project) => setAt(project, "projectEnvironments", each));
        const ids = map(wire).environments.map(({ environmentId }) => environmentId);
        assert.deepEqual(ids, ["d", "b", "c", "a"]);
      }
    });
  });

  /** Maps a response with a number that JavaScript cannot write. */
  function mapWith(number: string, path: string) {
    const wire = wireProject((project) => setAt(project, path, "here"));
    return mapProject(
      validateProject(JSON.parse(JSON.stringify(wire).replace('"here"', number))),
      keepCredentials,
    );
  }

  it("rejects a number that JavaScript would round, and names the field", () => {
    const integers = [
      `${environment}.order`,
      `${code}.deploymentsToKeep`,
      `${database}.associationId`,
      `${assets}.assetGroups[0].associationId`,
    ];
    for (const path of [...integers, ...fieldsOfUnknownShape]) {
      for (const number of ["9007199254740992", "-9007199254740993", "-1e300"]) {
        assert.throws(
          () => mapWith(number, path),
          ({ message }: Error) =>
            message.startsWith(nameInMessage(path)) &&
            / (is too large a number|must be [<>]= -?\d+)$/.test(message),
        );
      }
      assert.throws(() => mapWith("1e999", path), InvalidResponseError);
      for (const number of ["9007199254740991", "-9007199254740991", "0"]) mapWith(number, path);
    }
    assert.throws(() => mapWith('{"a":[9007199254740993]}', `${database}.allowedIP`));
    assert.equal(mapWith("0.1", `${database}.allowedIP`).projectId, "p-1");
  });

  it("rejects ids that Pulumi reserves, and two environments with the same id", () => {
    const secretSignature = "4dabf18193072939515e22adb298388d";
    for (const [place, id, message] of [
      ["_id", secretSignature, /^Error: the id of a project has a key that Pulumi/],
      [
        `${environment}.environmentId`,
        "__pulumiAsset",
        /\[0\]\.environmentId has a key that Pulumi/,
      ],
      [`${environment}.environmentId`, "stage", /\[1\]\.environmentId is not unique$/],
    ] as const) {
      const wire = wireProject((project) => setAt(project, place, id));
      assert.throws(() => map(wire), message);
    }
  });

  for (const [what, value] of [
    [
      "a value that Pulumi reads as a file",
      {
        "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17",
        path: "/etc/passwd",
      },
    ],
    ["a value that Pulumi reads as an asset", { __pulumiAsset: true, path: "/etc/passwd" }],
    ["a value that Pulumi reads as an Output", [{ __pulumiOutput: true }]],
    ["a value that Pulumi reads as unknown", "04da6b54-80e4-46f7-96ec-b56ff0331ba9"],
    ["a key __proto__", JSON.parse('{"a":{"__proto__":{"admin":true}}}') as unknown],
    ["a text with an unpaired surrogate", ["a\ud83d"]],
    ["a key with an unpaired surrogate", { "\ude00": 1 }],
  ] as const) {
    it(`rejects ${what} in a field of unknown shape, and names the field`, () => {
      for (const path of fieldsOfUnknownShape) {
        const wire = wireProject((project) => setAt(project, path, value));
        assert.throws(
          () => map(wire),
          (error) =>
            error instanceof InvalidResponseError &&
            error.message.startsWith(`${nameInMessage(path)} `),
        );
      }
    });
  }
});
