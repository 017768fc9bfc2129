import assert from "node:assert/strict";
import { compareProjects, type ProjectChange } from "../../../command/drift/compareProjects.js";

const live = {
  environmentId: "live",
  order: 1,
  branch: { name: "main", guarded: true },
  webroot: "/var/www/a",
  importBranchOrTag: null,
  latestDeploymentPaths: ["/1", "/2"],
  assetGroups: [{ id: "images", path: "pub/media" }],
  databases: [
    { name: "shop_live", associationId: 1, allowedIP: { from: "10.0.0.1", to: "10.0.0.9" } },
  ],
  symLinks: [{ id: "s-1", from: "a", to: "b" }],
  deploymentTargetGroupIds: { code: "tg-1" },
  initialized: { code: true },
  missingFields: [],
};
const stage = { ...live, environmentId: "stage", order: 2, databases: [], webroot: "/var/www/s" };

const shop = {
  projectId: "p-1",
  name: "shop",
  domain: "shop.example.com",
  codeRepository: { gitHost: "git.example.com" },
  environments: [live, stage],
  missingFields: ["hasAssets"],
};

/** Returns the shop with a changed environment live. */
const withLive = (changes: object) => ({ ...shop, environments: [{ ...live, ...changes }, stage] });

const [database] = live.databases;
const inLive = { environmentId: "live" };
const changed = (field: string, before: unknown, after: unknown) =>
  ({ field, change: "changed", before, after }) as const;

