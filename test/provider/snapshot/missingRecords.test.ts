import assert from "node:assert/strict";
import {
  createProjectsProvider,
  createProvider,
} from "../../../provider/snapshot/dynamicProvider.js";
import { lostLists } from "../../../provider/snapshot/lostLists.js";
import {
  recordProject,
  recordProjects,
  type RecordScope,
} from "../../../provider/snapshot/recordProjects.js";
import type { InaccessibleProject } from "../../../provider/model/project.js";
import { getProjectService } from "../../../provider/service/projectService.js";
import { type FleetServer, page, startFleetServer } from "../../support/fleetServer.js";
import { sendJson } from "../../support/scriptedServer.js";
import { settingsOf } from "../../support/settings.js";
import { mappedProject, setAt } from "../../support/project.js";

type Props = Record<string, unknown> & {
  projects: Record<string, unknown>;
  inaccessible: InaccessibleProject[];
};

describe("a recorded project that an answer lacks", () => {
  let server: FleetServer;
  before(async () => {
    server = await startFleetServer();
  });
  const { error } = console;
  /** What the provider wrote to standard error. */
  let warnings: string[];
  beforeEach(() => {
    server.reset();
    warnings = [];
    console.error = (text: string) => void warnings.push(text);
  });
  afterEach(() => void (console.error = error));

  const settings = (changes: object) => ({ ...server.connection, ...changes });

  /** Returns the inputs of a ProjectsSnapshot, as a program sends them. */
  async function inputs(scope: RecordScope = {}, changes: object = {}): Promise<Props> {
    const service = getProjectService(settingsOf(settings(changes)));
    const { selected: _, ...read } = await recordProjects(service, scope);
    return JSON.parse(JSON.stringify({ ...scope, ...read })) as Props;
  }

  async function provider(changes: object = {}, create = createProjectsProvider) {
    const config = settings(changes) as Record<string, string>;
    const get = (key: string) => config[key.replace("project-service:", "")];
    const created = create();
    await created.configure!({ config: { get, require: (key: string) => get(key) as string } });
    return created;
  }

  /** Checks as the engine does in a preview. Returns the inputs, or fails with the reason. */
  async function check(recorded: object, read: object, changes: object = {}): Promise<Props> {
    const result = await (await provider(changes)).check!(recorded, read);
    const [failure] = result.failures ?? [];
    if (failure !== undefined) throw new Error(failure.reason);
    return result.inputs as Props;
  }
  const refresh = async (recorded: object, changes: object = {}) =>
    (await (await provider(changes)).read!("projects", recorded)).props as Props;

  const ids = ({ projects }: Props) => Object.keys(projects).sort();
  const without = ({ projects, ...read }: Props, ...missing: string[]): Props => {
    const rest = Object.entries(projects).filter(([id]) => !missing.includes(id));
    return { ...read, projects: Object.fromEntries(rest) };
  };

  it("was deleted if two lists omit it and have another one, and three reads say 404", async () => {
    const recorded = await inputs();
    server.projects = server.projects.slice(0, 3);
    const read = await inputs();
    server.counts.clear();
    const started = performance.now();
    assert.deepEqual(ids(await check(recorded, read)), ["p-1", "p-2", "p-3"]);
    assert.ok(performance.now() - started >= 990);
    const counts = { projects: 2, "p-4": 3, "p-5": 3 };
    assert.deepEqual(Object.fromEntries(server.counts), counts);
    assert.deepEqual(ids(await refresh(recorded)), ["p-1", "p-2", "p-3"]);
    const warning =
      "warning: ProjectsSnapshot: 2 of 5 projects will be removed from the record: p-4 (deleted), p-5 (deleted).";
    assert.deepEqual(warnings, [warning, warning]);
  });

  it("is missed by no request if nothing is missing, nothing is recorded, or nothing is known yet", async () => {
    const recorded = await inputs();
    server.counts.clear();
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"; // Pulumi's text for an unknown value
    for (const [before, after] of [
      [recorded, recorded],
      [{}, recorded],
      [recorded, { ...recorded, projects: unknown }],
      [{ ...recorded, projects: unknown }, recorded],
      [{ ...recorded, credentials: "another shape" }, recorded],
    ] as const) {
      assert.deepEqual(await check(before, after), after);
    }
    assert.equal(server.counts.size, 0);
  });

  const doubts: [what: string, prepare: () => void, reason: RegExp][] = [
    [
      "the list omits it and it can be read",
      () => server.unlisted.add("p-5"),
      /^LIST_INCOMPLETE: 1 of 5 known projects is missing, without proof of deletion: p-5 \(not listed, but it can be read\)\. .*'\*\*ProjectsSnapshot::<name>'$/,
    ],
    ["the next list has it", () => {}, /p-5 \(listed, and it can be read\)/],
    [
      "it is listed and its read says 404",
      () => server.reads.set("p-5", (response) => sendJson(response, 404, {})),
      /p-5 \(listed, and its read failed: 404\)/,
    ],
    [
      "a page has the status 404",
      () => {
        server.projects.pop();
        server.reads.set("p-5", page(404));
      },
      /p-5 \(not listed, and its read failed: 404, with a page of a gateway\)/,
    ],
    [
      "its read says 404 with a body that cannot be decoded",
      () => {
        server.projects.pop();
        server.reads.set("p-5", (response) =>
          response.writeHead(404, { "content-encoding": "gzip" }).end("not gzip"),
        );
      },
      /p-5 \(not listed, and its read failed: 404, with a page of a gateway\)/,
    ],
    [
      "its read says 403",
      () => {
        server.projects.pop();
        server.reads.set("p-5", (response) => sendJson(response, 403, {}));
      },
      /p-5 \(not listed, and its read failed: 403\)/,
    ],
    [
      "its read says 410",
      () => {
        server.projects.pop();
        server.reads.set("p-5", (response) => sendJson(response, 410, {}));
      },
      /^LIST_INCOMPLETE: .*p-5 \(not listed, and its read failed: 410\)\. .*--replace/,
    ],
    [
      "only one of three servers has lost it",
      () => {
        server.nodes = 3;
        server.lostIds.add("p-5");
        server.unlisted.add("p-5");
      },
      /p-5 \((404 at first|not listed), but it can be read\)/,
    ],
    ["the list is empty", () => (server.projects = []), /p-5 \(404, but the list is empty\)/],
    [
      "the list has other projects only",
      () => (server.projects = [{ ...server.projects[0]!, _id: "p-9" }]),
      /p-5 \(404, but the list has no known project: another user, realm or service\?\)/,
    ],
    [
      "a read fails with 500",
      () => server.reads.set("p-5", (response) => sendJson(response, 500, {})),
      /^SERVICE_UNAVAILABLE: /,
    ],
  ];
  for (const [what, prepare, reason] of doubts) {
    it(`is not given up if ${what}`, async () => {
      const recorded = await inputs();
      const read = without(recorded, "p-5");
      prepare();
      await assert.rejects(check(recorded, read), { message: reason });
    });
  }

  it("is not given up, and the error is that of a rate limiter, if one refuses its read with 403", async () => {
    const recorded = await inputs();
    server.projects.pop();
    server.reads.set("p-5", (response) =>
      sendJson(response.setHeader("retry-after", "180"), 403, {}),
    );
    // With settings of its own, its pause holds no other test back.
    const read = check(recorded, without(recorded, "p-5"), { maxConcurrency: "3" });
    await assert.rejects(read, { message: /^RATE_LIMITED: / });
  });

  it("stays with `skip` only if the service says that it cannot be read, not a gateway", async () => {
    const recorded = await inputs({ onInaccessible: "skip" });
    const read = without(recorded, "p-5");
    server.projects.pop();
    server.reads.set("p-5", (response) => sendJson(response, 403, {}));
    assert.deepEqual(ids(await check(recorded, read)), ids(recorded));
    server.reads.set("p-5", page(404));
    await assert.rejects(check(recorded, read), { message: /^LIST_INCOMPLETE: .*of a gateway/ });
  });

  it("is given up after a 404 without a body", async () => {
    const recorded = await inputs();
    server.projects.pop();
    server.reads.set("p-5", (response) => response.writeHead(404).end());
    assert.deepEqual(ids(await check(recorded, await inputs())), ["p-1", "p-2", "p-3", "p-4"]);
  });

  it("is no longer selected if its own read says so, or the list for new filters", async () => {
    const scope: RecordScope = { filters: [{ key: "status", values: ["DEPLOYED"] }] };
    for (const project of server.projects) project.status = "DEPLOYED";
    const recorded = await inputs(scope);
    server.projects[0]!.status = "CHANGED";
    const read = await inputs(scope);
    server.counts.clear();
    assert.deepEqual(ids(await check(recorded, read)), ["p-2", "p-3", "p-4", "p-5"]);
    assert.deepEqual(Object.fromEntries(server.counts), { projects: 1, "p-1": 3 });
    assert.match(
      warnings[0] ?? "",
      /1 of 5 projects will be removed from the record: p-1 \(no longer selected\)/,
    );

    // A stale list is not believed, if the project itself still matches.
    server.listForms.set("p-1", { ...server.projects[0] });
    server.projects[0]!.status = "DEPLOYED";
    await assert.rejects(check(recorded, read), { message: /p-1 \(listed, and it can be read/ });
    // Filters that the program has changed are decided by the list, so that thousands of projects need no read.
    const narrowed = { ...read, filters: [{ key: "status", values: ["NEW"] }] };
    server.counts.clear();
    await check(recorded, without(narrowed, "p-2"));
    assert.deepEqual(Object.fromEntries(server.counts), { projects: 1 });
  });

  it("is still selected if only one of two servers has lost what the filter needs", async () => {
    const filters = [{ key: "environments.databases.databaseType" as const, values: ["MYSQL"] }];
    const recorded = await inputs({ filters });
    const [shop] = server.projects;
    let reads = 0;
    server.reads.set("p-1", (response) =>
      sendJson(response, 200, ++reads > 2 ? shop! : { ...shop, projectEnvironments: [] }),
    );
    const read = await inputs({ filters });
    assert.ok(!ids(read).includes("p-1"));
    await assert.rejects(check(recorded, read), {
      message: /p-1 \(not matching at first, but it can be read\)/,
    });
  });

  it("is not given up if null stands in place of a list on the way to the field of a filter", async () => {
    const filters = [{ key: "environments.databases.databaseType" as const, values: ["MYSQL"] }];
    const recorded = await inputs({ filters });
    setAt(server.projects[0], "projectEnvironments[0].projectEnvironmentDatabases", null);
    setAt(
      server.projects[0],
      "projectEnvironments",
      server.projects[0]!.projectEnvironments.slice(0, 1),
    );
    const read = await inputs({ filters });
    assert.ok(!ids(read).includes("p-1"));
    await assert.rejects(check(recorded, read), {
      message: /p-1 \(listed, and its read failed: invalid fields\)/,
    });
    server.projects[0]!.hasDatabases = false;
    assert.deepEqual(ids(await check(recorded, read)), ids(read));
  });

  it("is not named if a filter by projectId may be secret", async () => {
    const filters = [{ key: "projectId" as const, values: ["p-1", "p-5"] }];
    const recorded = await inputs({ filters });
    const read = without(recorded, "p-5");
    for (const now of [read, { ...read, filters: [] }]) {
      const { message } = await check(recorded, now).then(
        () => assert.fail(),
        (error: Error) => error,
      );
      assert.match(message, /1 of 2 known projects is missing, without proof of deletion\./);
      assert.doesNotMatch(message, /p-5/);
    }
  });

  it("is not given up as another user or at another address, which may read if nothing is missing", async () => {
    const recorded = await inputs();
    server.hiddenFrom.set("second", new Set(["p-4"]));
    const second = { username: "second" };
    const read = await inputs({}, second);
    const message =
      /SETTINGS_INVALID: Missing: p-4\. Another user, realm, client or scope recorded .*--replace/;
    await assert.rejects(check(recorded, read, second), { message });
    await assert.rejects(refresh(recorded, second), {
      message: /Missing: p-4\. Another user.*A refresh uses.*--replace/,
    });
    const elsewhere = { ...recorded, service: "https://elsewhere.example.com/api/project/v5" };
    await assert.rejects(check(elsewhere, without(recorded, "p-4")), {
      message:
        /SETTINGS_INVALID: This snapshot was recorded from the service at https:\/\/elsewhere.*, but/,
    });
    server.hiddenFrom.clear();
    const seen = await refresh(recorded, second);
    assert.deepEqual(ids(seen), ids(recorded));
    assert.notEqual(seen["account"], recorded["account"]);
  });

  it("stays a record of its user if another one cannot read it, who may later see nothing of it", async () => {
    const scope: RecordScope = { onInaccessible: "skip" };
    const recorded = await inputs(scope);
    const second = { username: "second" };
    server.reads.set("p-2", (response) => sendJson(response, 403, {}));
    const kept = await check(recorded, await inputs(scope, second), second);
    assert.deepEqual(ids(kept), ids(recorded));
    server.reads.clear();
    server.hiddenFrom.set("second", new Set(["p-2"]));
    const message =
      /SETTINGS_INVALID: Missing: p-2\. Another user.* inaccessible now: ask for access/;
    await assert.rejects(check(kept, await inputs(scope, second), second), { message });
  });

  it("is the one of a ProjectSnapshot whose name leads another user to another project", async () => {
    const record = async (changes: object = {}) => {
      const service = getProjectService(settingsOf(settings(changes)));
      return recordProject(service, { name: "shop" }, {});
    };
    const recorded = await record();
    const second = { username: "second" };
    server.hiddenFrom.set("second", new Set(["p-1"]));
    server.projects[1]!.name = "shop";
    const read = await record(second);
    assert.deepEqual([recorded.projectId, read.projectId], ["p-1", "p-2"]);
    const created = await provider(second, createProvider);
    const { failures = [] } = await created.check!(recorded, read);
    assert.match(
      failures[0]?.reason ?? "",
      /^SETTINGS_INVALID: Reading failed: Missing: 1 recorded project\. Another user.* Pulumi deletes .*--replace '\*\*ProjectSnapshot::/,
    );
    // With the same user or another name, it is a change of the program or of the names in the service.
    for (const change of [{ account: recorded.account }, { name: "blog" }]) {
      const inputs = { ...read, ...change };
      assert.deepEqual(await created.check!(recorded, inputs), { inputs });
    }
  });

  it("has parts that ignoreChanges has kept, although the service omits them", () => {
    const { environments, codeRepository } = mappedProject();
    const recorded = { projectId: "p-1", environments, codeRepository, missingFields: [] };
    const read = { ...recorded, missingFields: ["environments", "codeRepository"] };
    assert.deepEqual(lostLists(recorded, read), []);
    const lost = lostLists(recorded, {
      projectId: "p-1",
      missingFields: read.missingFields,
    } as object);
    assert.deepEqual(
      lost.map(({ part }) => part),
      ["codeRepository", "environments"],
    );
  });

  it("makes no difference with another account alone", async () => {
    const recorded = await inputs();
    const { diff } = await provider();
    const other = { ...recorded, account: "another" };
    assert.deepEqual(await diff!("projects", recorded, other), { replaces: [], changes: false });
    const changed = without(other, "p-4");
    assert.deepEqual(await diff!("projects", recorded, changed), { replaces: [] });
  });

  const environment = "projectEnvironments[0]";
  const lists: [list: string, change: object, lost: string | undefined][] = [
    ["environments", { projectEnvironments: null }, "environments"],
    [
      "environments without databases",
      { projectEnvironments: undefined, hasDatabases: false },
      "environments",
    ],
    [
      "databases",
      { [`${environment}.projectEnvironmentDatabases`]: undefined },
      "environments[live].databases",
    ],
    [
      "databases, as it has none now",
      { [`${environment}.projectEnvironmentDatabases`]: null, hasDatabases: false },
      undefined,
    ],
    [
      "databases, by an empty list",
      { [`${environment}.projectEnvironmentDatabases.databases`]: [] },
      undefined,
    ],
    [
      "asset groups and symlinks",
      {
        [`${environment}.projectEnvironmentAssets.assetGroups`]: null,
        [`${environment}.symLinks`]: undefined,
      },
      "environments[live].assetGroups, environments[live].symLinks",
    ],
    [
      "asset groups and symlinks, as it has none now",
      {
        [`${environment}.projectEnvironmentAssets`]: undefined,
        [`${environment}.symLinks`]: null,
        hasAssets: false,
      },
      undefined,
    ],
  ];
  it("keeps its credentials and its repository, whatever fields are recorded", async () => {
    const scope: RecordScope = { fields: ["codeRepository"], includeCredentials: true };
    const recorded = await inputs(scope);
    setAt(server.projects[0], "projectEnvironments[0].projectEnvironmentDatabases", null);
    setAt(server.projects[1], "codeRepository", undefined);
    const read = await inputs(scope);
    await assert.rejects(check(recorded, read), {
      message: /as null: p-1 \(environments\[live\]\.databases\), p-2 \(codeRepository\)\./,
    });
    server.projects[0]!.hasDatabases = false;
    server.projects[1]!.hasCode = false;
    await check(recorded, read);
  });

  for (const [list, change, lost] of lists) {
    it(`${lost === undefined ? "loses" : "keeps"} its ${list}`, async () => {
      // The flags need not be recorded.
      const scope: RecordScope = { fields: ["environments"] };
      const recorded = await inputs(scope);
      for (const [path, value] of Object.entries(change)) setAt(server.projects[0], path, value);
      const read = await inputs(scope);
      for (const recordAgain of [() => check(recorded, read), () => refresh(recorded)]) {
        if (lost === undefined) await recordAgain();
        else {
          const { message } = await recordAgain().then(
            () => assert.fail("it succeeded"),
            (thrown: Error) => thrown,
          );
          assert.ok(message.includes(`omits or returns as null: p-1 (${lost}). `), message);
          assert.match(message, /list the other fields in the argument fields\./);
        }
      }
    });
  }

  it("is not counted as one with lost parts if its flag says that it has none", async () => {
    const scope: RecordScope = { fields: ["environments"] };
    const recorded = await inputs(scope);
    for (const project of server.projects.slice(0, 2)) {
      setAt(project, `${environment}.projectEnvironmentDatabases`, null);
    }
    server.projects[0]!.hasDatabases = false;
    await assert.rejects(check(recorded, await inputs(scope)), {
      message: /parts of 1 recorded project, .*: p-2 \(environments\[live\]\.databases\)\./,
    });
  });

  it("keeps its databases if the service has them again a moment later", async () => {
    const scope: RecordScope = { fields: ["environments"] };
    const recorded = await inputs(scope);
    setAt(server.projects[0], `${environment}.projectEnvironmentDatabases`, null);
    server.projects[0]!.hasDatabases = false;
    const read = await inputs(scope);
    setTimeout(() => (server.projects[0]!.hasDatabases = true), 500);
    await assert.rejects(check(recorded, read), {
      message: /as null: p-1 \(environments\[live\]\.databases\)\./,
    });
  });

  it("keeps its record with skip, and its credentials, if it cannot be read", async () => {
    const scope: RecordScope = { onInaccessible: "skip", includeCredentials: true };
    const recorded = await inputs(scope);
    const credentials = recorded["credentials"] as string;
    server.reads.set("p-2", (response) => sendJson(response, 403, {}));
    server.unlisted.add("p-3");
    server.reads.set("p-3", (response) => sendJson(response, 403, {}));
    server.reads.set("p-4", (response) =>
      sendJson(response, 200, { ...server.projects[3], name: 1 }),
    );
    server.projects.pop();
    const kept = [await check(recorded, await inputs(scope)), await refresh(recorded)];
    for (const { projects, inaccessible, ...others } of kept) {
      const { "p-5": _, ...rest } = recorded.projects;
      assert.deepEqual(projects, rest);
      assert.deepEqual(inaccessible, [
        { projectId: "p-2", code: "FORBIDDEN" },
        { projectId: "p-3", code: "FORBIDDEN" },
        { projectId: "p-4", code: "RESPONSE_INVALID" },
      ]);
      const { "p-5": __, ...secrets } = JSON.parse(credentials) as Record<string, unknown>;
      const { value } = others["credentials"] as { value: string };
      assert.equal(value, JSON.stringify(secrets));
    }
    const stays = "Earlier records are kept, unless the snapshot is replaced.";
    assert.deepEqual(warnings.slice(0, 3), [
      `warning: ProjectsSnapshot: left out 1 of 5 projects: p-3 (FORBIDDEN). ${stays}`,
      "warning: ProjectsSnapshot: 1 of 5 projects will be removed from the record: p-5 (deleted).",
      `warning: ProjectsSnapshot: left out 2 of 3 projects: p-2 (FORBIDDEN), p-4 (RESPONSE_INVALID). ${stays}`,
    ]);
    // A page is not a response of the service, so it counts no more than in a program.
    server.reads.set("p-2", page(403));
    await assert.rejects(inputs(scope), { code: "RESPONSE_INVALID" });
    await assert.rejects(refresh(recorded), /RESPONSE_INVALID/);
    // The argument of now decides.
    server.reads.delete("p-2");
    await check({ ...recorded, onInaccessible: "fail" }, await inputs(scope));
  });
});
