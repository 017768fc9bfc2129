import assert from "node:assert/strict";
import { compareSnapshot, type FindMissing } from "../../../command/drift/compareSnapshot.js";
import { createReport, formatDrift } from "../../../command/drift/driftReport.js";
import { readPreview } from "../../../command/drift/preview.js";
import { projectFields } from "../../../provider/model/fields.js";
import type { Project } from "../../../provider/model/project.js";
import { type ProjectFieldKey, recordedPart } from "../../../provider/model/recordedFields.js";
import { unknownValue } from "../../../provider/wire/pulumiSafeJson.js";
import { mappedProject, setAt } from "../../support/project.js";
import { previewJson, type SnapshotStep, urnOf } from "./previewJson.js";

const service = "https://projects.example.com/api/project/v5";
const live = { environmentId: "live", order: 1, webroot: "/var/www/a", databases: [] };
const shop = { projectId: "p-1", name: "shop", domain: "a.example.com", environments: [live] };
const blog = { projectId: "p-2", name: "blog", environments: [] };
const fleet = {
  __provider: "text",
  inaccessible: [],
  projects: { "p-1": shop, "p-2": blog },
  service,
};
const single = { ...shop, __provider: "text", credentials: "[secret]", service };
const shopAtB = { ...shop, environments: [{ ...live, webroot: "/var/www/b" }] };
const filters = [{ key: "type", values: ["TYPO3"] }];

/** Returns the inputs of a ProjectsSnapshot that records some fields of a project. */
function partialFleet(fields: ProjectFieldKey[], project: Project) {
  return { ...fleet, fields, projects: { [project.projectId]: recordedPart(project, fields) } };
}

const noDrift = (projects: string) => `No drift: ${projects} as recorded.`;
const drift = (counts: string) => `Drift: ${counts}. If this is all right, pulumi up records it.`;
const programHead = "Changes to the program, no drift:";

/** All missing projects were deleted. */
const allRemoved: FindMissing = (_snapshot, projectIds) =>
  Promise.resolve(new Map(projectIds.map((id) => [id, { change: "removed" }])));

async function tableOf(
  steps: Parameters<typeof previewJson>[0],
  more: object = {},
  findMissing = allRemoved,
): Promise<string[]> {
  const stdout = Buffer.from(previewJson(steps, more as Record<string, unknown>));
  const { snapshots, otherResources } = readPreview({ ended: 0, stdout, stderr: "" });
  const compared = await Promise.all(snapshots.map((each) => compareSnapshot(each, findMissing)));
  const report = createReport(compared, otherResources);
  return formatDrift(report, "table", false).trimEnd().split("\n").filter(Boolean);
}

