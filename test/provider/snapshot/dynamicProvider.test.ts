import assert from "node:assert/strict";
import { inspect } from "node:util";
import { fieldsVersion } from "../../../provider/model/projectFields.js";
import { getProjectService } from "../../../provider/reading/projectService.js";
import { createProvider } from "../../../provider/snapshot/dynamicProvider.js";
import { signatureKey } from "../../../provider/wire/pulumiSafeJson.js";
import { useFastClock } from "../../support/clock.js";
import { type FleetServer, startFleetServer } from "../../support/fleetServer.js";
import { credentialsIn, LeakSearch } from "../../support/leakSearch.js";
import { sendJson } from "../../support/scriptedServer.js";
import { settingsOf } from "../../support/settings.js";

type Recorded = Record<string, unknown>;

describe("the dynamic provider", () => {
  useFastClock();
  let server: FleetServer;
  before(async () => {
    server = await startFleetServer();
  });
  beforeEach(() => server.reset());

  /** Reads as the engine does, with settings in the config of a stack. */
  async function read(recorded: Recorded, changes: object = {}, namespace = "project-service") {
    const settings: Recorded = { ...server.connection, ...changes };
    const get = (key: string) =>
      key.startsWith(`${namespace}:`)
        ? (settings[key.slice(namespace.length + 1)] as string)
        : undefined;
    const provider = createProvider();
    await provider.configure!({ config: { get, require: (key: string) => get(key) as string } });
    const id = recorded["projectId"] === undefined ? "projects" : "p-1";
    return (await provider.read!(id, recorded)) as {
      id: string;
      props: Recorded;
      inputs?: Recorded;
    };
  }

  const recorded = { projectId: "p-1", includeCredentials: true };

  it("reads fields in clear and the credentials as one secret, also as inputs", async () => {
    const { id, props, inputs } = await read(recorded);
    assert.equal(id, "p-1");
    assert.deepEqual(props, inputs);
    const { credentials, ...fields } = props as { credentials: Recorded };
    assert.ok(signatureKey in credentials);
    const { databases } = server.projects[0]!.projectEnvironments[0]!.projectEnvironmentDatabases;
    assert.ok(JSON.stringify(credentials["value"]).includes(`"${databases[0]!.password}"`));
    const secrets = new LeakSearch(credentialsIn(server.projects));
    secrets.text("the fields", inspect(fields, { depth: null }));
    assert.ok(!("credentials" in (await read({ ...recorded, includeCredentials: false })).props));
  });

  it("reads the projects and fields of the recorded scope, and keeps what else is recorded", async () => {
    const { address: service, account } = getProjectService(settingsOf({ ...server.connection }));
    const scope = {
      filters: [{ key: "name", values: ["blog"] }],
      fields: ["status", "environments.webroot"],
      includeCredentials: false,
      added: "by a transformation",
    };
    const { props, inputs } = await read({ ...scope, fieldsVersion: 0 });
    assert.deepEqual(inputs, props);
    const blog = server.projects.find(({ name }) => name === "blog")!;
    const environments = blog.projectEnvironments.map(
      ({ environmentId, order, projectEnvironmentCode: { webroot } }) => {
        const json = JSON.stringify({ environmentId, order, webroot, missingFields: [] });
        return [environmentId, json];
      },
    );
    assert.deepEqual(props, {
      ...scope,
      ...{ service, account, inaccessible: [], fieldsVersion },
      projects: {
        "p-2": {
          project: `{"projectId":"p-2","name":"blog","status":"${blog.status}","hasCode":true,"hasDatabases":true,"hasAssets":true,"missingFields":[]}`,
          environments: Object.fromEntries(environments) as object,
        },
      },
    });
  });

  it("reads the service of the recorded config namespace", async () => {
    const { props } = await read({ ...recorded, connection: "second" }, {}, "second");
    assert.equal(props["connection"], "second");
  });

  it("throws an error that Pulumi prints as the code, the project and the message, each once", async () => {
    const failing = read(recorded, { baseUrl: "nonsense", password: "c4nary" });
    const error = await failing.then(
      () => assert.fail("it succeeded"),
      (thrown: Error) => thrown,
    );
    assert.equal(`${error}: ${error.stack}`, "SETTINGS_INVALID: project p-1");
    assert.match(
      error.message,
      /project-service:baseUrl in the stack config is not a valid address\..*\nThe provider of a snapshot has .* A refresh uses the stack config in the state\./,
    );
    new LeakSearch(["c4nary"]).error("the error", error);
  });

  it("replaces a snapshot only if its project changes, and changes nothing for another account alone", async () => {
    const { diff } = createProvider();
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"; // Pulumi's text for an unknown value
    for (const [id, inputs, result] of [
      ["p-1", { projectId: "p-1" }, { replaces: [] }],
      ["p-1", { projectId: "p-2" }, { replaces: ["projectId"] }],
      ["p-1", { projectId: unknown }, { replaces: [] }],
      ["projects", { account: "a" }, { replaces: [], changes: false }],
      ["projects", { account: "a", maxRemovals: 4 }, { replaces: [] }],
    ] as const) {
      assert.deepEqual(await diff!(id, { account: "b" }, inputs), result);
    }
  });

  const fleet = { onInaccessible: "keep", projects: { "p-1": {} } };
  for (const [what, record, responses, message] of [
    ["a 403 of the project", recorded, { "p-1": 403 }, /denied access \(403\)/],
    ["a 500 of the project", recorded, { "p-1": 500 }, /responded with status 500/],
    ["a 404 of the list too", recorded, { "p-1": 404, projects: 404 }, /no project list at/],
    ["an empty list", fleet, {}, /lists no project that matches, so nothing is recorded/],
    ["a 403 of each project, with keep", fleet, { "p-1": 403 }, /denied access/],
  ] as const) {
    it(`fails, and reports no project as deleted, after ${what}`, async () => {
      server.projects = server.projects.slice(0, "p-1" in responses ? 1 : 0);
      for (const [id, status] of Object.entries(responses)) {
        server.reads.set(id, (response) => sendJson(response, status, {}));
      }
      const { account } = getProjectService(settingsOf({ ...server.connection }));
      await assert.rejects(read({ ...record, account }), { message });
    });
  }
});
