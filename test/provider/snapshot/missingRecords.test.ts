import assert from "node:assert/strict";
import { createProvider } from "../../../provider/snapshot/dynamicProvider.js";
import { missingParts } from "../../../provider/snapshot/missingParts.js";
import {
  recordProject,
  recordProjects,
  type RecordScope,
} from "../../../provider/snapshot/record.js";
import type { InaccessibleProject } from "../../../provider/model/project.js";
import { getProjectService } from "../../../provider/reading/projectService.js";
import { type FleetServer, page, startFleetServer } from "../../support/fleetServer.js";
import { sendJson } from "../../support/scriptedServer.js";
import { settingsOf } from "../../support/settings.js";
import { mappedProject, setAt } from "../../support/project.js";

type Props = Record<string, unknown> & {
  projects: Record<string, unknown>;
  inaccessible: InaccessibleProject[];
};
type Scope = RecordScope & { maxRemovals?: number };

const certain =
  "The record is unchanged, so nothing was deleted because of it. Resources that were updated earlier in the same run stay updated.";

describe("a recorded project that a new record lacks", () => {
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
  async function inputs(scope: Scope = {}, changes: object = {}): Promise<Props> {
    const service = getProjectService(settingsOf(settings(changes)));
    const { record: read } = await recordProjects(service, scope);
    return JSON.parse(JSON.stringify({ ...scope, ...read })) as Props;
  }

  async function provider(changes: object = {}) {
    const config = settings(changes) as Record<string, string>;
    const get = (key: string) => config[key.replace("project-service:", "")];
    const created = createProvider();
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
  const refresh = async (recorded: object, changes: object = {}, id = "projects") =>
    (await (await provider(changes)).read!(id, recorded)).props as Props;

  const ids = ({ projects }: Props) => Object.keys(projects).sort();
  const without = ({ projects, ...read }: Props, ...missing: string[]): Props => {
    const rest = Object.entries(projects).filter(([id]) => !missing.includes(id));
    return { ...read, projects: Object.fromEntries(rest) };
  };

  it("was deleted if the new record has another one, and its own read returns 404 twice", async () => {
    const recorded = await inputs();
    server.projects = server.projects.slice(0, 3);
    const read = await inputs();
    server.counts.clear();
    assert.deepEqual(ids(await check(recorded, read)), ["p-1", "p-2", "p-3"]);
    assert.deepEqual(Object.fromEntries(server.counts), { "p-4": 2, "p-5": 2 });
    assert.deepEqual(ids(await refresh(recorded)), ["p-1", "p-2", "p-3"]);
    const warning =
      "warning: ProjectsSnapshot: 2 of 5 recorded projects will leave the record: p-4 (deleted), p-5 (deleted).";
    assert.deepEqual(warnings, [warning, warning]);
  });

  it("costs no request if nothing is missing, nothing is recorded, or nothing is known yet", async () => {
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

  type Respond = Parameters<FleetServer["reads"]["set"]>[1];
  const json =
    (status: number): Respond =>
    (response) =>
      sendJson(response, status, {});
  const deleted: Respond = (response) => response.writeHead(404).end();
  const invalid: Respond = (response) =>
    sendJson(response, 200, { ...server.projects.find(({ _id }) => _id === "p-5"), name: 1 });
  const notGzip: Respond = (response) =>
    response.writeHead(404, { "content-encoding": "gzip" }).end("not gzip");
  const limited: Respond = (response) =>
    sendJson(response.setHeader("retry-after", "180"), 403, {});

  /** What the own read of a missing project returns, and what follows with `fail` and with `keep`. */
  const rule: [
    what: string,
    read: Respond | undefined,
    fail: RegExp | "leaves",
    keep: RegExp | "leaves" | "stays",
  ][] = [
    ["404 with JSON", json(404), "leaves", "leaves"],
    ["404 without a body", deleted, "leaves", "leaves"],
    ["the project", undefined, /p-5 \(not listed; its own read returns it\)/, /returns it\)/],
    [
      "404 with a page",
      page(404),
      /its own read returns 404 with a page of a gateway\)/,
      /with a page/,
    ],
    ["404 that cannot be decoded", notGzip, /returns 404 with a page/, /returns 404 with a page/],
    ["403", json(403), /its own read returns 403\)/, "stays"],
    ["invalid fields", invalid, /its own read returns invalid fields\)/, "stays"],
    ["410", json(410), /its own read returns 410\)/, /its own read returns 410\)/],
    ["400", json(400), /^RESPONSE_INVALID: /, /^RESPONSE_INVALID: /],
    ["401", json(401), /^TOKEN_REFUSED: /, /^TOKEN_REFUSED: /],
    ["500", json(500), /^SERVICE_UNAVAILABLE: /, /^SERVICE_UNAVAILABLE: /],
    ["403 of a rate limiter", limited, /^RATE_LIMITED: /, /^RATE_LIMITED: /],
  ];
  for (const [what, respond, fail, keep] of rule) {
    for (const [onInaccessible, expected] of [
      ["fail", fail],
      ["keep", keep],
    ] as const) {
      const result = typeof expected === "string" ? expected : "fails";
      it(`${result} with "${onInaccessible}" if its own read returns ${what}`, async () => {
        const recorded = await inputs({ onInaccessible });
        server.unlisted.add("p-5");
        const read = await inputs({ onInaccessible });
        if (respond !== undefined) server.reads.set("p-5", respond);
        // With settings of its own, a pause or an outage holds no other test back.
        const maxConcurrency = String(1 + (rule.findIndex(([each]) => each === what) % 16));
        const checked = check(recorded, read, { maxConcurrency });
        if (typeof expected !== "string") await assert.rejects(checked, { message: expected });
        else {
          const isThere = ids(await checked).includes("p-5");
          assert.equal(isThere, expected === "stays");
        }
      });
    }
  }

  it("is named with what is certain first and the command that accepts it last", async () => {
    const recorded = await inputs();
    const read = without(recorded, "p-5", "p-4");
    await assert.rejects(check(recorded, read), {
      message: `LIST_INCOMPLETE: ${certain} 2 of 5 recorded projects are missing, and may still exist: p-4 (not listed; its own read returns it), p-5 (not listed; its own read returns it). Check baseUrl and any proxy in between, and try again. If this is right, run pulumi up --refresh=false --replace '**ProjectsSnapshot::<name>'. Pulumi then deletes what the program made for everything that is missing.`,
    });
  });

  it("is not given up if only one of three servers has lost it", async () => {
    server.nodes = 3;
    server.lostIds.add("p-5");
    server.unlisted.add("p-5");
    const recorded = without(await inputs(), "p-5");
    for (let round = 0; round < 6; round++) {
      const all = {
        ...recorded,
        projects: { ...recorded.projects, "p-5": recorded.projects["p-1"] },
      };
      await assert.rejects(check(all, recorded), {
        message: /p-5 \(not listed; its own read returns it/,
      });
    }
  });

  it("is not given up if no recorded project exists any more", async () => {
    const recorded = await inputs();
    const only = { ...recorded, projects: { "p-1": recorded.projects["p-1"] } };
    server.projects = server.projects.map((each) => ({ ...each, _id: `${each._id}-new` }));
    const read = await inputs();
    await assert.rejects(check(recorded, read), {
      message:
        /p-1 \(not listed; its own read returns 404, as that of every recorded project\), p-2/,
    });
    assert.ok(!ids(await check(only, read)).includes("p-1"), "no other one is recorded");
    server.projects = [];
    await assert.rejects(refresh(only), {
      message:
        /^The record is unchanged.* No recorded project is left: p-1 \(deleted\)\. A ProjectsSnapshot cannot be empty\./,
    });
  });

  it("no longer matches only if its own read says so, whatever the list says and the program changed", async () => {
    const scope: RecordScope = { filters: [{ key: "status", values: ["DEPLOYED"] }] };
    for (const project of server.projects) project.status = "DEPLOYED";
    const recorded = await inputs(scope);
    server.projects[0]!.status = "CHANGED";
    const read = await inputs(scope);
    server.counts.clear();
    assert.deepEqual(ids(await check(recorded, read)), ["p-2", "p-3", "p-4", "p-5"]);
    assert.deepEqual(Object.fromEntries(server.counts), { "p-1": 1 });
    assert.match(warnings[0] ?? "", /will leave the record: p-1 \(no longer matching\)\.$/);

    // A stale list is not believed, if the project itself still matches.
    server.listForms.set("p-1", { ...server.projects[0] });
    server.projects[0]!.status = "DEPLOYED";
    const message = /p-1 \(not listed, or not matching there; its own read returns it\)/;
    await assert.rejects(check(recorded, read), { message });
    const other = { ...read, filters: [{ key: "status", values: ["DEPLOYED", "NEW"] }] };
    await assert.rejects(check(recorded, other), { message });
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
      message: /p-1 \(.*its own read returns invalid fields\)/,
    });
    server.projects[0]!.hasDatabases = false;
    assert.deepEqual(ids(await check(recorded, read)), ids(read));
  });

  describe("with a brake", () => {
    /** Returns a record of 12 projects and a new one without some of them. */
    async function recordOf12(gone: number, scope: Scope = {}) {
      server.projects = Array.from({ length: 12 }, (_, i) => ({
        ...server.projects[i % 5]!,
        _id: `q-${i}`,
        name: `q-${i}`,
      }));
      const recorded = await inputs(scope);
      server.projects = server.projects.slice(gone);
      return [recorded, await inputs(scope)] as const;
    }

    it("may be one of three, and not one of four", async () => {
      const [recorded, three] = await recordOf12(3);
      assert.equal(ids(await check(recorded, three)).length, 9);
      server.projects.shift();
      const names = ["q-0", "q-1", "q-2", "q-3"].map((id) => `${id} (deleted)`).join(", ");
      const limit = `4 of 12 recorded projects would leave the record at once: ${names}. Check the filters, the user and the service. If this is right, pass maxRemovals: 4 to the ProjectsSnapshot, and run pulumi up --refresh=false, because a refresh uses the recorded number. Pulumi then deletes what the program made for them.`;
      await assert.rejects(check(recorded, await inputs()), {
        message: `LIST_INCOMPLETE: ${certain} ${limit}`,
      });
      await assert.rejects(refresh(recorded), (thrown: Error) => thrown.message.includes(limit));
    });

    it("may be one of as many as maxRemovals, which may be lower, and is the recorded one in a refresh", async () => {
      const [recorded, read] = await recordOf12(10);
      await check(recorded, { ...read, maxRemovals: 10 });
      await assert.rejects(check(recorded, { ...read, maxRemovals: 9 }), { message: /at once/ });
      await assert.rejects(refresh(recorded), {
        message: /10 of 12 recorded projects would leave/,
      });
      assert.equal(ids(await refresh({ ...recorded, maxRemovals: 10 })).length, 2);
      server.projects = server.projects.slice(0);
      const one = { ...recorded, projects: { ...read.projects, "q-0": recorded.projects["q-0"] } };
      await check(one, read);
      await assert.rejects(check(one, { ...read, maxRemovals: 0 }), {
        message: /^LIST_INC.*1 of 3 /,
      });
    });

    it("counts projects that no longer match, and says first that the filters changed", async () => {
      const [recorded] = await recordOf12(0);
      const filters = [{ key: "name" as const, values: ["q-1"] }];
      await assert.rejects(check(recorded, await inputs({ filters })), {
        message:
          /updated\. The filters have changed\. 11 of 12 recorded projects would .*q-0 \(no longer matching\)/,
      });
    });

    it("counts projects whose environments are all gone, and names them", async () => {
      const [recorded] = await recordOf12(0);
      const empty = (count: number) =>
        server.projects.forEach((each, i) => {
          server.projects[i] = {
            ...each,
            projectEnvironments: i < count ? [] : each.projectEnvironments,
          };
        });
      empty(2);
      await check(recorded, await inputs());
      assert.deepEqual(warnings, [
        "warning: ProjectsSnapshot: 2 of 12 recorded projects will leave the record, or lose all environments: q-0 (no environments), q-1 (no environments).",
      ]);
      empty(12);
      await assert.rejects(check(recorded, await inputs()), {
        message:
          /12 of 12 recorded projects would leave the record, or lose all environments at once: q-0 \(no environments\)/,
      });
    });
  });

  it("is not named, nor anything else, if the program passed a secret argument", async () => {
    const filters = [{ key: "projectId" as const, values: ["p-1", "p-5"] }];
    const recorded = { ...(await inputs({ filters })), hasSecretArguments: true };
    const read = without(recorded, "p-5");
    for (const now of [read, { ...read, filters: [], hasSecretArguments: undefined }]) {
      await assert.rejects(check(recorded, now), {
        message: `LIST_INCOMPLETE: ${certain} ProjectsSnapshot failed (LIST_INCOMPLETE). An argument is secret, so no more is shown.`,
      });
    }
    server.projects.pop();
    await check(recorded, read);
    assert.deepEqual(warnings, [
      "warning: ProjectsSnapshot: 1 of 2 recorded projects will leave the record.",
    ]);
  });

  it("is not given up as another user or at another address, which may read if nothing is missing", async () => {
    const recorded = await inputs();
    server.hiddenFrom.set("second", new Set(["p-4"]));
    const second = { username: "second" };
    const read = await inputs({}, second);
    const message =
      /^SETTINGS_INVALID: The record is unchanged.* Missing projects or parts of them: p-4\. Another user, realm, client or scope recorded .*.*--replace.*another process than the program/;
    await assert.rejects(check(recorded, read, second), { message });
    await assert.rejects(refresh(recorded, second), {
      message: /Missing projects or parts of them: p-4\. Another user.*.*--replace.*A refresh uses/,
    });
    const elsewhere = {
      ...recorded,
      service: "https://elsewhere.example.com/api/project/v5",
      account: "0",
    };
    await assert.rejects(check(elsewhere, without(recorded, "p-4")), {
      message:
        /^SETTINGS_INVALID: .*Missing projects or parts of them: p-4\. This snapshot was recorded from the service at https:\/\/elsewhere.*, but the settings name http/,
    });
    server.hiddenFrom.clear();
    const seen = await refresh(recorded, second);
    assert.deepEqual(ids(seen), ids(recorded));
    assert.notEqual(seen["account"], recorded["account"]);
  });

  it("is not given up as another user to whom the service shows no environments", async () => {
    const recorded = await inputs();
    const second = { username: "second" };
    server.projects[0] = { ...server.projects[0]!, projectEnvironments: [] };
    const read = await inputs({}, second);
    await assert.rejects(check(recorded, read, second), {
      message: /^SETTINGS_INVALID: .*parts of them: p-1 \(environments\)\. Another user/,
    });
    await check(recorded, await inputs());
  });

  it("is named with the projects that the way out would drop too, because they cannot be read", async () => {
    const scope: RecordScope = { onInaccessible: "keep" };
    const recorded = await inputs(scope);
    server.reads.set("p-2", (response) => sendJson(response, 403, {}));
    server.unlisted.add("p-5");
    await assert.rejects(check(recorded, await inputs(scope)), {
      message: /for everything that is missing, and for what cannot be read: p-2\.$/,
    });
  });

  it("stays a record of its user if another one cannot read it, who may later see nothing of it", async () => {
    const scope: RecordScope = { onInaccessible: "keep" };
    const recorded = await inputs(scope);
    const second = { username: "second" };
    server.reads.set("p-2", (response) => sendJson(response, 403, {}));
    const kept = await check(recorded, await inputs(scope, second), second);
    assert.deepEqual(ids(kept), ids(recorded));
    server.reads.clear();
    server.hiddenFrom.set("second", new Set(["p-2"]));
    const message =
      /^SETTINGS_INVALID: .* Missing projects or parts of them: p-2\. Another user.* inaccessible now: ask for access/;
    await assert.rejects(check(kept, await inputs(scope, second), second), { message });
  });

  describe("of a ProjectSnapshot", () => {
    const record = async (changes: object = {}) => {
      const service = getProjectService(settingsOf(settings(changes)));
      return { ...(await recordProject(service, { name: "shop" }, {})), includeCredentials: false };
    };

    it("leaves if its name leads to another project and its own read returns 404 twice or another name", async () => {
      const recorded = await record();
      const [shop, blog] = server.projects;
      blog!.name = "shop";
      server.projects.shift();
      const read = await record();
      assert.deepEqual([recorded.projectId, read.projectId], ["p-1", "p-2"]);
      assert.equal((await check(recorded, read))["projectId"], "p-2");
      server.projects.push({ ...shop!, name: "shop-old" });
      assert.equal((await check(recorded, read))["projectId"], "p-2");
      server.projects.push({ ...shop! });
      server.projects.splice(-2, 1);
      await assert.rejects(check(recorded, read), {
        message:
          /^LIST_INCOMPLETE: .*: p-1 \(.*its own read returns it\).*'\*\*ProjectSnapshot::<name>'/,
      });
      // Another name in the program is another project.
      server.counts.clear();
      const inputs = { ...read, name: "blog" };
      assert.deepEqual(await check(recorded, inputs), inputs);
      assert.equal(server.counts.size, 0);
    });

    it("does not leave for another user", async () => {
      const recorded = await record();
      const second = { username: "second" };
      server.hiddenFrom.set("second", new Set(["p-1"]));
      server.projects[1]!.name = "shop";
      await assert.rejects(check(recorded, await record(second), second), {
        message:
          /^SETTINGS_INVALID: .*Missing projects or parts of them: p-1\. Another user.*--replace '\*\*ProjectSnapshot::/,
      });
    });

    it("leaves in a refresh if no list has it, also an empty one, and its own read returns 404 twice", async () => {
      const recorded = await record();
      server.projects = [];
      assert.deepEqual(await refresh(recorded, {}, "p-1"), {});
      server.reset();
      server.reads.set("p-1", json(404));
      await assert.rejects(refresh(recorded, {}, "p-1"), (thrown: Error) => {
        assert.equal(String(thrown), "LIST_INCOMPLETE");
        assert.match(thrown.message, /p-1 is listed, but its own read returns 404/);
        return true;
      });
    });
  });

  it("has a record of another shape: the error is ours", async () => {
    const recorded = await inputs();
    for (const projects of [
      null,
      ["p-1"],
      { ...recorded.projects, "p-1": ["x"] },
      { "p-1": null },
    ]) {
      const broken = { ...recorded, projects };
      const message = /The record of .* is not in the form that this version writes\. .*--replace/;
      await assert.rejects(check(broken, recorded), { message });
      await assert.rejects(refresh(broken), { message });
    }
  });

  it("has parts that the response omits, which may be parts of a record with `fields`", () => {
    const { environments, codeRepository } = mappedProject();
    const recorded = { environments, codeRepository };
    const missingFields = ["environments", "codeRepository"];
    assert.deepEqual(missingParts(recorded, { missingFields, environments: [] }), [
      "codeRepository",
      "environments",
    ]);
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
      message: /for them: p-1 \(environments\[live\]\.databases\), p-2 \(codeRepository\)\./,
    });
    server.projects[0]!.hasDatabases = false;
    server.projects[1]!.hasCode = false;
    await check(recorded, await inputs(scope));
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
          assert.ok(
            message.includes(
              `The service omits parts of 1 recorded project, or returns null for them: p-1 (${lost}). `,
            ),
            message,
          );
          assert.match(
            message,
            /list the other fields in the argument fields, and run pulumi up --refresh=false\./,
          );
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

  it("keeps its record with keep, and its credentials, if it cannot be read", async () => {
    const scope: RecordScope = { onInaccessible: "keep", includeCredentials: true };
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
    const stays =
      "The recorded ones among them keep their record, unless the snapshot is replaced.";
    assert.deepEqual(warnings.slice(0, 3), [
      `warning: ProjectsSnapshot: 1 of 5 projects cannot be read: p-3 (FORBIDDEN). ${stays}`,
      "warning: ProjectsSnapshot: 1 of 5 recorded projects will leave the record: p-5 (deleted).",
      `warning: ProjectsSnapshot: 2 of 3 projects cannot be read: p-2 (FORBIDDEN), p-4 (RESPONSE_INVALID). ${stays}`,
    ]);
    // A page is not a response of the service, so it counts no more than in a program.
    server.reads.set("p-2", page(403));
    await assert.rejects(inputs(scope), { code: "RESPONSE_INVALID" });
    await assert.rejects(refresh(recorded), /RESPONSE_INVALID/);
    // The argument of the program decides.
    server.reads.delete("p-2");
    await check({ ...recorded, onInaccessible: "fail" }, await inputs(scope));
  });
});
