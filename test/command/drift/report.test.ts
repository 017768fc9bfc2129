import assert from "node:assert/strict";
import { compareRecords } from "../../../command/drift/compareSnapshot.js";
import { createDriftReport, formatDrift } from "../../../command/drift/driftReport.js";
import type { RecordedSnapshot } from "../../../command/drift/readState.js";
import { fieldsVersion, projectFields } from "../../../provider/model/projectFields.js";
import type { Absence } from "../../../provider/snapshot/absence.js";
import { recordsOf } from "../../support/project.js";

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
const service = "https://projects.example.com/api/project/v5";
const others = { __provider: "text", service, fieldsVersion };

/** Returns the inputs of a ProjectsSnapshot. */
const fleetOf = (
  projects: object,
  more: { fields?: readonly string[]; [key: string]: unknown } = {},
) => ({ ...others, inaccessible: [], projects: recordsOf(projects, more.fields), ...more });
const fleet = fleetOf({ "p-1": shop, "p-2": blog });

/** The inputs of a ProjectSnapshot. */
const single = { ...others, ...shop, credentials: { databases: {} } };

/** Returns the credentials of a ProjectsSnapshot. */
const credentials = (passwords: Readonly<Record<string, string>>) => JSON.stringify(passwords);

const forbidden = (projectId: string) => ({ projectId, code: "FORBIDDEN" });
const notFound = (projectId: string) => ({ projectId, code: "NOT_FOUND" });

/** Returns the shop with a changed environment live. */
const withLive = (changes: object) => ({ ...shop, environments: [{ ...live, ...changes }, stage] });
const shopAtB = withLive({ webroot: "/var/www/b" });
const atB = "shop (p-1)  live  webroot  /var/www/a → /var/www/b";

const noDrift = (projects: string) => `No drift: ${projects} as recorded.`;
const drift = (counts: string) => `Drift: ${counts}. Run pulumi preview, then pulumi up.`;
const removal = (counts: string) =>
  `Drift: ${counts}. pulumi up can also delete the resources that a program created for what was removed. Run pulumi preview first.`;
const notComparedHead = "Not compared:";

/** What is recorded, and what a refresh would record. */
interface Step extends Partial<Omit<RecordedSnapshot, "recorded" | "isEncrypted" | "secretKeys">> {
  readonly before: object;
  readonly after: object;
  /** Of the projects that are gone. Default: deleted. */
  readonly absence?: Absence;
}

function compare({ before, after, absence = "deleted", ...more }: Step) {
  const { type = "ProjectsSnapshot", name = "fleet" } = more;
  const snapshot: RecordedSnapshot = {
    ...{ type, name, modified: "2026-11-20T09:00:59Z" },
    urn: `urn:pulumi:dev::hosting::pulumi-nodejs:dynamic/project-service:${type}::${name}`,
    recorded: before as RecordedSnapshot["recorded"],
    isEncrypted: false,
    secretKeys: [],
    ignored: [],
    ...more,
  };
  const leaving = new Map(["p-1", "p-2"].map((id) => [id, absence]));
  return compareRecords(snapshot, { record: after, leaving });
}

function reportOf(steps: readonly Step[], format: "table" | "markdown"): string {
  const compared = steps.map((step) => compare(step));
  const readAt = new Date("2026-11-26T14:05:59Z");
  return formatDrift(createDriftReport(compared[0]!.urn, compared, [], readAt), format);
}

/** Returns the lines of the table without its head and the counts by field. */
function tableOf(...steps: Step[]): string[] {
  const [head = "", ...blocks] = reportOf(steps, "table").trimEnd().split("\n\n");
  assert.match(head, /^Stack dev of hosting, compared with the service at 2026-11-26 14:05 UTC:\n/);
  const lines = blocks.join("\n").split("\n").filter(Boolean);
  return lines.filter((line) => !line.startsWith("By field: "));
}

