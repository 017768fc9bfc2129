import assert from "node:assert/strict";
import { compareSnapshot, type Fates } from "../../../command/drift/compareSnapshot.js";
import { createDriftReport, formatDrift } from "../../../command/drift/driftReport.js";
import { readPreview } from "../../../command/drift/preview.js";
import { projectFields } from "../../../provider/model/projectFields.js";
import type { ProjectFieldKey } from "../../../provider/model/selectedFields.js";
import { mappedProject, recordsOf, setAt } from "../../support/project.js";
import { previewJson, type SnapshotStep, urnOf } from "./previewJson.js";

const database = { name: "shop_live", associationId: 1, allowedIP: { from: "10.1", to: "10.9" } };
const live = {
  environmentId: "live",
  order: 1,
  branch: { name: "main", guarded: true },
  webroot: "/var/www/a",
  importBranchOrTag: null,
  latestDeploymentPaths: ["/1", "/2"],
  assetGroups: [{ id: "images", path: "pub/media" }],
  databases: [database],
  symLinks: [{ id: "s-1", from: "a", to: "b" }, { id: "s-2" }],
  deploymentTargetGroupIds: { code: "tg-1" },
  missingFields: [],
};
const stage = { ...live, environmentId: "stage", order: 2 };
const shop = {
  projectId: "p-1",
  name: "shop",
  domain: "a.example.com",
  codeRepository: { gitHost: "git.example.com" },
  environments: [live, stage],
  missingFields: ["hasAssets"],
};
const blog = { projectId: "p-2", name: "blog", environments: [] };
const others = { __provider: "text", service: "https://projects.example.com/api/project/v5" };

/** Returns the inputs of a ProjectsSnapshot. */
const fleetOf = (
  projects: object,
  more: { fields?: readonly string[]; [key: string]: unknown } = {},
) => ({ ...others, inaccessible: [], projects: recordsOf(projects, more.fields), ...more });
const fleet = fleetOf({ "p-1": shop, "p-2": blog });

/** The inputs of a ProjectSnapshot. */
const single = { ...others, ...shop, credentials: "[secret]" };

const forbidden = (projectId: string) => ({ projectId, code: "FORBIDDEN" });
const notFound = (projectId: string) => ({ projectId, code: "NOT_FOUND" });

/** Returns the shop with a changed environment live. */
const withLive = (changes: object) => ({ ...shop, environments: [{ ...live, ...changes }, stage] });
const shopAtB = withLive({ webroot: "/var/www/b" });
const atB = "shop (p-1)  live  webroot  /var/www/a → /var/www/b";

const noDrift = (projects: string) => `No drift: ${projects} as recorded.`;
const drift = (counts: string) => `Drift: ${counts}. If this is all right, pulumi up records it.`;
const programHead = "Changes to the program, no drift:";
const notComparedHead = "Not compared:";

/** All missing projects were deleted. */
const allRemoved = (_snapshot: unknown, projectIds: readonly string[]): Promise<Fates> =>
  Promise.resolve(new Map(projectIds.map((id) => [id, { change: "removed" }])));

type Steps = Parameters<typeof previewJson>[0];

async function reportOf(steps: Steps, format: "table" | "markdown"): Promise<string> {
  const preview = readPreview({ stdout: Buffer.from(previewJson(steps)) });
  const compared = preview.snapshots.map((each) => compareSnapshot(each, allRemoved));
  const report = createDriftReport(await Promise.all(compared), preview.otherResources);
  return formatDrift(report, format, false);
}

async function tableOf(...steps: Steps): Promise<string[]> {
  return (await reportOf(steps, "table")).trimEnd().split("\n").filter(Boolean);
}

