import assert from "node:assert/strict";
import { inspect } from "node:util";
import { fieldsVersion } from "../../../provider/model/projectFields.js";
import { createProvider } from "../../../provider/snapshot/dynamicProvider.js";
import { type Sandbox, startSandbox } from "../../../sandbox/index.js";
import {
  sendJson,
  type ScriptedServer,
  startScriptedServer,
} from "../../support/scriptedServer.js";
import { wireProject } from "../../support/project.js";
import { credentialsIn, LeakSearch } from "../../support/leakSearch.js";

const secretSignature = "4dabf18193072939515e22adb298388d";

interface Read {
  id: string;
  props: Record<string, unknown>;
  inputs?: Record<string, unknown>;
}

describe("the dynamic provider", () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await startSandbox();
  });
  afterEach(() => sandbox.close());

  /** Reads as the engine does, with the config of a stack. */
  async function read(
    recorded:
      { projectId?: string; service?: string | undefined; [key: string]: unknown } | undefined,
    changes: Record<string, string | undefined> = {},
    id = "p-1",
    namespace = "project-service",
  ): Promise<Read> {
    const settings: Record<string, string | undefined> = { ...sandbox.connection, ...changes };
    const provider = createProvider();
    const service = { service: `${settings["baseUrl"]}/api/project/v5` };
    const props = recorded && "projectId" in recorded ? { ...service, ...recorded } : recorded;
    const get = (key: string) =>
      key.startsWith(`${namespace}:`) ? settings[key.slice(namespace.length + 1)] : undefined;
    await provider.configure!({ config: { get, require: (key: string) => get(key) as string } });
    return (await provider.read!(id, props)) as Read;
  }

  const recorded = { projectId: "p-1", credentials: {} };

  it("reads fields in clear and the credentials as one secret, also as inputs", async () => {
    const { id, props, inputs } = await read(recorded);
    assert.equal(id, "p-1");
    assert.deepEqual(props, inputs);
    const { credentials, ...fields } = props as { credentials: Record<string, unknown> };
    assert.ok(secretSignature in credentials);
    const [database] = (
      credentials["value"] as { databases: Record<string, { password: string }[]> }
    ).databases["live"]!;
    const served = sandbox.projects[0]!.projectEnvironments[0]!.projectEnvironmentDatabases;
    assert.equal(database?.password, served.databases[0]?.password);
    new LeakSearch(credentialsIn(sandbox.projects)).text(
      "the fields",
      inspect(fields, { depth: null }),
    );
  });

  it("reads credentials if includeCredentials is recorded, or credentials are, and never changes that", async () => {
    const bare = { projectId: "p-1" };
    for (const [before, includeCredentials] of [
      [recorded, true],
      [bare, false],
      [{ ...bare, includeCredentials: true }, true],
      [{ ...recorded, includeCredentials: false }, false],
    ] as const) {
      const { props } = await read(before);
      assert.equal("credentials" in props, includeCredentials);
      assert.equal(props["includeCredentials"], includeCredentials);
      assert.equal(props["fieldsVersion"], fieldsVersion);
    }
  });

  it("reads the service of the recorded config namespace", async () => {
    const { props } = await read({ ...recorded, connection: "second" }, {}, "p-1", "second");
    assert.equal(props["connection"], "second");
  });

  it("reports a project as deleted after a 404 and a successful list without it", async () => {
    sandbox.projects.shift();
    assert.deepEqual(await read(recorded), { id: "", props: {} });
    assert.equal(sandbox.counters.lists, 1);
  });

  it("refuses to read another service than the recorded one, before any request", async () => {
    const service = "https://elsewhere.example.com/api/project/v5";
    await assert.rejects(read({ ...recorded, service }), {
      message:
        /at https:\/\/elsewhere\.example\.com\/.* was recorded, but the settings name http:\/\/127\..* state stays as it is\. A refresh uses/,
    });
    assert.deepEqual([sandbox.counters.passwordGrants, sandbox.counters.projectReads], [0, 0]);
  });

  describe("fails, and reports no project as deleted, after", () => {
    let server: ScriptedServer;
    beforeEach(async () => {
      server = await startScriptedServer();
    });

    /** Makes the server respond to a read with one status, and to a list with another and these projects. */
    function serve(readStatus: number, listStatus: number, projects: object[]): void {
      server.respond = (request, response) => {
        if (request.url?.startsWith("/auth/"))
          return sendJson(response, 200, { access_token: "t" });
        return request.url?.endsWith("/projects")
          ? sendJson(response, listStatus, { _embedded: { projectResources: projects } })
          : sendJson(response, readStatus, {});
      };
    }
    const scripted = () => ({ baseUrl: server.url, authUrl: server.url });

    for (const [what, status, message] of [
      ["a 403 of the project", 403, /denied access \(403\)/],
      ["a 401 of the project", 401, /rejected a new token \(401\)/],
      ["a 500 of the project", 500, /responded with status 500/],
    ] as const) {
      it(what, async () => {
        serve(status, 200, []);
        await assert.rejects(read(recorded, scripted()), { message });
      });
    }
    it("a 404 of the project and of the list, as with a wrong address", async () => {
      serve(404, 404, []);
      await assert.rejects(read(recorded, scripted()), {
        message: /There is no project list at this address/,
      });
    });
    it("a 404 of a project that the service lists", async () => {
      serve(404, 200, [wireProject()]);
      await assert.rejects(read(recorded, scripted()), {
        message: /status 404, not found\. Check projectId/,
      });
    });
    it("no connection to the service", async () => {
      await assert.rejects(read(recorded, { baseUrl: "http://127.0.0.1:9" }), {
        message: /no response from 127\.0\.0\.1:9 /,
      });
    });
    it("missing or invalid settings", async () => {
      await assert.rejects(read(recorded, { baseUrl: undefined }), {
        message: /baseUrl is missing\. Set it: pulumi config set project-service:baseUrl/,
      });
      await assert.rejects(read(recorded, { baseUrl: "nonsense" }), {
        message:
          /project-service:baseUrl in the stack config is not a valid address\. It must start with https:.*\n *A refresh uses/s,
      });
    });
  });

  it("throws an error that Pulumi prints as the code, the project and the message, each once", async () => {
    const error = await read(recorded, { password: "wr0ng-p4ssword-of-the-reader" }).then(
      () => assert.fail("it succeeded"),
      (thrown: unknown) => thrown as Error,
    );

    assert.equal(`${error}: ${error.stack}`, "LOGIN_REJECTED: project p-1");
    assert.match(error.message, /A refresh uses the settings of the last pulumi up\./);
    const secrets = [sandbox.connection.password, "wr0ng-p4ssword-of-the-reader"];
    new LeakSearch(secrets).error("the error", error);
  });

  it("replaces a snapshot only if its project changes", async () => {
    const { diff } = createProvider();
    assert.deepEqual(await diff!("p-1", {}, { projectId: "p-1" }), { replaces: [] });
    assert.deepEqual(await diff!("p-1", {}, { projectId: "p-2" }), { replaces: ["projectId"] });
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"; // Pulumi's text for an unknown value
    assert.deepEqual(await diff!("p-1", {}, { projectId: unknown }), { replaces: [] });
  });
});