describe("the drift report shows of a project", () => {
  for (const [title, { shop: changes = {}, live: ofLive = {} }, shows] of [
    [
      "a field that the service omits now, and one that it omitted",
      { shop: { domain: undefined, status: "UP", missingFields: ["domain"] } },
      [
        "domain  a.example.com → (none)",
        'missingFields  ["hasAssets"] → ["domain"]',
        "status  (none) → UP",
      ],
    ],
    [
      "fields of an environment, of an object, a database and a group in it",
      {
        live: {
          webroot: "/b",
          branch: { name: "main", guarded: false },
          deploymentTargetGroupIds: { code: "tg-2" },
          databases: [{ ...database, databaseType: "MYSQL" }],
        },
      },
      [
        "live  branch.guarded  true → false",
        "live  database shop_live  databaseType  (none) → MYSQL",
        "live  deploymentTargetGroupIds.code  tg-1 → tg-2",
        "live  webroot  /var/www/a → /b",
      ],
    ],
    [
      "an environment that was inserted before others, one that was removed, and no change of others",
      { shop: { environments: [{ ...live, environmentId: "new", order: 0 }, stage] } },
      ["live  removed", "new  added"],
    ],
    [
      "unknown JSON as a whole, also null, but not its order of keys",
      {
        live: {
          databases: [{ ...database, allowedIP: { to: "10.9", from: "10.1" } }],
          importBranchOrTag: undefined,
          latestDeploymentPaths: ["/2", "/1"],
        },
      },
      [
        "live  importBranchOrTag  null → (none)",
        'live  latestDeploymentPaths  ["/1","/2"] → ["/2","/1"]',
      ],
    ],
    [
      "added and removed elements with their ids, in another order too",
      {
        live: {
          assetGroups: [{ id: "files" }, ...live.assetGroups],
          symLinks: [{ id: "s-2" }],
          databases: [{ name: "crm", associationId: 2 }, database],
        },
      },
      ["live  asset group files  added", "live  database crm  added", "live  symlink s-1  removed"],
    ],
    [
      "another database of the same name",
      { live: { databases: [{ ...database, associationId: 7 }] } },
      ["live  database shop_live  removed", "live  database shop_live  added"],
    ],
    [
      "no credential and no field that this version does not know",
      {
        shop: {
          codeRepository: { ...shop.codeRepository, importRepository: { url: "c4nary" } },
          later: true,
        },
        live: { databases: [{ ...database, username: "u", password: "c4nary", later: 2 }] },
      },
      [],
    ],
    [
      "texts of the service on one line, without commands of a log, and what nobody would see as JSON",
      { shop: { name: "##vso[a]\n::b::", status: "", domain: "::debug::x" }, live: { order: "1" } },
      [
        "domain  a.example.com → :\\u003adebug:\\u003ax",
        "name  shop → #\\u0023vso[a]\\n:\\u003ab:\\u003a",
        'live  order  1 → "1"',
        'status  (none) → ""',
      ],
    ],
  ] as readonly [string, { shop?: object; live?: object }, readonly string[]][]) {
    it(title, () => {
      const after = fleetOf({ "p-1": { ...withLive(ofLive), ...changes }, "p-2": blog });
      const lines = tableOf({ before: fleet, after }).slice(0, -1);
      assert.deepEqual(
        lines,
        shows.map((line) => `shop (p-1)  ${line}`),
      );
    });
  }

  it("where long values differ", () => {
    const x = "x".repeat(200);
    const at = (domain: string) => fleetOf({ "p-1": { ...shop, domain } });
    const [line] = tableOf({ before: at(`${x}a`), after: at(`${x}b`) });
    assert.equal(line, `shop (p-1)  domain  …${x.slice(180)}a → …${x.slice(180)}b`);
  });

  it("fields that the record's version knew, also absent ones, and no newer field", () => {
    const wider = { ...withLive({ currentTag: "v1" }), status: "up" };
    const step = {
      before: { ...fleet, fieldsVersion: 1 },
      after: fleetOf({ "p-1": wider, "p-2": blog }, { fieldsVersion: 2 }),
    };
    const tag = "shop (p-1)  live  currentTag  (none) → v1";
    const known = [tag, "shop (p-1)  status  (none) → up", drift("2 changes in 1 project")];
    assert.deepEqual(tableOf(step), known);
    const complete = fleetOf({ "p-1": { ...shop, missingFields: [] }, "p-2": blog });
    const older = tableOf({
      before: { ...fleet, fieldsVersion: fieldsVersion + 1 },
      after: complete,
    });
    assert.deepEqual(older, [noDrift("2 projects are")], "another version knew other fields");
    const field = projectFields.status as { since?: number };
    field.since = 2;
    try {
      assert.equal(tableOf(step)[0], tag);
    } finally {
      delete field.since;
    }
  });
});