describe("the drift report shows of a project", () => {
  interface Case {
    /** Changed fields of the shop. */
    readonly shop?: object;
    /** Changed fields of its environment live. */
    readonly live?: object;
    /** The lines about the shop, without its name. */
    readonly shows: readonly string[];
  }
  const cases: Readonly<Record<string, Case>> = {
    "a field that the service omits now, and one that it omitted": {
      shop: { domain: undefined, status: "UP" },
      shows: ["status  (none) → UP", "domain  a.example.com → (none)"],
    },
    "each field of an object that is missing now": {
      shop: { codeRepository: undefined },
      shows: ["codeRepository.gitHost  git.example.com → (none)"],
    },
    "fields of an environment, of an object, a database and a group in it": {
      live: {
        webroot: "/b",
        branch: { name: "main", guarded: false },
        deploymentTargetGroupIds: { code: "tg-2" },
        databases: [{ ...database, databaseType: "MYSQL" }],
      },
      shows: [
        "live  branch.guarded  true → false",
        "live  webroot  /var/www/a → /b",
        "live  database shop_live  databaseType  (none) → MYSQL",
        "live  deploymentTargetGroupIds.code  tg-1 → tg-2",
      ],
    },
    "an environment that was inserted before others, one that was removed, and no change of others":
      {
        shop: { environments: [{ ...live, environmentId: "new", order: 0 }, stage] },
        shows: ["live  removed", "new  added"],
      },
    "the order of an environment, and no other order": {
      shop: { environments: [{ ...stage, order: 0 }, live] },
      shows: ["stage  order  2 → 0"],
    },
    "unknown JSON as a whole, also null, but not its order of keys": {
      live: {
        databases: [{ ...database, allowedIP: { to: "10.9", from: "10.1" } }],
        importBranchOrTag: undefined,
        latestDeploymentPaths: ["/2", "/1"],
      },
      shows: [
        "live  importBranchOrTag  null → (none)",
        'live  latestDeploymentPaths  ["/1","/2"] → ["/2","/1"]',
      ],
    },
    "added and removed elements with their ids, in another order too": {
      live: {
        assetGroups: [{ id: "files" }, ...live.assetGroups],
        symLinks: [{ id: "s-2" }],
        databases: [{ name: "crm", associationId: 2 }, database],
      },
      shows: [
        "live  asset group files  added",
        "live  database crm  added",
        "live  symlink s-1  removed",
      ],
    },
    "another database of the same name": {
      live: { databases: [{ ...database, associationId: 7 }] },
      shows: ["live  database shop_live  removed", "live  database shop_live  added"],
    },
    "no credential and no field that this version does not know": {
      shop: {
        codeRepository: { ...shop.codeRepository, importRepository: { url: "c4nary" } },
        later: true,
      },
      live: { databases: [{ ...database, username: "u", password: "c4nary", later: 2 }] },
      shows: [],
    },
    "texts of the service on one line, without commands of a log, and empty ones as JSON": {
      shop: { name: "##vso[a]\n::b::", status: "", domain: "::debug::x" },
      shows: [
        "name  shop → #\\u0023vso[a]\\n:\\u003ab:\\u003a",
        'status  (none) → ""',
        "domain  a.example.com → :\\u003adebug:\\u003ax",
      ],
    },
  };
  for (const [title, { shop: changes, live: ofLive = {}, shows }] of Object.entries(cases)) {
    it(title, async () => {
      const after = fleetOf({ "p-1": { ...withLive(ofLive), ...changes }, "p-2": blog });
      const count = shows.length === 1 ? "1 change" : `${shows.length} changes`;
      assert.deepEqual(await tableOf({ before: fleet, after }), [
        ...shows.map((line) => `shop (p-1)  ${line}`),
        shows.length === 0 ? noDrift("2 projects are") : drift(`${count} in 1 project`),
      ]);
    });
  }

  it("a field of one of two elements that nothing tells apart", async () => {
    const withTypes = (...types: (string | undefined)[]) =>
      fleetOf({
        "p-1": withLive({ databases: types.map((databaseType) => ({ name: "a", databaseType })) }),
      });
    const step = { before: withTypes(undefined, "MYSQL"), after: withTypes(undefined, "PGSQL") };
    const [line] = await tableOf(step);
    assert.equal(line, "shop (p-1)  live  database a  databaseType  MYSQL → PGSQL");
  });

  const long = "x".repeat(200);
  for (const [before, after, shows] of [
    [null, "null", 'null → "null"'],
    ["1", 1, '"1" → 1'],
    [`${long}a`, `${long}b`, `…${"x".repeat(20)}a → …${"x".repeat(20)}b`],
  ]) {
    it(`a difference that nobody would see: ${shows}`, async () => {
      const withDomain = (domain: unknown) => fleetOf({ "p-1": { ...shop, domain } });
      const lines = await tableOf({ before: withDomain(before), after: withDomain(after) });
      assert.equal(lines[0], `shop (p-1)  domain  ${shows}`);
    });
  }

  it("fields that the record's version knew, also absent ones, and no newer field", async () => {
    const wider = { ...withLive({ currentTag: "v1" }), status: "up" };
    const step = {
      before: { ...fleet, fieldsVersion: 1 },
      after: fleetOf({ "p-1": wider, "p-2": blog }, { fieldsVersion: 2 }),
    };
    const tag = "shop (p-1)  live  currentTag  (none) → v1";
    const known = ["shop (p-1)  status  (none) → up", tag, drift("2 changes in 1 project")];
    assert.deepEqual(await tableOf(step), known);
    const field = projectFields.status as { since?: number };
    field.since = 2;
    try {
      assert.equal((await tableOf(step))[0], tag);
    } finally {
      delete field.since;
    }
  });
});

