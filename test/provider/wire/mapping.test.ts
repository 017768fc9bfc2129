import assert from "node:assert/strict";
import fc from "fast-check";
import { inClear, withoutCredentials } from "../../../provider/wire/credentials.js";
import { mapProject } from "../../../provider/wire/mapping.js";
import { InvalidResponseError } from "../../../provider/errors/requestFailure.js";
import { validateProject } from "../../../provider/wire/validate.js";
import { setAt, wireProject } from "../../support/project.js";

function map(wire: unknown) {
  return mapProject(validateProject(JSON.parse(JSON.stringify(wire))), inClear);
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

/** Returns the name that an error message gives a field. Elements of a list of any JSON have that of the list. */
function nameInMessage(path: string): string {
  return path.replace(/\[0\]$/, "");
}

describe("the mapping", () => {
  it("renames and flattens by the documented rule, and drops undocumented fields", () => {
    const ownDatabase = {
      name: "shop_live",
      associationId: 105,
      databaseType: "MYSQL",
      allowedIP: "203.0.113.7",
      username: "user",
      password: "pw",
    };
    const assetGroup = { id: "a", path: "/p", title: "t", associationId: 1, symLinkId: "l" };
    const symLink = { id: "l", to: "/to", from: "/from", assetGroupId: "a" };
    const wire = wireProject((project) => {
      project.projectEnvironments.length = 1;
      setAt(project, "secretExtra", "undocumented");
      setAt(project, `${databasePart}.databases`, [
        { ...ownDatabase, rootPassword: "undocumented" },
      ]);
      setAt(project, `${assets}.assetGroups`, [assetGroup]);
      setAt(project, `${environment}.symLinks`, [symLink]);
    });
    assert.deepEqual(map(wire), {
      projectId: "p-1",
      name: "shop",
      type: "MAGENTO",
      status: "DEPLOYED",
      domain: "shop.example.com",
      hasCode: true,
      hasDatabases: true,
      hasAssets: true,
      codeRepository: {
        gitHost: "git.example.com",
        group: "retail",
        name: "shop",
        repositoryId: "4001",
        gitProvider: "GITLAB",
        sshRepoUrl: "git@git.example.com:retail/shop.git",
        importRepository: {
          url: "https://deploy:t0k3n-of-the-old-shop@git.example.net/legacy/shop.git",
        },
      },
      environments: [
        {
          environmentId: "live",
          order: 0,
          branch: { name: "main", guarded: true },
          currentTag: "v2.1.0",
          webroot: "/var/www/shop/live/current/public",
          webServer: "APACHE",
          importBranchOrTag: "master",
          latestDeploymentPaths: [
            "/var/www/shop/live/releases/20260302093000",
            "/var/www/shop/live/releases/20260224141500",
          ],
          deploymentsToKeep: 5,
          assetGroups: [assetGroup],
          databases: [ownDatabase],
          symLinks: [symLink],
          deploymentTargetGroupIds: {
            code: "tg-live-code",
            assets: "tg-live-assets",
            databases: "tg-live-databases",
          },
          initialized: {
            code: "2026-03-02T09:30:00Z",
            assets: "2026-03-02T09:30:00Z",
            databases: true,
          },
          missingFields: [],
        },
      ],
      missingFields: [],
    });
  });

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
      assert.deepEqual(JSON.parse(JSON.stringify(bare)), {
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

  it("names no missing field of a complete response", () => {
    assert.deepEqual(missingIn(wireProject()), []);
  });

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
      const { codeRepository, environments } = map(wire);
      const live = environments[0];
      assert.deepEqual(codeRepository.importRepository, value);
      assert.deepEqual(live?.initialized.code, value);
      assert.deepEqual(live.initialized.assets, value);
      assert.deepEqual(live.importBranchOrTag, value);
      assert.deepEqual(live.latestDeploymentPaths[0], value);
      assert.deepEqual(live.databases[0]?.allowedIP, value);
    }
  });

  describe("sorts whatever the order of the response is", () => {
    /** Maps a project whose first environment has the elements, in both orders. */
    function inBothOrders(path: string, elements: object[]) {
      return [elements, [...elements].reverse()].map((ordered) => {
        const wire = wireProject((project) => setAt(project, path, ordered));
        const [first] = map(wire).environments;
        assert.ok(first);
        return first;
      });
    }

    const credentials = { username: "u", password: "p" };
    const idOf = ({ id }: { id: string }) => id;

    it("databases by name, then by association", () => {
      const sorted = [
        { name: "a", associationId: 2, ...credentials },
        { name: "a", associationId: 10, ...credentials },
        { name: "a", ...credentials },
        { name: "b", associationId: 1, ...credentials },
      ];
      for (const { databases } of inBothOrders(`${databasePart}.databases`, sorted)) {
        assert.deepEqual(
          databases.map(({ associationId }) => associationId),
          [2, 10, undefined, 1],
        );
      }
    });

    it("lists of any length by the code units of ids and names", () => {
      const character = fc.constantFrom("a", "B", " ", '"', "\\", "\u00e4", "\u{1F600}");
      const id = fc.string({ unit: character, minLength: 1, maxLength: 4 });
      const ids = fc.uniqueArray(id, { maxLength: 40, size: "max" });
      fc.assert(
        fc.property(ids, (given) => {
          const elements = given.map((id) => ({ id, name: id, associationId: 1, ...credentials }));
          const sorted = given.toSorted();
          for (const { symLinks } of inBothOrders(`${environment}.symLinks`, elements)) {
            assert.deepEqual(symLinks.map(idOf), sorted);
          }
          for (const { assetGroups } of inBothOrders(`${assets}.assetGroups`, elements)) {
            assert.deepEqual(assetGroups.map(idOf), sorted);
          }
          for (const { databases } of inBothOrders(`${databasePart}.databases`, elements)) {
            assert.deepEqual(
              databases.map(({ name }) => name),
              sorted,
            );
          }
        }),
      );
    });

    it("environments with the same order by id", () => {
      const wire = wireProject((project) => {
        const [first] = project.projectEnvironments;
        setAt(
          project,
          "projectEnvironments",
          ["b", "a"].map((environmentId) => ({ ...first, environmentId, order: 1 })),
        );
      });
      assert.deepEqual(
        map(wire).environments.map(({ environmentId }) => environmentId),
        ["a", "b"],
      );
    });
  });

  it("sorts the environments by order, and puts those without order last", () => {
    const wire = wireProject((project) => {
      const [live, stage, test] = project.projectEnvironments;
      setAt(project, "projectEnvironments", [{ ...live, order: null }, test, stage]);
    });
    assert.deepEqual(
      map(wire).environments.map(({ environmentId }) => environmentId),
      ["stage", "test", "live"],
    );
  });

  it("keeps the databases of a project whose hasDatabases is false", () => {
    const project = map(wireProject((wire) => setAt(wire, "hasDatabases", false)));
    assert.equal(project.hasDatabases, false);
    assert.equal(project.environments[0]?.databases.length, 2);
  });

  /** Maps a response with a number that JavaScript cannot write. */
  function mapWith(number: string, path: string) {
    const wire = wireProject((project) => setAt(project, path, "here"));
    return mapProject(
      validateProject(JSON.parse(JSON.stringify(wire).replace('"here"', number))),
      inClear,
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
            / is too (large|small) a number$/.test(message),
        );
      }
      assert.throws(() => mapWith("1e999", path), InvalidResponseError);
      for (const number of ["9007199254740991", "-9007199254740991", "0"]) mapWith(number, path);
    }
    assert.throws(() => mapWith('{"a":[9007199254740993]}', `${database}.allowedIP`));
    assert.equal(mapWith("0.1", `${database}.allowedIP`).projectId, "p-1");
  });

  it("leaves out the credentials and nothing else, without credentials", () => {
    const wire = validateProject(wireProject());
    const [clear, plain] = [mapProject(wire, inClear), mapProject(wire, withoutCredentials)];
    const credentials = ["username", "password", "importRepository"];
    const keep = (key: string, value: unknown) => (credentials.includes(key) ? undefined : value);
    assert.deepEqual(JSON.parse(JSON.stringify(plain)), JSON.parse(JSON.stringify(clear, keep)));
    assert.notDeepEqual(plain, clear);
  });

  it("rejects an environment whose id Pulumi reserves", () => {
    const wire = wireProject((project) =>
      setAt(project, "projectEnvironments[1].environmentId", "__pulumiAsset"),
    );
    assert.throws(
      () => map(wire),
      /^Error: projectEnvironments\[1\]\.environmentId has a key that/,
    );
  });

  it("rejects two environments with the same id", () => {
    const wire = wireProject((project) =>
      setAt(project, "projectEnvironments[2].environmentId", "live"),
    );
    assert.throws(() => map(wire), {
      message: "projectEnvironments[2].environmentId is not unique",
    });
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
    ["a value that is nested too deep", JSON.parse("[".repeat(40) + "]".repeat(40)) as unknown],
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