describe("the drift report shows of a snapshot", () => {
  /** Records the databases because of their credentials. */
  const withDatabase = (changes: object) => ({
    ...fleetOf(
      { "p-1": withLive({ databases: [{ ...database, ...changes }] }) },
      { fields: ["domain", "environments.databases"] },
    ),
    ...{ fields: ["domain"], includeCredentials: true },
  });

  const cases: Readonly<Record<string, Step & { readonly shows: readonly string[] }>> = {
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
        "blog (p-2)  added",
        "p-8         no longer inaccessible",
        notComparedHead,
        "ProjectsSnapshot fleet: 1 project still cannot be read: p-9 (FORBIDDEN)",
        drift("2 changes in 2 projects"),
      ],
    },
    "a project that the filters no longer select": {
      before: fleet,
      after: fleetOf({ "p-1": shop }),
      absence: "no longer matching",
      shows: ["blog (p-2)  no longer matching", removal("1 change in 1 project")],
    },
    "one of two databases that nothing tells apart": {
      before: fleetOf({
        "p-1": withLive({ databases: [{ name: "a", databaseType: "A" }, { name: "a" }] }),
      }),
      after: fleetOf({
        "p-1": withLive({ databases: [{ name: "a", databaseType: "B" }, { name: "a" }] }),
      }),
      shows: ["shop (p-1)  live  database a  databaseType  A → B", drift("1 change in 1 project")],
    },
    "changed credentials of the projects in both records, and of no other": {
      before: { ...fleet, credentials: credentials({ "p-1": "a", "p-2": "b" }) },
      after: { ...fleetOf({ "p-1": shop }), credentials: credentials({ "p-1": "c4nary" }) },
      shows: ["credentials changed", "blog (p-2)  removed", removal("2 changes in 1 project")],
    },
    "no change of credentials if the repository has none": {
      type: "ProjectSnapshot",
      before: single,
      after: { ...single, credentials: { databases: {}, importRepository: undefined } },
      shows: ["No drift: 1 project is as recorded."],
    },
    "what changed in a project that can be read again, and has a record": {
      before: fleetOf({ "p-1": shop }, { inaccessible: [forbidden("p-1")] }),
      after: fleetOf({ "p-1": { ...shop, environments: [live] } }),
      shows: [
        "shop (p-1)  stage  removed",
        "shop (p-1)  no longer inaccessible",
        removal("2 changes in 1 project"),
      ],
    },
    "a project that is still inaccessible as not compared, also if it has a record": {
      before: fleetOf({ "p-1": shop }, { inaccessible: [forbidden("p-1")] }),
      after: fleetOf({ "p-1": shop }, { inaccessible: [forbidden("p-1")] }),
      shows: [
        notComparedHead,
        "ProjectsSnapshot fleet: 1 project still cannot be read: p-1 (FORBIDDEN)",
        "Cannot check for drift: at least one snapshot was not compared.",
      ],
    },
    "databases with credentials, whatever fields names": {
      before: withDatabase({}),
      after: withDatabase({ databaseType: "B" }),
      shows: [
        "shop (p-1)  live  database shop_live  databaseType  (none) → B",
        drift("1 change in 1 project"),
      ],
    },
  };
  for (const [title, { shows, ...step }] of Object.entries(cases)) {
    it(title, () => assert.deepEqual(tableOf(step), shows));
  }
});