describe("the drift report shows of a snapshot", () => {
  /** Returns the inputs of a ProjectsSnapshot that records some fields of the sandbox's shop. */
  const partialFleet = (fields: ProjectFieldKey[], edit?: Parameters<typeof mappedProject>[0]) =>
    fleetOf({ "p-1": mappedProject(edit) }, { fields });

  const cases: Readonly<Record<string, SnapshotStep & { readonly shows: readonly string[] }>> = {
    "another order of projects and keys as no drift": {
      before: fleet,
      after: fleetOf({ "p-2": blog, "p-1": Object.fromEntries(Object.entries(shop).reverse()) }),
      shows: [noDrift("2 projects are")],
    },
    "a project that became inaccessible, and a new one that is": {
      before: fleet,
      after: fleetOf({ "p-1": shop }, { inaccessible: [forbidden("p-2"), notFound("p-9")] }),
      shows: [
        "blog (p-2)  inaccessible (FORBIDDEN)",
        "p-9         inaccessible (NOT_FOUND)",
        drift("2 changes in 2 projects"),
      ],
    },
    "a project that became accessible, one that is still not, and one that left": {
      before: fleetOf({ "p-1": shop }, { inaccessible: ["p-2", "p-8", "p-9"].map(forbidden) }),
      after: { ...fleet, inaccessible: [forbidden("p-9")] },
      shows: [
        "blog (p-2)  added, was inaccessible (FORBIDDEN)",
        "p-8         removed, was inaccessible (FORBIDDEN)",
        drift("2 changes in 2 projects"),
      ],
    },
    "other filters of the program, and no project that is new with them": {
      before: { ...fleet, onInaccessible: "skip" },
      after: {
        ...fleetOf({ "p-1": shopAtB, "p-3": { projectId: "p-3", name: "docs" } }),
        ...{ filters: [{ key: "type", values: ["TYPO3"] }], inaccessible: [forbidden("p-9")] },
      },
      shows: [
        "blog (p-2)  removed",
        atB,
        programHead,
        "ProjectsSnapshot fleet: onInaccessible skip → (none)",
        'ProjectsSnapshot fleet: filters (none) → [{"key":"type","values":["TYPO3"]}]',
        drift("2 changes in 2 projects"),
      ],
    },
    "credentials as not compared if other projects are recorded": {
      before: { ...fleet, credentials: "[secret]" },
      after: { ...fleetOf({ "p-1": shop }), credentials: "[secret]" },
      changed: ["credentials", "projects"],
      shows: [
        "blog (p-2)  removed",
        notComparedHead,
        "ProjectsSnapshot fleet: credentials, because other projects are recorded",
        drift("1 change in 1 project"),
      ],
    },
    "only what both records contain if the program records other fields": {
      before: partialFleet(["hasCode", "domain", "environments.databases.databaseType"]),
      after: partialFleet(["hasCode", "status", "environments.databases.allowedIP"], (project) => {
        project.projectEnvironments[0]!.projectEnvironmentDatabases.databases.shift();
        for (const key of ["hasCode", "domain", "status"]) setAt(project, [key], undefined);
      }),
      shows: [
        "shop (p-1)  hasCode  true → (none)",
        "shop (p-1)  live  database shop_live  removed",
        programHead,
        'ProjectsSnapshot fleet: fields ["hasCode","domain","environments.databases.databaseType"] → ["hasCode","status","environments.databases.allowedIP"]',
        drift("2 changes in 1 project"),
      ],
    },
    "fields that the service omits, if the program records the list of them": {
      before: partialFleet(["missingFields"]),
      after: partialFleet(["missingFields"], (project) => setAt(project, ["domain"], undefined)),
      shows: ['shop (p-1)  missingFields  [] → ["domain"]', drift("1 change in 1 project")],
    },
    "other arguments of the program, and credentials that are new": {
      before: fleet,
      after: { ...fleet, connection: "other", includeCredentials: true, credentials: "[secret]" },
      shows: [
        programHead,
        "ProjectsSnapshot fleet: connection (none) → other",
        "ProjectsSnapshot fleet: includeCredentials (none) → true",
        noDrift("2 projects are"),
      ],
    },
    "a project that was made anew with the same name": {
      type: "ProjectSnapshot",
      before: single,
      after: { ...single, projectId: "p-7" },
      shows: ["shop (p-1)  projectId  p-1 → p-7", drift("1 change in 1 project")],
    },
    "one changed project among equal ones, without reading their records": {
      before: { ...fleet, projects: { ...recordsOf({ "p-1": shop }), "p-2": { project: "?" } } },
      after: { ...fleet, projects: { ...recordsOf({ "p-1": shopAtB }), "p-2": { project: "?" } } },
      shows: [atB, drift("1 change in 1 project")],
    },
  };
  for (const [title, { shows, ...step }] of Object.entries(cases)) {
    it(title, async () => assert.deepEqual(await tableOf(step), shows));
  }
});