const cases: [title: string, after: object, changes: ProjectChange[]][] = [
  ["nothing, if nothing changed", structuredClone(shop), []],
  [
    "a field of the project",
    { ...shop, domain: "www.example.com" },
    [changed("domain", "shop.example.com", "www.example.com")],
  ],
  [
    "a field that the service omits now, and one that it omitted",
    { ...shop, domain: undefined, status: "DEPLOYED" },
    [
      { field: "status", change: "added", after: "DEPLOYED" },
      { field: "domain", change: "removed", before: "shop.example.com" },
    ],
  ],
  [
    "a field of an object",
    { ...shop, codeRepository: { gitHost: "git.example.org" } },
    [changed("codeRepository.gitHost", "git.example.com", "git.example.org")],
  ],
  [
    "each field of an object that is missing now",
    { ...shop, codeRepository: undefined },
    [{ field: "codeRepository.gitHost", change: "removed", before: "git.example.com" }],
  ],
  [
    "a field of an environment",
    withLive({ webroot: "/var/www/b", branch: { name: "main", guarded: false } }),
    [
      { ...inLive, ...changed("environments.branch.guarded", true, false) },
      { ...inLive, ...changed("environments.webroot", "/var/www/a", "/var/www/b") },
    ],
  ],
  [
    "a field of a group",
    withLive({ deploymentTargetGroupIds: { code: "tg-2" } }),
    [{ ...inLive, ...changed("environments.deploymentTargetGroupIds.code", "tg-1", "tg-2") }],
  ],
  [
    "an environment that was inserted before others, and no change of the others",
    { ...shop, environments: [{ ...live, environmentId: "new", order: 0 }, live, stage] },
    [{ environmentId: "new", field: "environments", change: "added" }],
  ],
  [
    "an environment that was removed",
    { ...shop, environments: [stage] },
    [{ ...inLive, field: "environments", change: "removed" }],
  ],
  [
    "the order of an environment, and no other order",
    { ...shop, environments: [{ ...stage, order: 0 }, live] },
    [{ environmentId: "stage", ...changed("environments.order", 2, 0) }],
  ],
  [
    "a field of a database with its name",
    withLive({ databases: [{ ...database, databaseType: "MYSQL" }] }),
    [
      {
        ...inLive,
        subject: "database shop_live",
        field: "environments.databases.databaseType",
        change: "added",
        after: "MYSQL",
      },
    ],
  ],
  [
    "unknown JSON as a whole, but not its order of keys",
    withLive({
      databases: [{ ...database, allowedIP: { to: "10.0.0.9", from: "10.0.0.1" } }],
      importBranchOrTag: ["v1"],
    }),
    [{ ...inLive, ...changed("environments.importBranchOrTag", null, ["v1"]) }],
  ],
  [
    "null as a value of unknown JSON",
    withLive({ importBranchOrTag: undefined }),
    [
      {
        ...inLive,
        field: "environments.importBranchOrTag",
        change: "removed",
        before: null,
      },
    ],
  ],
  [
    "a list of unknown JSON as a whole",
    withLive({ latestDeploymentPaths: ["/2", "/1"] }),
    [{ ...inLive, ...changed("environments.latestDeploymentPaths", ["/1", "/2"], ["/2", "/1"]) }],
  ],
  [
    "added and removed elements with their ids, in another order too",
    withLive({
      assetGroups: [{ id: "files" }, ...live.assetGroups],
      symLinks: [],
      databases: [{ name: "crm", associationId: 2 }, database],
    }),
    [
      {
        ...inLive,
        subject: "asset group files",
        field: "environments.assetGroups",
        change: "added",
      },
      { ...inLive, subject: "database crm", field: "environments.databases", change: "added" },
      { ...inLive, subject: "symlink s-1", field: "environments.symLinks", change: "removed" },
    ],
  ],
  [
    "databases of the same name by their associations",
    withLive({ databases: [{ ...database, associationId: 7 }] }),
    [
      {
        ...inLive,
        subject: "database shop_live (associationId 1)",
        field: "environments.databases",
        change: "removed",
      },
      {
        ...inLive,
        subject: "database shop_live (associationId 7)",
        field: "environments.databases",
        change: "added",
      },
    ],
  ],
  [
    "fields that the response omits",
    { ...shop, missingFields: ["hasAssets", "hasCode"] },
    [changed("missingFields", ["hasAssets"], ["hasAssets", "hasCode"])],
  ],
  [
    "no credential and no field that this version does not know",
    {
      ...withLive({ databases: [{ ...database, username: "u", password: "c4nary", later: 2 }] }),
      codeRepository: { ...shop.codeRepository, importRepository: { url: "c4nary" } },
      later: true,
    },
    [],
  ],
  [
    "nothing of values with another shape than a project's",
    { ...shop, missingFields: ["hasAssets"], environments: { 0: live } },
    [
      { ...inLive, field: "environments", change: "removed" },
      { environmentId: "stage", field: "environments", change: "removed" },
    ],
  ],
];

describe("comparing two records of a project finds", () => {
  for (const [title, after, changes] of cases) {
    it(title, () =>
      assert.deepEqual(
        compareProjects(shop, after, () => true),
        changes,
      ),
    );
  }

  it("a field of one of two elements that nothing tells apart", () => {
    const before = withLive({ databases: [{ name: "a" }, { name: "a", databaseType: "MYSQL" }] });
    const after = withLive({ databases: [{ name: "a" }, { name: "a", databaseType: "PGSQL" }] });
    assert.deepEqual(
      compareProjects(before, after, () => true),
      [
        {
          ...inLive,
          subject: "database a",
          ...changed("environments.databases.databaseType", "MYSQL", "PGSQL"),
        },
      ],
    );
  });

  it("only fields that both records contain", () => {
    const isRecorded = (path: string) =>
      ["environments.webroot".startsWith(path), path === "domain"].includes(true);
    const after = {
      projectId: "p-1",
      domain: "www.example.com",
      environments: [{ environmentId: "live", webroot: "/b" }],
      missingFields: ["domain", "hasAssets"],
    };
    assert.deepEqual(compareProjects(shop, after, isRecorded), [
      changed("domain", "shop.example.com", "www.example.com"),
      { ...inLive, ...changed("environments.webroot", "/var/www/a", "/b") },
      { environmentId: "stage", field: "environments", change: "removed" },
    ]);
  });
});