describe("the drift report shows", () => {
  it("how many projects `ignoreChanges` left, and each project once", () => {
    const step = { before: fleet, after: fleetOf({ "p-1": shop }), ignored: ['projects["p-2"]'] };
    const twice = { type: "ProjectSnapshot", before: single, after: single } as const;
    const note = 'ProjectsSnapshot fleet ignores changes of projects["p-2"]';
    assert.deepEqual(tableOf(step, twice), [notComparedHead, note, noDrift("1 project is")]);
  });

  it("one id of two services as two projects", () => {
    const of = (projects: object, at: string) => ({ ...fleetOf(projects), service: at });
    const steps = [service, "https://b.example.com"].map((at) => ({
      before: of({ "p-1": shop }, at),
      after: of({ "p-1": shopAtB }, at),
    }));
    assert.equal(tableOf(...steps).at(-1), drift("2 changes in 2 projects"));
  });

  it("nothing of an environment that is ignored, and nothing else of its project less", () => {
    const after = fleetOf({ "p-1": { ...shopAtB, domain: "b.example.com" }, "p-2": blog });
    const ignored = ['projects["p-1"].environments["live"]'];
    const { changes } = compare({ before: fleet, after, ignored });
    assert.deepEqual(
      changes.map(({ field }) => field),
      ["domain"],
    );
  });

  it("nothing of credentials that are ignored", () => {
    const ofFleet = (password: string) => ({
      ...fleet,
      credentials: credentials({ "p-1": password }),
    });
    const ofOne = (password: string) => ({ ...single, credentials: { databases: { password } } });
    for (const step of [
      { before: ofFleet("a"), after: ofFleet("b") },
      { type: "ProjectSnapshot", before: ofOne("a"), after: ofOne("b") } as const,
    ]) {
      const fieldsOf = (...ignored: string[]) =>
        compare({ ...step, ignored }).changes.map(({ field }) => field);
      assert.deepEqual(fieldsOf(), ["credentials"]);
      assert.deepEqual(fieldsOf("credentials"), []);
    }
  });

  it("the rarest change first, counts by field, and since when the record is as it is", () => {
    const at = (currentTag: string, open: unknown) => {
      const projects = ["p-1", "p-2", "p-7"].map((id) => {
        const databases = [{ ...database, allowedIP: id === "p-7" ? open : "10.0.0.1" }];
        const environments = [{ ...live, currentTag, databases }];
        return [id, { ...shop, projectId: id, name: id, environments }];
      });
      return fleetOf(Object.fromEntries(projects) as object);
    };
    assert.equal(
      reportOf([{ before: at("v1", "10.0.0.1"), after: at("v2", null) }], "table"),
      `Stack dev of hosting, compared with the service at 2026-11-26 14:05 UTC:
ProjectsSnapshot fleet: recorded from https://projects.example.com/api/project/v5, last updated 2026-11-20 09:00 UTC

p-7 (p-7)  live  database shop_live  allowedIP  10.0.0.1 → null
p-1 (p-1)  live  currentTag  v1 → v2
p-2 (p-2)  live  currentTag  v1 → v2
p-7 (p-7)  live  currentTag  v1 → v2

By field: currentTag 3, databases.allowedIP 1.

${drift("4 changes in 3 projects")}
`,
    );
  });

  it("in Markdown values as code, so that an address can be copied", () => {
    const after = withLive({ webroot: "https://a|b/`c`" });
    const steps = [{ before: fleetOf({ "p-1": shop }), after: fleetOf({ "p-1": after }) }];
    const line = /\| webroot \| `` \/var\/www\/a → https:\/\/a\\\|b\/`c` `` \|$/m;
    assert.match(reportOf(steps, "markdown"), line);
  });

  it("headings if several snapshots have changes", () => {
    assert.deepEqual(
      tableOf(
        { before: fleet, after: fleetOf({ "p-1": shop }) },
        // Of one name, so that the types decide on the order.
        { type: "ProjectSnapshot", before: single, after: { ...single, ...shopAtB } },
      ),
      [
        ...["ProjectSnapshot fleet", atB, "ProjectsSnapshot fleet", "blog (p-2)  removed"],
        removal("2 changes in 2 projects"),
      ],
    );
  });
});

describe("the drift report refuses", () => {
  for (const ignored of [["projects"], ['projects["p-1"]', "projects[p-2]"]]) {
    it(`to say that nothing changed if nothing of a snapshot was compared: ${ignored.join(", ")}`, () => {
      for (const others of [[], [{ before: fleet, after: fleet, name: "other" }]]) {
        const lines = tableOf({ before: fleet, after: fleet, ignored }, ...others);
        assert.equal(
          lines.at(-1),
          "Cannot check for drift: at least one snapshot was not compared.",
        );
      }
    });
  }

  it("a record of an earlier build, and says what to do", () => {
    const before = { ...fleet, projects: { "p-1": shop, "p-2": blog } };
    const message = /^The record of project p-1 is not .* pulumi up --replace/;
    assert.throws(() => tableOf({ before, after: fleet }), { message });
  });
});
