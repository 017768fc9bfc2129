import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { runInNewContext } from "node:vm";
import { createProvider } from "../../provider/dynamic.js";
import { serializedProvider } from "../../provider/snapshotResource.js";
import { type Sandbox, startSandbox } from "../../sandbox/index.js";
import { sendJson, type ScriptedServer, startScriptedServer } from "../support/scriptedServer.js";
import { wireProject } from "../support/project.js";
import { credentialsIn, LeakSearch } from "../support/secrets.js";

const repository = join(__dirname, "../../..");
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

  /** Reads as the engine has it done, with the config of a stack. */
  async function read(
    recorded: object | undefined,
    changes: Record<string, string | undefined> = {},
    id = "p-1",
    namespace = "project-service",
  ): Promise<Read> {
    const settings: Record<string, string | undefined> = { ...sandbox.connection, ...changes };
    const provider = createProvider();
    const get = (key: string) =>
      key.startsWith(`${namespace}:`) ? settings[key.slice(namespace.length + 1)] : undefined;
    await provider.configure!({ config: { get, require: (key: string) => get(key) as string } });
    return (await provider.read!(id, recorded)) as Read;
  }

  const recorded = { projectId: "p-1" };

  it("is a constant of at most 512 bytes in the state", () => {
    assert.ok(Buffer.byteLength(serializedProvider) <= 512, String(serializedProvider.length));
    assert.doesNotMatch(serializedProvider, /\d+\.\d+/, "no version");
  });

  /** What Pulumi gets of the text in the state, for a program in a folder. */
  function load(directory: string): Record<string, (...args: unknown[]) => Promise<unknown>> {
    const exports: { handler?: () => unknown } = {};
    const process = { cwd: () => directory };
    runInNewContext(serializedProvider, { exports, require, process, Error, Object });
    return exports.handler!() as ReturnType<typeof load>;
  }

  it("is found from the program's folder", () => {
    assert.deepEqual(Object.keys(load(repository)), Object.keys(createProvider()));
  });

  it("fails where its package is missing, with the message once, but lets snapshots be deleted", async () => {
    const provider = load(tmpdir());
    for (const operation of Object.keys({ ...createProvider(), check: 1 })) {
      if (operation === "configure") continue;
      const error = await provider[operation]!().then(
        () => assert.fail(operation),
        (thrown: unknown) => thrown as Error,
      );
      assert.match(error.message, /npm install pulumi-project-service \(Cannot find module/);
      assert.doesNotMatch(`${error}: ${error.stack}`, /npm install/);
    }
    await provider["delete"]!();
  });

  it("reads facts in clear and the credentials as one secret, as inputs too", async () => {
    const { id, props, inputs } = await read(recorded);
    assert.equal(id, "p-1");
    assert.deepEqual(props, inputs);
    const { credentials, ...facts } = props as { credentials: Record<string, unknown> };
    assert.ok(secretSignature in credentials);
    const [database] = (
      credentials["value"] as { databases: Record<string, { password: string }[]> }
    ).databases["live"]!;
    const served = sandbox.projects[0]!.projectEnvironments[0]!.projectEnvironmentDatabases;
    assert.equal(database?.password, served.databases[0]?.password);
    new LeakSearch(credentialsIn(sandbox.projects)).text(
      "the facts",
      inspect(facts, { depth: null }),
    );
  });

  it("reads without credentials where they were left out", async () => {
    const { props } = await read({ ...recorded, includeCredentials: false });
    assert.ok(!("credentials" in props));
    assert.equal(props["includeCredentials"], false);
  });

  it("reads the service of the namespace that was recorded", async () => {
    const { props } = await read({ ...recorded, connection: "second" }, {}, "p-1", "second");
    assert.equal(props["connection"], "second");
  });

  it("says that a project is gone after a 404 and a list without it", async () => {
    sandbox.projects.shift();
    assert.deepEqual(await read(recorded), { id: "", props: {} });
    assert.equal(sandbox.counters.lists, 1);
  });

  it("does not take for gone what a service does not know that only the environment names", async () => {
    const { baseUrl } = sandbox.connection;
    process.env["PROJECT_SERVICE_BASE_URL"] = baseUrl;
    try {
      assert.equal((await read(recorded, { baseUrl: undefined })).id, "p-1");
      sandbox.projects.shift();
      await assert.rejects(read(recorded, { baseUrl: undefined }), {
        message: /404.* not taken for deleted.* pulumi config set project-service:baseUrl <value>/,
      });
    } finally {
      delete process.env["PROJECT_SERVICE_BASE_URL"];
    }
  });

  it("does not take for gone what ProjectSnapshot.get asks for", async () => {
    sandbox.projects.shift();
    await assert.rejects(read({}), { message: /There is no such project: check projectId/ });
  });

  describe("fails, and does not take for gone,", () => {
    let server: ScriptedServer;
    beforeEach(async () => {
      server = await startScriptedServer();
    });

    /** A service that answers a read with one status, and lists what is given. */
    function answering(readStatus: number, listStatus: number, projects: object[]): void {
      server.answer = (request, response) => {
        if (request.url?.startsWith("/auth/"))
          return sendJson(response, 200, { access_token: "t" });
        return request.url?.endsWith("/projects")
          ? sendJson(response, listStatus, { _embedded: { projectResources: projects } })
          : sendJson(response, readStatus, {});
      };
    }
    const here = () => ({ baseUrl: server.url, authUrl: server.url });

    for (const [what, status, message] of [
      ["a project that may not be read", 403, /answered 403/],
      ["a service that refuses the token", 401, /answered 401/],
      ["a service in trouble", 500, /answered 500/],
    ] as const) {
      it(what, async () => {
        answering(status, 200, []);
        await assert.rejects(read(recorded, here()), { message });
      });
    }
    it("a 404 with a list that fails, as of a mistyped address", async () => {
      answering(404, 404, []);
      await assert.rejects(read(recorded, here()), {
        message: /There is no project list at this address/,
      });
    });
    it("a 404 of a project that the service lists", async () => {
      answering(404, 200, [wireProject()]);
      await assert.rejects(read(recorded, here()), { message: /There is no such project/ });
    });
    it("a service that cannot be reached", async () => {
      await assert.rejects(read(recorded, { baseUrl: "http://127.0.0.1:9" }), {
        message: /no answer from 127.0.0.1:9/,
      });
    });
    it("settings that are missing or wrong", async () => {
      await assert.rejects(read(recorded, { baseUrl: undefined }), {
        message: /baseUrl is missing\. Set it: pulumi config set project-service:baseUrl/,
      });
      await assert.rejects(read(recorded, { baseUrl: "nonsense" }), {
        message: /project-service:baseUrl is not an address/,
      });
    });
  });

  it("throws what reads well where Pulumi prints it: the code, the project, then the message", async () => {
    const error = await read(recorded, { password: "wr0ng-p4ssword-of-the-reader" }).then(
      () => assert.fail("it succeeded"),
      (thrown: unknown) => thrown as Error,
    );

    assert.equal(`${error}: ${error.stack}`, "LOGIN_REJECTED: project p-1");
    assert.match(error.message, /with the settings of the last pulumi up/);
    const secrets = [sandbox.connection.password, "wr0ng-p4ssword-of-the-reader"];
    new LeakSearch(secrets).error("the error", error);
  });

  it("records the same, whatever the order of asset groups, databases and symlinks", async () => {
    const before = await read(recorded);
    for (const environment of sandbox.projects[0]!.projectEnvironments) {
      environment.projectEnvironmentAssets.assetGroups.reverse();
      environment.projectEnvironmentDatabases.databases.reverse();
      environment.symLinks.reverse();
    }
    sandbox.projects[0]!.projectEnvironments.reverse();
    assert.deepEqual(await read(recorded), before);
  });

  it("keeps the order of the latest deployments", async () => {
    const [live] = sandbox.projects[0]!.projectEnvironments;
    live!.projectEnvironmentCode.latestDeploymentPaths = ["/b", "/a"];
    const { props } = await read(recorded);
    const [environment] = props["environments"] as { latestDeploymentPaths: unknown }[];
    assert.deepEqual(environment?.latestDeploymentPaths, ["/b", "/a"]);
  });

  it("records the same when the service sends fields that nobody knows", async () => {
    const before = await read(recorded);
    const [live] = sandbox.projects[0]!.projectEnvironments;
    Object.assign(live!, { novelty: { secret: "n0velty-of-the-service" } });
    Object.assign(live!.projectEnvironmentDatabases.databases[0]!, {
      dsn: "n0velty-of-the-service",
    });
    assert.deepEqual(await read(recorded), before);
  });

  it("replaces a snapshot that is pointed at another project, and no other", async () => {
    const { diff } = createProvider();
    assert.deepEqual(await diff!("p-1", {}, { projectId: "p-1" }), { replaces: [] });
    assert.deepEqual(await diff!("p-1", {}, { projectId: "p-2" }), { replaces: ["projectId"] });
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"; // as Pulumi sends what is not known yet
    assert.deepEqual(await diff!("p-1", {}, { projectId: unknown }), { replaces: [] });
  });
});