describe("the drift report shows", () => {
  it("how many projects `ignoreChanges` left, and each project once", async () => {
    const step = { before: fleet, after: fleet, changed: [], ignored: ['projects["p-2"]'] };
    const twice = { type: "ProjectSnapshot", before: single, after: single } as const;
    const note = 'ProjectsSnapshot fleet ignores changes of projects["p-2"]';
    assert.deepEqual(await tableOf(step, twice), [notComparedHead, note, noDrift("1 project is")]);
  });

  it("in Markdown as many changes as fit into a comment, and how many it leaves out", async () => {
    const ids = Array.from({ length: 3_000 }, (_, index) => `p-${index}`);
    const many = (domain: string) =>
      fleetOf(Object.fromEntries(ids.map((id) => [id, { ...shop, domain }])));
    const markdown = await reportOf([{ before: many("a"), after: many("b") }], "markdown");
    assert.ok(markdown.length < 65_536);
    const [, hidden] = /^(\d+) more changes are not shown\. .*report\.json/m.exec(markdown) ?? [];
    assert.equal(markdown.match(/^\| shop/gm)?.length, 3_000 - Number(hidden));
  });

  it("new snapshots, other projects of the program, and headings if several have changes", async () => {
    const anotherProject = { ...others, ...blog };
    assert.deepEqual(
      await tableOf(
        { before: fleet, after: fleetOf({ "p-1": shop }) },
        // Of one name, so that the types decide on the order.
        {
          type: "ProjectSnapshot",
          name: "fleet",
          before: single,
          after: { ...single, ...shopAtB },
        },
        { type: "ProjectSnapshot", name: "site", before: single, after: anotherProject },
        { name: "new", op: "create", after: fleet },
      ),
      [
        ...["ProjectSnapshot fleet", atB, "ProjectsSnapshot fleet", "blog (p-2)  removed"],
        programHead,
        "ProjectsSnapshot new is new in the program",
        "ProjectSnapshot site is of another project in the program",
        drift("2 changes in 2 projects"),
      ],
    );
  });

  it("a snapshot that is replaced once, and other resources as counts without reads", async () => {
    const replacing = ["create-replacement", "replace", "delete-replaced"];
    const steps = replacing.map((op) => ({
      op,
      before: fleet,
      ...(op === "delete-replaced" ? { changed: [] } : { after: fleetOf({ "p-1": shop }) }),
    }));
    const type = "pulumi:index:Stash";
    const other = (op: string, name: string) => ({
      ...{ op, urn: urnOf(type, name), newState: { type } },
    });
    assert.deepEqual(
      await tableOf(
        ...steps,
        ...replacing.map((op) => other(op, "a")),
        ...[other("update", "b"), other("create", "c"), other("create", "d"), other("read", "e")],
      ),
      [
        "blog (p-2)  removed",
        "Other resources, no drift: 1 to replace, 1 to update, 2 to create.",
        drift("1 change in 1 project"),
      ],
    );
  });
});

describe("the drift report refuses", () => {
  const itRefuses = (title: string, step: SnapshotStep, message: RegExp) =>
    it(title, () => assert.rejects(tableOf({ before: fleet, after: fleet, ...step }), { message }));

  for (const ignored of [
    ["*"],
    ["projects"],
    ["projects.*"],
    ['projects["p-1"]', "projects[p-2]"],
  ]) {
    itRefuses(
      `to say that nothing changed if nothing was compared: ${ignored.join(", ")}`,
      { ignored },
      /Could not look for drift: no project was compared\./,
    );
  }
  itRefuses(
    "another service than the recorded one",
    { after: { ...fleet, service: "https://other.example.com/api/project/v5" } },
    /ProjectsSnapshot fleet has recorded the service at https:\/\/projects\.example\.com\/\S+, but the settings name https:\/\/other\./,
  );
  itRefuses(
    "a record of an earlier build, and says what to do",
    { before: { ...fleet, projects: { "p-1": shop, "p-2": blog } } },
    /^The record of project p-1 is not .*, run pulumi up\./,
  );
  itRefuses(
    "a snapshot with a secret argument",
    { after: { ...fleet, projects: "[secret]", service: "[secret]" } },
    /an argument of ProjectsSnapshot fleet is or was secret.* pulumi\.unsecret, and run pulumi up once\./,
  );
});
