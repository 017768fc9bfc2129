import assert from "node:assert/strict";
import { inspect } from "node:util";
import { fieldsVersion } from "../../../provider/model/projectFields.js";
import {
  createProjectsProvider,
  createProvider,
} from "../../../provider/snapshot/dynamicProvider.js";
import { getProjectService } from "../../../provider/service/projectService.js";
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
async function readWith(
  settings: Settings,
  recorded: Recorded,
  create = createProvider,
  namespace = "project-service",
) {
  const provider = create();
  const get = (key: string) =>
    key.startsWith(`${namespace}:`) ? settings[key.slice(namespace.length + 1)] : undefined;
  await provider.configure!({ config: { get, require: (key: string) => get(key) as string } });
  const service = `${settings["baseUrl"]}/api/project/v5`;
  const account: unknown = recorded["account"] ?? getProjectService(settingsOf(settings)).account;
  const id = create === createProvider ? "p-1" : "projects";
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
    const { props, inputs } = await readWith(settings, scope, createProjectsProvider);
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
        project: `{"projectId":"${docs._id}","name":"docs","status":"DEPLOYED","missingFields":[]}`,
        environments: { live: environment("live", 0), stage: environment("stage", 1) },
      },
    });
  });

  it("reads the service of the recorded config namespace", async () => {
    const settings = { ...sandbox.connection };
    const scope = { ...recorded, connection: "second" };
    const { props } = await readWith(settings, scope, createProvider, "second");
    assert.equal(props["connection"], "second");
  });

  it("reports a project as deleted after a 404 and a successful list of other projects", async () => {
    const [shop, ...others] = sandbox.projects.splice(0);
    assert.equal(shop?._id, "p-1");
    await assert.rejects(read(recorded), { message: /p-1 \(404, but the list is empty\)/ });
    sandbox.projects = others;
    assert.deepEqual(await read(recorded), { id: "", props: {} });
  });

  it("refuses to read another service than the recorded one, before any request", async () => {
    const service = "https://elsewhere.example.com/api/project/v5";
    await assert.rejects(read({ ...recorded, service }), {
      message:
        /at https:\/\/elsewhere\.example\.com\/.*, but the settings name http:\/\/127\..* A refresh uses .* --run-program if baseUrl is the same\. .* record is unchanged\./,
    });
    assert.deepEqual([sandbox.counters.passwordGrants, sandbox.counters.projectReads], [0, 0]);
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
      /p-1 \(listed, and its read failed: 404\)/,
    ],
  ] as const) {
    it(what, async () => {
      serve(list, () => status);
      await assert.rejects(readWith(settings, recorded), { message });
    });
  }

  for (const [what, list, statusOf, message] of [
    ["an empty list", {}, 200, /lists no projects, so nothing is recorded/],
    ["a list that the filters exclude", { projects: [other] }, 200, /No project matches the filte/],
    ["a 403 of each project, with skip", { projects: [wireProject()] }, 403, /denied access/],
    ["a 404 of each project, with skip", { projects: [wireProject()] }, 404, /404/],
  ] as const) {
    it(`${what}, of a ProjectsSnapshot`, async () => {
      serve(list, () => statusOf);
      const filters = [{ key: "name", values: ["shop"] }];
      const scope = { filters, onInaccessible: "skip", projects: { "p-1": {} } };
      await assert.rejects(readWith(settings, scope, createProjectsProvider), { message });
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