const cases: [title: string, step: SnapshotStep, lines: string[]][] = [
  ["no drift", { op: "same", before: fleet, after: fleet }, [noDrift("2 projects are")]],
  [
    "a changed field",
    { before: fleet, after: { ...fleet, projects: { "p-1": shopAtB, "p-2": blog } } },
    ["shop (p-1)  live  webroot  /var/www/a → /var/www/b", drift("1 change in 1 project")],
  ],
  [
    "a removed and an added project",
    { before: fleet, after: { ...fleet, projects: { "p-1": shop, "p-3": { name: "docs" } } } },
    ["blog (p-2)  removed", "docs (p-3)  added", drift("2 changes in 2 projects")],
  ],
  [
    "another order of projects and keys as no drift",
    {
      before: fleet,
      after: {
        ...fleet,
        projects: { "p-2": blog, "p-1": Object.fromEntries(Object.entries(shop).reverse()) },
      },
    },
    [noDrift("2 projects are")],
  ],
  [
    "projects that left or joined a filtered snapshot",
    {
      before: { ...fleet, filters },
      after: { ...fleet, filters, projects: { "p-1": shop, "p-3": { name: "docs" } } },
    },
    ["blog (p-2)  removed", "docs (p-3)  added", drift("2 changes in 2 projects")],
  ],
  [
    "a project that became inaccessible, and a new one that is",
    {
      before: fleet,
      after: {
        ...fleet,
        projects: { "p-1": shop },
        inaccessible: [
          { projectId: "p-2", code: "FORBIDDEN" },
          { projectId: "p-9", code: "NOT_FOUND" },
        ],
      },
    },
    [
      "blog (p-2)  inaccessible (FORBIDDEN)",
      "p-9         inaccessible (NOT_FOUND)",
      drift("2 changes in 2 projects"),
    ],
  ],
  [
    "a project that became accessible, one that is still not, and one that left",
    {
      before: {
        ...fleet,
        projects: { "p-1": shop },
        inaccessible: ["p-2", "p-8", "p-9"].map((projectId) => ({ projectId, code: "FORBIDDEN" })),
      },
      after: { ...fleet, inaccessible: [{ projectId: "p-9", code: "FORBIDDEN" }] },
    },
    [
      "blog (p-2)  added, was inaccessible (FORBIDDEN)",
      "p-8         removed, was inaccessible (FORBIDDEN)",
      drift("2 changes in 2 projects"),
    ],
  ],
  [
    "credentials of a fleet as one line without a project",
    {
      before: { ...fleet, includeCredentials: true, credentials: "[secret]" },
      after: { ...fleet, includeCredentials: true, credentials: "[secret]" },
      changed: ["credentials"],
    },
    ["credentials changed", drift("1 change")],
  ],
  [
    "credentials of a project",
    { type: "ProjectSnapshot", before: single, after: single, changed: ["credentials"] },
    ["shop (p-1)  credentials changed", drift("1 change in 1 project")],
  ],
  [
    "a change to the program, and still what was recorded before and after",
    {
      before: { ...fleet, onInaccessible: "skip" },
      after: {
        ...fleet,
        filters,
        projects: { "p-1": shopAtB, "p-3": { name: "docs" }, "p-4": { name: "crm" } },
      },
    },
    [
      "shop (p-1)  live  webroot  /var/www/a → /var/www/b",
      programHead,
      "ProjectsSnapshot fleet: onInaccessible skip → (none)",
      "ProjectsSnapshot fleet: filters added, 2 projects more, 1 project fewer",
      drift("1 change in 1 project"),
    ],
  ],
  [
    "no drift of credentials if the program selects other projects",
    {
      before: { ...fleet, credentials: "[secret]" },
      after: { ...fleet, filters, credentials: "[secret]", projects: { "p-1": shop } },
      changed: ["credentials", "filters", "projects"],
    },
    [
      programHead,
      "ProjectsSnapshot fleet: filters added, 1 project fewer",
      "ProjectsSnapshot fleet: credentials were not compared, because other projects are selected",
      noDrift("1 project is"),
    ],
  ],
  [
    "only what is recorded on both sides if the program records other fields",
    {
      before: {
        ...fleet,
        fields: ["environments.webroot"],
        projects: {
          "p-1": {
            projectId: "p-1",
            name: "shop",
            environments: [{ environmentId: "live", webroot: "/var/www/a" }],
          },
        },
      },
      after: { ...fleet, projects: { "p-1": shopAtB } },
    },
    [
      "shop (p-1)  live  webroot  /var/www/a → /var/www/b",
      programHead,
      'ProjectsSnapshot fleet: fields ["environments.webroot"] → (none)',
      drift("1 change in 1 project"),
    ],
  ],
  [
    "no drift if the program records more fields of unchanged projects",
    {
      before: partialFleet(["status"], mappedProject()),
      after: partialFleet(["status", "environments"], mappedProject()),
    },
    [
      programHead,
      'ProjectsSnapshot fleet: fields ["status"] → ["status","environments"]',
      noDrift("1 project is"),
    ],
  ],
  [
    "the missing fields and the elements that two sets of fields have in common",
    {
      before: partialFleet(
        ["hasCode", "domain", "environments.webroot", "environments.databases.databaseType"],
        mappedProject(),
      ),
      after: partialFleet(
        ["hasCode", "status", "environments.databases.allowedIP", "environments.branch.name"],
        mappedProject((project) => {
          const [live, stage] = project.projectEnvironments;
          live!.projectEnvironmentDatabases.databases.shift();
          setAt(live, ["projectEnvironmentCode", "webroot"], "/changed");
          setAt(stage, ["projectEnvironmentCode"], undefined);
          setAt(project, ["hasCode"], undefined);
          setAt(project, ["domain"], undefined);
          setAt(project, ["status"], undefined);
        }),
      ),
    },
    [
      "shop (p-1)  hasCode  true → (none)",
      "shop (p-1)  live  database shop_live  removed",
      programHead,
      'ProjectsSnapshot fleet: fields ["hasCode","domain","environments.webroot","environments.databases.databaseType"] → ["hasCode","status","environments.databases.allowedIP","environments.branch.name"]',
      drift("2 changes in 1 project"),
    ],
  ],
  [
    "fields that the service omits, if the program records the list of them",
    {
      before: partialFleet(["missingFields"], mappedProject()),
      after: partialFleet(
        ["missingFields"],
        mappedProject((project) => setAt(project, ["domain"], undefined)),
      ),
    },
    ['shop (p-1)  missingFields  [] → ["domain"]', drift("1 change in 1 project")],
  ],
  [
    "other arguments of the program, the provider and credentials that are new",
    {
      before: fleet,
      after: {
        ...fleet,
        __provider: "other",
        connection: "other",
        includeCredentials: true,
        credentials: "[secret]",
      },
    },
    [
      programHead,
      "ProjectsSnapshot fleet: text of the provider changed",
      "ProjectsSnapshot fleet: connection (none) → other",
      "ProjectsSnapshot fleet: includeCredentials (none) → true",
      noDrift("2 projects are"),
    ],
  ],
  [
    "a project that was made anew with the same name",
    { type: "ProjectSnapshot", before: single, after: { ...single, projectId: "p-7" } },
    ["shop (p-1)  projectId  p-1 → p-7", drift("1 change in 1 project")],
  ],
  [
    "a project whose name is secret, without its values",
    {
      type: "ProjectSnapshot",
      before: { ...single, projectId: "[secret]", name: "[secret]", domain: "[secret]" },
      after: { ...single, projectId: "[secret]", name: "[secret]", domain: "[secret]" },
      changed: ["domain"],
    },
    ["[secret] ([secret])  domain  changed", drift("1 change in 1 project")],
  ],
  [
    "secret projects that did not change",
    {
      op: "same",
      before: { ...fleet, projects: "[secret]" },
      after: { ...fleet, projects: "[secret]" },
    },
    [noDrift("secret projects are")],
  ],
  [
    "no change of the program if an older record does not say whether it has credentials",
    { before: fleet, after: { ...fleet, includeCredentials: false, fieldsVersion: 1 } },
    [noDrift("2 projects are")],
  ],
  [
    "secret projects that changed",
    {
      before: { ...fleet, projects: "[secret]" },
      after: { ...fleet, projects: "[secret]" },
      changed: ["projects"],
    },
    ["projects  changed", drift("1 change")],
  ],
];

