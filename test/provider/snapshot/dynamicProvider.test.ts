import assert from "node:assert/strict";
import { inspect } from "node:util";
import { fieldsVersion } from "../../../provider/model/projectFields.js";
import { createProvider } from "../../../provider/snapshot/dynamicProvider.js";
import { getProjectService } from "../../../provider/reading/projectService.js";
import { type Sandbox, startSandbox } from "../../../sandbox/index.js";
import { useFastClock } from "../../support/clock.js";
import { credentialsIn, LeakSearch } from "../../support/leakSearch.js";
import { wireProject } from "../../support/project.js";
import { settingsOf } from "../../support/settings.js";
import {
  connectionTo,
  sendJson,
  type ScriptedServer,
  startScriptedServer,
} from "../../support/scriptedServer.js";

const secretSignature = "4dabf18193072939515e22adb298388d";

type Recorded = Record<string, unknown>;
type Settings = Readonly<Record<string, string | undefined>>;

/** Reads as the engine does, with settings in the config of a stack. */
async function readWith(settings: Settings, recorded: Recorded, namespace = "project-service") {
  const provider = createProvider();
  const get = (key: string) =>
    key.startsWith(`${namespace}:`) ? settings[key.slice(namespace.length + 1)] : undefined;
  await provider.configure!({ config: { get, require: (key: string) => get(key) as string } });
  const service = `${settings["baseUrl"]}/api/project/v5`;
  const account: unknown = recorded["account"] ?? getProjectService(settingsOf(settings)).account;
  const id = recorded["projectId"] === undefined ? "projects" : "p-1";
  return (await provider.read!(id, { service, account, ...recorded } as object)) as {
    id: string;
    props: Recorded;
    inputs?: Recorded;
  };
}

const bare = { projectId: "p-1" };
const recorded = { ...bare, includeCredentials: true, credentials: {} };

describe("the dynamic provider", () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await startSandbox();
  });
  afterEach(() => sandbox.close());

  const read = (recorded: Recorded, changes: Settings = {}) =>
    readWith({ ...sandbox.connection, ...changes }, recorded);

  it("reads fields in clear and the credentials as one secret, also as inputs", async () => {
    const { id, props, inputs } = await read(recorded);
    assert.equal(id, "p-1");
    assert.deepEqual(props, inputs);
    const { credentials, ...fields } = props as { credentials: Recorded };
    assert.ok(secretSignature in credentials);
    const { databases } = sandbox.projects[0]!.projectEnvironments[0]!.projectEnvironmentDatabases;
    assert.ok(JSON.stringify(credentials["value"]).includes(`"${databases[0]!.password}"`));
    const secrets = new LeakSearch(credentialsIn(sandbox.projects));
    secrets.text("the fields", inspect(fields, { depth: null }));
  });

  it("reads credentials if includeCredentials is recorded, and never changes that", async () => {
    for (const includeCredentials of [true, false]) {
      const { props } = await read({ ...recorded, includeCredentials });
      assert.equal("credentials" in props, includeCredentials);
      assert.equal(props["includeCredentials"], includeCredentials);
      assert.equal(props["fieldsVersion"], fieldsVersion);
    }
  });

  it("reads the projects and fields of the recorded scope", async () => {
    const scope = {
      service: `${sandbox.connection.baseUrl}/api/project/v5`,
      filters: [{ key: "name", values: ["docs"] }],
      fields: ["status", "environments.webroot"],
      includeCredentials: false,
    };
    const settings = { ...sandbox.connection };
    const { props, inputs } = await readWith(settings, scope);
    assert.deepEqual(inputs, props);
    const { projects, account, ...others } = props as { projects: Recorded; account: string };
    assert.match(account, /^[0-9a-f]{16}$/);
    const constant = { inaccessible: [], fieldsVersion };
    assert.deepEqual(others, { ...scope, ...constant });
    const docs = sandbox.projects.find(({ name }) => name === "docs")!;
    const environment = (id: string, order: number) =>
      `{"environmentId":"${id}","order":${order},"webroot":"/var/www/docs/${id}/current/public","missingFields":[]}`;
    assert.deepEqual(projects, {
      [docs._id]: {
        project: `{"projectId":"${docs._id}","name":"docs","status":"DEPLOYED","hasCode":true,"hasDatabases":false,"hasAssets":true,"missingFields":[]}`,
        environments: { live: environment("live", 0), stage: environment("stage", 1) },
      },
    });
  });

  it("reads the service of the recorded config namespace", async () => {
    const settings = { ...sandbox.connection };
    const scope = { ...recorded, connection: "second" };
    const { props } = await readWith(settings, scope, "second");
    assert.equal(props["connection"], "second");
  });

  it("reports a project as deleted if a complete list omits it, also an empty one, and its reads say 404", async () => {
    for (const projects of [sandbox.projects.slice(1), []]) {
      sandbox.projects = projects;
      assert.deepEqual(await read(recorded), { id: "", props: {} });
    }
  });

  it("throws an error that Pulumi prints as the code, the project and the message, each once", async () => {
    const password = "wr0ng-p4ssword-of-the-reader";
    const error: Error = await read(recorded, { password }).then(
      () => assert.fail("it succeeded"),
      (thrown: Error) => thrown,
    );
    assert.equal(`${error}: ${error.stack}`, "LOGIN_REJECTED: project p-1");
    assert.match(error.message, /A refresh uses the stack config in the state, /);
    new LeakSearch([sandbox.connection.password, password]).error("the error", error);
  });

  it("replaces a snapshot only if its project changes", async () => {
    const { diff } = createProvider();
    assert.deepEqual(await diff!("p-1", {}, { projectId: "p-1" }), { replaces: [] });
    assert.deepEqual(await diff!("p-1", {}, { projectId: "p-2" }), { replaces: ["projectId"] });
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"; // Pulumi's text for an unknown value
    assert.deepEqual(await diff!("p-1", {}, { projectId: unknown }), { replaces: [] });
  });
});

