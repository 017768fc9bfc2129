import assert from "node:assert/strict";
import type { InaccessibleProject } from "../../../provider/model/project.js";
import { getProjectService } from "../../../provider/reading/projectService.js";
import { createProvider } from "../../../provider/snapshot/dynamicProvider.js";
import {
  recordProject,
  recordProjects,
  type RecordScope,
} from "../../../provider/snapshot/record.js";
import { useFastClock } from "../../support/clock.js";
import { type FleetServer, page, startFleetServer } from "../../support/fleetServer.js";
import { setAt } from "../../support/project.js";
import { sendJson } from "../../support/scriptedServer.js";
import { settingsOf } from "../../support/settings.js";

type Props = Record<string, unknown> & {
  projects: Record<string, unknown>;
  inaccessible: InaccessibleProject[];
};
type Respond = Parameters<FleetServer["reads"]["set"]>[1];

const certain = "The record is unchanged, so nothing was deleted because of it.";

describe("a recorded project that a new record lacks", () => {
  useFastClock();
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

  const serviceWith = (changes: object) =>
    getProjectService(settingsOf({ ...server.connection, ...changes }));

  /** Returns the inputs of a ProjectsSnapshot, as a program sends them. */
  async function inputs(scope: RecordScope = {}, changes: object = {}): Promise<Props> {
    const read = await recordProjects(serviceWith(changes), scope);
    return JSON.parse(JSON.stringify({ ...scope, ...read })) as Props;
  }

  async function provider(changes: object) {
    const config = { ...server.connection, ...changes } as Record<string, string>;
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
  /** Returns a record with as many more projects, which the service does not have. */
  const withGone = (recorded: Props, count: number): Props => {
    const projects = { ...recorded.projects };
    for (let i = 0; i < count; i++) projects[`q-${i}`] = projects["p-1"];
    return { ...recorded, projects };
  };

  it("was deleted if its own read returns 404 twice, in a preview and in a refresh", async () => {
    const read = await inputs();
    const recorded = withGone(read, 2);
    server.counts.clear();
    assert.deepEqual(await check(recorded, read), read);
    assert.deepEqual(Object.fromEntries(server.counts), { projects: 1, "q-0": 2, "q-1": 2 });
    assert.deepEqual(ids(await refresh(recorded)), ids(read));
    const warning =
      "warning: ProjectsSnapshot: 2 of 7 recorded projects will leave the record or lose all environments: q-0 (deleted), q-1 (deleted).";
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
    ] as const) {
      assert.deepEqual(await check(before, after), after);
    }
    assert.equal(server.counts.size, 0);
  });

  const json =
    (status: number): Respond =>
    (response) =>
      sendJson(response, status, {});
  const invalid: Respond = (response) =>
    sendJson(response, 200, { ...server.projects.find(({ _id }) => _id === "p-5"), name: 1 });

  /** What the own read of a missing project returns, and what follows with `fail` and with `keep`. */
  const rule: [what: string, read: Respond | undefined, fail: string, keep: string][] = [
    ["404 with JSON", json(404), "leaves", "leaves"],
    ["404 without a body", (response) => response.writeHead(404).end(), "leaves", "leaves"],
    ["the project", undefined, "succeeds)", "succeeds)"],
    ["404 with a page", page(404), "RESPONSE_INVALID, 404)", "RESPONSE_INVALID, 404)"],
    ["403", json(403), "FORBIDDEN, 403)", "stays"],
    ["invalid fields", invalid, "RESPONSE_INVALID)", "stays"],
    ["410", json(410), "RESPONSE_INVALID, 410)", "RESPONSE_INVALID, 410)"],
    ["400", json(400), "RESPONSE_INVALID: ", "RESPONSE_INVALID: "],
    ["401", json(401), "TOKEN_REFUSED: ", "TOKEN_REFUSED: "],
    ["500", json(500), "SERVICE_UNAVAILABLE: ", "SERVICE_UNAVAILABLE: "],
  ];
  for (const [index, [what, respond, fail, keep]] of rule.entries()) {
    for (const [onInaccessible, expected] of [
      ["fail", fail],
      ["keep", keep],
    ] as const) {
      it(`with "${onInaccessible}" and ${what} from its own read: ${expected}`, async () => {
        const recorded = await inputs({ onInaccessible });
        server.unlisted.add("p-5");
        const read = await inputs({ onInaccessible });
        if (respond !== undefined) server.reads.set("p-5", respond);
        // With settings of its own, a pause or an outage holds no other test back.
        const checked = check(recorded, read, { maxConcurrency: String(1 + index) });
        if (["leaves", "stays"].includes(expected)) {
          assert.equal(ids(await checked).includes("p-5"), expected === "stays");
          return;
        }
        const start = expected.endsWith(")") ? "LIST_INCOMPLETE: " : expected;
        await assert.rejects(checked, ({ message }: Error) => {
          assert.ok(message.startsWith(start), message);
          return message.includes(expected);
        });
      });
    }
  }

  it("is named with what is certain first and the command that accepts it last", async () => {
    const recorded = await inputs();
    server.unlisted.add("p-4").add("p-5");
    await assert.rejects(check(recorded, await inputs()), {
      message: `LIST_INCOMPLETE: ${certain} The new record lacks 2 of 5 recorded projects, which may still exist: p-4 (its own read succeeds), p-5 (its own read succeeds). Check baseUrl and any proxies, and try again. If all this is really gone, run pulumi up --refresh=false --replace '**ProjectsSnapshot::<name>'. Pulumi then deletes the resources that the program created for everything that is missing or cannot be read.`,
    });
  });

  it("is not given up if only one of three servers has lost it", async () => {
    const recorded = await inputs();
    server.nodes = 3;
    server.lostIds.add("p-5");
    server.unlisted.add("p-5");
    const { "p-5": _, ...projects } = recorded.projects;
    for (let round = 0; round < 6; round++) {
      await assert.rejects(check(recorded, { ...recorded, projects }), {
        message: /p-5 \(its own read succeeds/,
      });
    }
  });

  it("is not given up if no recorded project exists any more", async () => {
    const read = await inputs();
    const recorded = withGone(read, 2);
    for (const id of ids(read)) delete recorded.projects[id];
    await assert.rejects(check(recorded, read), {
      message:
        /: q-0 \(its own read returns NOT_FOUND, 404, and no recorded project can be read\), q-1/,
    });
    delete recorded.projects["q-1"];
    assert.deepEqual(await check(recorded, read), read, "no other one is recorded");
    // One that no longer matches exists.
    const others = await inputs({ filters: [{ key: "name", values: ["blog"] }] });
    recorded.projects["p-1"] = read.projects["p-1"];
    assert.deepEqual(await check(recorded, others), others);
  });

  it("no longer matches only if its own read says so, whatever the list says", async () => {
    const scope: RecordScope = { filters: [{ key: "status", values: ["DEPLOYED"] }] };
    for (const project of server.projects) project.status = "DEPLOYED";
    const recorded = await inputs(scope);
    server.projects[0]!.status = "CHANGED";
    const read = await inputs(scope);
    server.counts.clear();
    assert.deepEqual(ids(await check(recorded, read)), ["p-2", "p-3", "p-4", "p-5"]);
    assert.deepEqual(Object.fromEntries(server.counts), { "p-1": 1 });
    assert.match(warnings[0] ?? "", /: p-1 \(no longer matching\)\.$/);

    // A stale list is not believed, if the project itself still matches.
    server.projects[0]!.status = "DEPLOYED";
    const message = /p-1 \(its own read succeeds\)/;
    await assert.rejects(check(recorded, read), { message });
  });

  it("is not given up if the list has it, but not as the filters want, and its own read returns 404", async () => {
    for (const onInaccessible of ["fail", "keep"] as const) {
      server.reset();
      for (const project of server.projects) project.status = "DEPLOYED";
      const filters = [{ key: "status" as const, values: ["DEPLOYED"] }];
      const recorded = await inputs({ filters, onInaccessible });
      server.projects[0]!.status = "CHANGED";
      server.reads.set("p-1", json(404));
      const checked = check(recorded, await inputs({ filters, onInaccessible }));
      if (onInaccessible === "keep") assert.deepEqual(ids(await checked), ids(recorded));
      else
        await assert.rejects(checked, {
          message: /p-1 \(its own read returns NOT_FOUND, 404, although it is listed\)/,
        });
    }
  });

  it("is not given up if null stands in place of a list on the way to the field of a filter", async () => {
    const filters = [{ key: "environments.databases.databaseType" as const, values: ["MYSQL"] }];
    const recorded = await inputs({ filters });
    const [shop] = server.projects;
    setAt(shop, "projectEnvironments", shop!.projectEnvironments.slice(0, 1));
    setAt(shop, "projectEnvironments[0].projectEnvironmentDatabases", null);
    const read = await inputs({ filters });
    assert.ok(!ids(read).includes("p-1"));
    await assert.rejects(check(recorded, read), {
      message: /p-1 \(its own read returns RESPONSE_INVALID\)/,
    });
    shop!.hasDatabases = false;
    assert.deepEqual(ids(await check(recorded, read)), ids(read));
  });

  describe("with a brake", () => {
    for (const [most, living] of [
      [3, 5],
      [5, 95],
    ] as const) {
      it(`may be one of ${most}, and no more, if ${living} others are recorded`, async () => {
        server.projects = Array.from({ length: living }, (_, i) => ({
          ...server.projects[i % 5]!,
          ...{ _id: `p-${i}`, name: `p-${i}` },
        }));
        const read = await inputs();
        await check(withGone(read, most), read);
        await assert.rejects(check(withGone(read, most + 1), read), { message: /at once: q-0/ });
      });
    }

    it("fails with the number that accepts it, also in a refresh", async () => {
      const read = await inputs();
      const recorded = withGone(read, 4);
      const names = ["q-0", "q-1", "q-2", "q-3"].map((id) => `${id} (deleted)`).join(", ");
      const message = `${certain} 4 of 9 recorded projects would leave the record or lose all environments at once: ${names}. Check the filters, the user and the service. If this is right, pass maxRemovals: 4 to the ProjectsSnapshot for one pulumi up --refresh=false, because a refresh uses the recorded number. Pulumi then deletes the resources that the program created for them.`;
      await assert.rejects(check(recorded, read), { message: `LIST_INCOMPLETE: ${message}` });
      await assert.rejects(refresh(recorded), (thrown: Error) =>
        thrown.message.startsWith(message),
      );
    });

    it("may be one of as many as maxRemovals, which may be lower, and is the recorded one in a refresh", async () => {
      const read = await inputs();
      for (const [maxRemovals, gone] of [
        [4, 4],
        [0, 0],
      ] as const) {
        const [most, more] = [withGone(read, gone), withGone(read, gone + 1)];
        await check(most, { ...read, maxRemovals });
        await assert.rejects(check(more, { ...read, maxRemovals }), { message: /at once/ });
        assert.deepEqual(ids(await refresh({ ...most, maxRemovals })), ids(read));
        await assert.rejects(refresh({ ...more, maxRemovals }), { message: /at once/ });
      }
    });

    it("counts projects that no longer match", async () => {
      const recorded = await inputs();
      const filters = [{ key: "name" as const, values: ["shop"] }];
      await assert.rejects(check(recorded, await inputs({ filters })), {
        message: /4 of 5 recorded projects would .*p-2 \(no longer matching\)/,
      });
    });

    it("counts projects whose environments are all gone, and names them", async () => {
      const recorded = await inputs();
      const empty = (count: number) => {
        for (const project of server.projects.slice(0, count)) project.projectEnvironments = [];
      };
      empty(2);
      await check(recorded, await inputs());
      assert.match(warnings[0] ?? "", /: p-1 \(no environments\), p-2 \(no environments\)\.$/);
      empty(4);
      await assert.rejects(check(recorded, await inputs()), {
        message: /4 of 5 recorded projects would .*: p-1 \(no environments\)/,
      });
    });
  });

  it("is not named, nor anything else, if the program passed a secret argument", async () => {
    const read = { ...(await inputs()), filters: [], hasSecretArguments: true };
    const recorded = withGone(read, 4);
    for (const now of [read, { ...read, hasSecretArguments: undefined }]) {
      await assert.rejects(check(recorded, now), {
        message: `LIST_INCOMPLETE: ${certain} ProjectsSnapshot failed (LIST_INCOMPLETE). An argument is secret, so no more is shown.`,
      });
    }
    await check(withGone(read, 1), read);
    assert.deepEqual(warnings, [
      "warning: ProjectsSnapshot: 1 of 6 recorded projects will leave the record or lose all environments.",
    ]);
  });

  const second = { username: "second" };

  it("is not given up as another user or at another address, which may read if nothing is missing", async () => {
    const recorded = await inputs();
    const { account } = await inputs({}, second);
    assert.notEqual(recorded["account"], account);
    const message =
      /SETTINGS_INVALID: .* Missing projects or parts of them: p-4\. They were recorded from http.*, with another address, user, .*--replace[^]*The provider of a snapshot has/;
    server.hiddenFrom.set("second", new Set(["p-4"]));
    await assert.rejects(check(recorded, await inputs({}, second), second), { message });
    await assert.rejects(refresh(recorded, second), (thrown: Error) =>
      message.test(`${String(thrown)}: ${thrown.message}`),
    );
    server.hiddenFrom.clear();
    const seen = await refresh(recorded, second);
    assert.deepEqual([ids(seen), seen["account"]], [ids(recorded), account]);
  });

  it("is not given up as another user to whom the service shows no environments, or parts", async () => {
    const recorded = await inputs();
    for (const environments of [[], null]) {
      setAt(server.projects[0], "projectEnvironments", environments);
      await assert.rejects(check(recorded, await inputs({}, second), second), {
        message: /^SETTINGS_INVALID: .*parts of them: p-1 \(environments\)\. /,
      });
    }
  });

  it("stays a record of its user if another one cannot read it, who may later see nothing of it", async () => {
    const scope: RecordScope = { onInaccessible: "keep" };
    const recorded = await inputs(scope);
    server.reads.set("p-2", json(403));
    const kept = await check(recorded, await inputs(scope, second), second);
    assert.deepEqual(ids(kept), ids(recorded));
    server.reads.clear();
    server.hiddenFrom.set("second", new Set(["p-2"]));
    await assert.rejects(check(kept, await inputs(scope, second), second), {
      message: /^SETTINGS_INVALID: .* parts of them: p-2\. /,
    });
  });

  describe("of a ProjectSnapshot", () => {
    const record = async (changes: object = {}) =>
      recordProject(serviceWith(changes), { name: "shop" }, {});

    it("leaves if its name leads to another project, and its own read returns 404 or another name", async () => {
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
          /^LIST_INCOMPLETE: .*: p-1 \(its own read succeeds\).*'\*\*ProjectSnapshot::<name>'/,
      });
      const foreign = { ...recorded, account: "0" };
      await assert.rejects(check(foreign, read), { message: /^SETTINGS_INVALID: .*them: p-1\. / });
      // Another name in the program is another project.
      server.counts.clear();
      const renamed = { ...read, name: "blog" };
      assert.deepEqual(await check(recorded, renamed), renamed);
      assert.equal(server.counts.size, 0);
    });

    it("leaves in a refresh if no list has it, also an empty one, and its own read returns 404", async () => {
      const recorded = await record();
      const others = server.projects.slice(1);
      for (const projects of [others, []]) {
        server.projects = projects;
        assert.deepEqual(await refresh(recorded, {}, "p-1"), {});
      }
      server.reset();
      server.reads.set("p-1", json(404));
      await assert.rejects(refresh(recorded, {}, "p-1"), (thrown: Error) => {
        assert.equal(String(thrown), "LIST_INCOMPLETE");
        return thrown.message.includes(
          "p-1 (its own read returns NOT_FOUND, 404, although it is listed)",
        );
      });
    });
  });

  const environment = "projectEnvironments[0]";
  const databases = `${environment}.projectEnvironmentDatabases`;
  const assets = `${environment}.projectEnvironmentAssets`;
  const parts: [change: object, missing: string | undefined][] = [
    [{ codeRepository: undefined }, "codeRepository"],
    [{ codeRepository: null, hasCode: false }, undefined],
    [{ projectEnvironments: null }, "environments"],
    [{ projectEnvironments: undefined, hasDatabases: false }, "environments"],
    [{ [databases]: undefined }, "environments[live].databases"],
    [{ [databases]: null, hasDatabases: false }, undefined],
    [{ [`${databases}.databases`]: [] }, undefined],
    [
      { [`${assets}.assetGroups`]: null, [`${environment}.symLinks`]: undefined },
      "environments[live].assetGroups, environments[live].symLinks",
    ],
    [{ [assets]: undefined, [`${environment}.symLinks`]: null, hasAssets: false }, undefined],
  ];
  for (const [change, missing] of parts) {
    const shown = JSON.stringify(change, (_key, value: unknown) => value ?? "absent");
    it(`${missing === undefined ? "loses" : "keeps"} its parts after ${shown}`, async () => {
      // The flags are recorded with any fields, and the databases with credentials.
      const scope: RecordScope = {
        fields: ["codeRepository", "environments.assetGroups", "environments.symLinks"],
        includeCredentials: true,
      };
      const [shop, blog] = server.projects;
      // This one has no repository before, so it misses none.
      setAt(blog, "codeRepository", undefined);
      const recorded = await inputs(scope);
      for (const [path, value] of Object.entries(change)) setAt(shop, path, value);
      blog!.hasAssets = !blog!.hasAssets;
      const read = await inputs(scope);
      for (const recordAgain of [() => check(recorded, read), () => refresh(recorded)]) {
        if (missing === undefined) await recordAgain();
        else {
          await assert.rejects(recordAgain(), ({ message }: Error) =>
            message.includes(
              `The service omits parts of 1 recorded project, or returns null for them: p-1 (${missing}). `,
            ),
          );
        }
      }
    });
  }

  it("keeps its record with keep, and its credentials, if it cannot be read", async () => {
    const scope: RecordScope = { onInaccessible: "keep", includeCredentials: true };
    const recorded = await inputs(scope);
    server.reads.set("p-2", json(403));
    server.unlisted.add("p-3");
    server.reads.set("p-3", json(403));
    server.reads.set("p-5", invalid);
    for (const kept of [
      await check(withGone(recorded, 1), await inputs(scope)),
      await refresh(withGone(recorded, 1)),
    ]) {
      assert.deepEqual(kept.projects, recorded.projects);
      assert.deepEqual(kept.inaccessible, [
        { projectId: "p-2", code: "FORBIDDEN" },
        { projectId: "p-3", code: "FORBIDDEN" },
        { projectId: "p-5", code: "RESPONSE_INVALID" },
      ]);
      const { value } = kept["credentials"] as { value: string };
      assert.equal(value, recorded["credentials"]);
    }
    const unread =
      "warning: ProjectsSnapshot: 3 projects cannot be read: p-2 (FORBIDDEN), p-3 (FORBIDDEN), p-5 (RESPONSE_INVALID). The recorded ones among them keep their record, unless the snapshot is replaced.";
    assert.deepEqual(warnings.slice(1, 2), [unread]);
    assert.equal(warnings.at(-1), unread);
    // The argument of the program decides.
    await assert.rejects(inputs(), { code: "FORBIDDEN" });
    server.reads.clear();
    await assert.rejects(
      check(recorded, { ...(await inputs()), onInaccessible: "fail" }),
      /LIST_INCOMPLETE/,
    );
  });
});