describe("the drift report shows", () => {
  for (const [title, step, lines] of cases) {
    it(title, async () => assert.deepEqual(await tableOf([step]), lines));
  }

  it("snapshots that are new in the program or not in it any more, beside a recorded one", async () => {
    const steps = [
      { op: "same", before: fleet, after: fleet },
      { name: "old", op: "delete", before: fleet },
      { name: "new", op: "create", after: fleet },
    ];
    assert.deepEqual(await tableOf(steps), [
      programHead,
      "ProjectsSnapshot new is new in the program",
      "ProjectsSnapshot old is no longer in the program",
      noDrift("2 projects are"),
    ]);
  });

  it("headings if several snapshots have changes", async () => {
    const fleetStep = { before: fleet, after: { ...fleet, projects: { "p-1": shop } } };
    const step = {
      type: "ProjectSnapshot",
      before: single,
      after: { ...single, ...shopAtB },
    } as const;
    assert.deepEqual(await tableOf([fleetStep, step]), [
      "ProjectSnapshot fleet",
      "shop (p-1)  live  webroot  /var/www/a → /var/www/b",
      "ProjectsSnapshot fleet",
      "blog (p-2)  removed",
      drift("2 changes in 2 projects"),
    ]);
  });

  it("a snapshot that is replaced once", async () => {
    const after = { ...fleet, projects: { "p-1": shop } };
    const steps = ["create-replacement", "replace", "delete-replaced"].map((op) => ({
      op,
      before: fleet,
      ...(op === "delete-replaced" ? { changed: [] } : { after }),
    }));
    assert.deepEqual(await tableOf(steps), ["blog (p-2)  removed", drift("1 change in 1 project")]);
  });

  it("other resources as counts, without reads", async () => {
    const other = (op: string, name: string, state: object = {}) => ({
      op,
      urn: urnOf("pulumi:index:Stash", name),
      newState: { type: "pulumi:index:Stash", ...state },
    });
    const steps = [
      { op: "same", before: fleet, after: fleet },
      ...["create-replacement", "replace", "delete-replaced"].map((op) => other(op, "a")),
      ...[other("update", "b"), other("create", "c"), other("create", "d"), other("read", "e")],
    ];
    assert.deepEqual(await tableOf(steps), [
      "Other resources, no drift: 1 to replace, 1 to update, 2 to create.",
      noDrift("2 projects are"),
    ]);
  });

  it("the part of long values that differs", async () => {
    const paths = (last: string) => ({
      ...shop,
      environments: [
        { ...live, latestDeploymentPaths: [...Array<string>(40).fill("/var/www"), last] },
      ],
    });
    const step = {
      before: { ...fleet, projects: { "p-1": paths("/a") } },
      after: { ...fleet, projects: { "p-1": paths("/b") } },
    };
    const [line = ""] = await tableOf([step]);
    assert.match(line, /…[^…]{20}a"\] → …[^…]{20}b"\]$/);
  });

  it("texts of the service on one line, without commands of a log, and empty ones as JSON", async () => {
    const step = {
      before: { ...fleet, projects: { "p-1": { ...shop, name: "::debug::x", status: "" } } },
      after: { ...fleet, projects: { "p-1": { ...shop, name: "##vso[a]\n::b::", status: "up" } } },
    };
    assert.deepEqual(await tableOf([step]), [
      ":\\u003adebug:\\u003ax (p-1)  name  :\\u003adebug:\\u003ax → #\\u0023vso[a]\\n:\\u003ab:\\u003a",
      ':\\u003adebug:\\u003ax (p-1)  status  "" → up',
      drift("2 changes in 1 project"),
    ]);
  });

  it("another project of the program, beside a compared one", async () => {
    const another = {
      type: "ProjectSnapshot",
      before: single,
      after: { ...blog, service },
    } as const;
    assert.deepEqual(
      await tableOf([
        { ...another, name: "site" },
        { before: fleet, after: fleet },
      ]),
      [
        programHead,
        "ProjectSnapshot site: projectId p-1 → p-2",
        "ProjectSnapshot site: text of the provider removed",
        noDrift("2 projects are"),
      ],
    );
  });

  it("what became of projects that the list omits", async () => {
    const fates = new Map([
      ["p-1", { change: "no longer matching" }],
      ["p-2", { change: "inaccessible", after: "FORBIDDEN" }],
    ] as const);
    const step = { before: fleet, after: { ...fleet, projects: {} } };
    assert.deepEqual(await tableOf([step], {}, () => Promise.resolve(fates)), [
      "blog (p-2)  inaccessible (FORBIDDEN)",
      "shop (p-1)  no longer matching",
      drift("2 changes in 2 projects"),
    ]);
  });

  for (const [before, after, line] of [
    [null, "null", 'null → "null"'],
    ["\u00e9", "e\u0301", '"\\u00e9" → "e\\u0301"'],
    ["1", 1, '"1" → 1'],
    ["a b", "a\u00a0b", '"a b" → "a\\u00a0b"'],
  ]) {
    it(`a difference that nobody would see: ${line}`, async () => {
      const withDomain = (domain: unknown) => ({
        ...fleet,
        projects: { "p-1": { ...shop, domain }, "p-2": blog },
      });
      const lines = await tableOf([{ before: withDomain(before), after: withDomain(after) }]);
      assert.equal(lines[0], `shop (p-1)  domain  ${line}`);
    });
  }

  it("fields that the record's version knew, also absent ones, and no newer field", async () => {
    const wider = { ...shop, status: "up", environments: [{ ...live, currentTag: "v1" }] };
    const step = {
      before: { ...fleet, fieldsVersion: 1 },
      after: { ...fleet, fieldsVersion: 2, projects: { "p-1": wider, "p-2": blog } },
    };
    assert.deepEqual(await tableOf([step]), [
      "shop (p-1)  status  (none) → up",
      "shop (p-1)  live  currentTag  (none) → v1",
      drift("2 changes in 1 project"),
    ]);
    const field = projectFields.status as { since?: number };
    field.since = 2;
    try {
      assert.equal((await tableOf([step]))[0], "shop (p-1)  live  currentTag  (none) → v1");
    } finally {
      delete field.since;
    }
  });
});