describe("the dynamic provider fails, and reports no project as deleted, after", () => {
  useFastClock();
  let server: ScriptedServer;
  let settings: Settings;
  before(async () => {
    server = await startScriptedServer();
    settings = connectionTo(server.url);
  });

  const other = { ...wireProject(), _id: "p-2", name: "blog" };
  type List = { status?: number; projects?: readonly object[] };

  /** Makes the server respond to the list, and to the read of a project. */
  function serve({ status = 200, projects = [] }: List, statusOf: (id: string) => number) {
    server.respond = ({ url = "" }, response) => {
      const id = url.split("/").at(-1) as string;
      if (id === "token") sendJson(response, 200, { access_token: "t" });
      else if (id !== "projects") sendJson(response, statusOf(id), { ...wireProject(), _id: id });
      else sendJson(response, status, { _embedded: { projectResources: projects } });
    };
  }

  for (const [what, status, list, message] of [
    ["a 403 of the project", 403, {}, /denied access \(403\)/],
    ["a 500 of the project", 500, {}, /responded with status 500/],
    ["a 404 of the list too, as with a wrong address", 404, { status: 404 }, /no project list at/],
    [
      "a 404 of a listed project",
      404,
      { projects: [wireProject()] },
      /is listed, but its own read/,
    ],
  ] as const) {
    it(what, async () => {
      serve(list, () => status);
      await assert.rejects(readWith(settings, recorded), { message });
    });
  }

  for (const [what, list, statusOf, message] of [
    ["an empty list", {}, 200, /p-1 \(.*; its own read returns it\)/],
    ["an empty list and a 404", {}, 404, /No recorded project is left: p-1 \(deleted\)/],
    [
      "a list that the filters exclude",
      { projects: [other] },
      200,
      /p-1 \(.* its own read returns/,
    ],
    ["a 403 of each project, with keep", { projects: [wireProject()] }, 403, /denied access/],
    ["a 404 of each project, with keep", { projects: [wireProject()] }, 404, /404/],
  ] as const) {
    it(`${what}, of a ProjectsSnapshot`, async () => {
      serve(list, () => statusOf);
      const filters = [{ key: "name", values: ["shop"] }];
      const scope = { filters, onInaccessible: "keep", projects: { "p-1": {} } };
      await assert.rejects(readWith(settings, scope), { message });
    });
  }

  for (const [what, baseUrl, message] of [
    ["no connection", "http://127.0.0.1:9", /no response from 127\.0\.0\.1:9 /],
    [
      "an invalid setting",
      "nonsense",
      /project-service:baseUrl in the stack config is not a valid address\. It must start with https:.*\n *A refresh uses/s,
    ],
  ] as const) {
    it(what, async () => {
      serve({}, () => 404);
      const other = { ...recorded, account: "not compared" };
      await assert.rejects(readWith({ ...settings, baseUrl }, other), { message });
    });
  }
});
