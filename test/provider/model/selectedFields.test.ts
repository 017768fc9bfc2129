import assert from "node:assert/strict";
import {
  type Field,
  fieldsVersion,
  pathsOf,
  projectFields,
} from "../../../provider/model/projectFields.js";
import {
  type ProjectFieldKey,
  pickRecorded,
  recordedPaths,
} from "../../../provider/model/selectedFields.js";
import { isComparable } from "../../../provider/model/projectFilter.js";
import { checkShape } from "../../../sdk/reading/checkArguments.js";
import { failureOf } from "../../support/failure.js";
import { mappedProject } from "../../support/project.js";

const shop = mappedProject();
const { projectId, name, hasCode, hasDatabases, hasAssets } = shop;
const always = { projectId, name, hasCode, hasDatabases, hasAssets, missingFields: [] };
const [live] = shop.environments;

/** Returns a part of each environment. */
const environmentsWith = <T>(part: (environment: (typeof shop.environments)[number]) => T) =>
  shop.environments.map((environment) => ({
    environmentId: environment.environmentId,
    order: environment.order,
    ...part(environment),
    missingFields: [],
  }));

describe("a record with some fields", () => {
  const cases: [title: string, fields: ProjectFieldKey[], part: object][] = [
    ["always has the id, the name and the flags", ["name"], {}],
    ["has a field of the project", ["status", "hasCode"], { status: shop.status }],
    [
      "has a field of an object",
      ["codeRepository.group"],
      { codeRepository: { group: shop.codeRepository.group } },
    ],
    ["has a whole object", ["codeRepository"], { codeRepository: shop.codeRepository }],
    [
      "has a field of a group of each environment, with its id and order",
      ["environments.initialized.code"],
      {
        environments: environmentsWith(({ initialized: { code } }) => ({ initialized: { code } })),
      },
    ],
    [
      "has a field of each database with its name and its associationId",
      ["environments.databases.databaseType"],
      {
        environments: environmentsWith(({ databases }) => ({
          databases: databases.map(({ allowedIP: _, ...rest }) => rest),
        })),
      },
    ],
    ["has all environments", ["environments"], { environments: shop.environments }],
    [
      "has the longest of two paths that overlap",
      ["environments.branch.name", "environments.branch"],
      { environments: environmentsWith(({ branch }) => ({ branch })) },
    ],
  ];
  for (const [title, fields, part] of cases) {
    it(title, () => {
      assert.deepEqual(pickRecorded(shop, recordedPaths(fields)), { ...always, ...part });
    });
  }

  it("has the missing fields among those that it records", () => {
    const bare = {
      ...shop,
      missingFields: ["codeRepository", "hasCode", "status"],
      environments: [{ ...live!, missingFields: ["branch.guarded", "databases", "webroot"] }],
    };
    const part = (...fields: ProjectFieldKey[]) =>
      pickRecorded(bare, recordedPaths(fields)) as Partial<typeof bare>;
    assert.deepEqual(part("status", "codeRepository.name").missingFields, [
      "codeRepository",
      "hasCode",
      "status",
    ]);
    assert.deepEqual(
      part("environments.branch", "environments.databases.allowedIP").environments?.[0]
        ?.missingFields,
      ["branch.guarded", "databases"],
    );
    assert.deepEqual(part("missingFields").missingFields, bare.missingFields);
  });

  it("has no object that the service omits", () => {
    const part = pickRecorded(
      { ...shop, codeRepository: undefined },
      recordedPaths(["codeRepository.name"]),
    );
    assert.deepEqual(part, { ...always, codeRepository: undefined });
  });
});

it("the number of the description of fields is that of its newest field", () => {
  const numbers = [1];
  pathsOf(projectFields, ({ since = 1 }: Field) => numbers.push(since) > 0);
  assert.equal(fieldsVersion, Math.max(...numbers));
});

describe("the keys of fields", () => {
  const checkFields = (fields: unknown) =>
    checkShape({ name: "ProjectsSnapshot", takesOutputs: true }, "isProjectsSnapshot", { fields });

  it("are those of filters, the fields of unknown shape and the starts of paths", () => {
    checkFields([
      ...pathsOf(projectFields, isComparable),
      ...["environments", "environments.branch", "environments.deploymentTargetGroupIds"],
      ...["environments.databases.allowedIP", "environments.initialized.assets"],
      ...["environments.importBranchOrTag", "environments.latestDeploymentPaths"],
    ]);
  });

  for (const path of ["environments.databases.password", "codeRepository.importRepository"]) {
    it(`have no credential: ${path}`, async () => {
      const { message } = await failureOf(() => checkFields([path]), "ARGUMENT_INVALID");
      assert.ok(message.includes(`cannot be "${path}"`), message);
    });
  }
});