describe("the drift report refuses", () => {
  const cases: [title: string, message: RegExp, ...SnapshotStep[]][] = [
    [
      "another service than recorded, with both addresses",
      /ProjectsSnapshot fleet has recorded the service at https:\/\/projects\.example\.com\/api\/project\/v5, but the settings name https:\/\/other\.example\.com\./,
      { before: fleet, after: { ...fleet, service: "https://other.example.com", projects: {} } },
    ],
    [
      "another service that is secret",
      /ProjectsSnapshot fleet has recorded another service than the settings name\./,
      {
        before: { ...fleet, service: "[secret]" },
        after: { ...fleet, service: "[secret]" },
        changed: ["service"],
      },
    ],
    ["a stack without a recorded snapshot", /no project was compared\. Run pulumi up first/],
    [
      "a program whose snapshots are all new",
      /no project was compared/,
      { op: "create", after: fleet },
    ],
    [
      "projects that are secret on one side only",
      /the arguments of ProjectsSnapshot fleet have become secret.* Run pulumi up once\./,
      { before: fleet, after: { ...fleet, projects: "[secret]", inaccessible: "[secret]" } },
    ],
    [
      "projects that the preview does not know yet",
      /does not know yet what ProjectsSnapshot fleet will read\. Run pulumi up first\./,
      { before: fleet, after: { ...fleet, projects: unknownValue, service: unknownValue } },
    ],
  ];
  for (const [title, message, ...steps] of cases) {
    it(title, () => assert.rejects(tableOf(steps), { message }));
  }

  const failed = { before: fleet, after: fleet };
  const messages = [
    { severity: "info", message: "hello" },
    {
      severity: "error",
      message: "error: \u001b[31mit broke\u001b[39m\n    at index.ts:1\n    at node:internal/x\n",
    },
    { severity: "error", message: "second" },
  ];
  const noProject =
    'ProjectServiceError [NOT_FOUND]: ProjectSnapshot: There is no project named "shop".';
  const printed: [title: string, message: RegExp, stdout: string][] = [
    [
      "a preview that failed, with its messages",
      /^Could not look for drift: pulumi preview failed, so no snapshot was compared\.\nerror: it broke\n {4}at index\.ts:1\nsecond$/,
      previewJson([failed], { diagnostics: messages }),
    ],
    [
      "a ProjectSnapshot without its project, with what may have happened",
      /There is no project named "shop"\.\nThe project may have been deleted or renamed.*the other snapshots were not compared/,
      previewJson([], { diagnostics: [{ severity: "error", message: noProject }] }),
    ],
    ["JSON of something else", /printed no complete JSON/, "{}"],
    ["text", /printed no complete JSON/, "Previewing update (dev):\n"],
    ["JSON that ends early", /printed no complete JSON/, previewJson([failed]).slice(0, -200)],
  ];
  for (const [title, message, stdout] of printed) {
    it(title, () => {
      const ended = { ended: 0, stdout: Buffer.from(stdout), stderr: "" };
      assert.throws(() => readPreview(ended), { message });
    });
  }
});
