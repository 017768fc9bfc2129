import assert from "node:assert/strict";
import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { type Sandbox, startSandbox } from "../support/testSandbox.js";
import { getEnvironment, getProject, getProjectOutput } from "../../sdk/index.js";
import type { ConnectionSettingsInputs } from "../../sdk/index.js";
import { failureOf } from "../support/failure.js";
import { settled } from "../support/settled.js";

describe("the functions", () => {
  let sandbox: Sandbox;
  let shop: Sandbox["projects"][number];
  let opts: { connection: Sandbox["connection"] };
  beforeEach(async () => {
    sandbox = await startSandbox();
    shop = sandbox.projects[0] as typeof shop;
    opts = { connection: sandbox.connection };
  });
  afterEach(() => sandbox.close());

  const passwordInShop = () =>
    shop.projectEnvironments[0]?.projectEnvironmentDatabases.databases[0]?.password as string;

  it("return each credential as a secret Output of its own, and all other fields plain", async () => {
    const project = await getProject({ projectId: "p-1" }, opts);
    const shown = inspect(project, { depth: Infinity, showHidden: true, getters: true });
    assert.ok(!shown.includes(passwordInShop()) && !shown.includes("t0k3n"));
    const database = project.environments[0]?.databases[0];
    assert.ok(database);
    assert.equal(database.name, "shop_live");
    assert.deepEqual(await settled(database.password), { value: passwordInShop(), secret: true });
    assert.equal((await settled(database.username)).secret, true);
    assert.ok(project.codeRepository.importRepository);
    assert.equal((await settled(project.codeRepository.importRepository)).secret, true);
    assert.ok(Object.keys(database).includes("password"), "an own key, to be serialized");
    const blog = await getProject({ name: "blog" }, opts);
    assert.equal(blog.codeRepository.importRepository, null, "nothing was imported");
  });

  it("omit credentials and their keys with includeCredentials: false", async () => {
    const args = { projectId: "p-1", environmentId: "live", includeCredentials: false } as const;
    const live = await getEnvironment(args, opts);
    const keys = ["name", "associationId", "databaseType", "allowedIP"];
    assert.deepEqual(Object.keys(live.databases[0] ?? {}), keys);
    const { environmentId: _, ...key } = args;
    const project = await getProject(key, opts);
    assert.ok(!("importRepository" in project.codeRepository));
  });

  describe("in Output form", () => {
    it("stay plain with secrets in the connection, and become secret with a secret argument", async () => {
      const connection = {
        ...sandbox.connection,
        password: pulumi.secret(sandbox.connection.password),
        headers: { "X-Key": pulumi.secret("k") },
      };
      const project = getProjectOutput({ projectId: "p-1" }, { connection });
      assert.deepEqual(await settled(project.name), { value: "shop", secret: false });
      const secretly = getProjectOutput({ projectId: pulumi.secret("p-1") }, opts);
      assert.equal((await settled(secretly.name)).secret, true);
    });

    it("throw for a wrong connection at the call, even if it contains Outputs", async () => {
      const { realm: _, ...rest } = sandbox.connection;
      const wrong = { password: pulumi.secret("p"), timeoutSeconds: -1 };
      const connection = { ...rest, ...wrong } as unknown as ConnectionSettingsInputs;
      const { message } = await failureOf(
        () => void getProjectOutput({ projectId: "p-1" }, { connection }),
        "SETTINGS_INVALID",
      );
      assert.match(message, /realm is missing/);
      assert.match(message, /connection.timeoutSeconds must be .* Change it in the program/);
      assert.doesNotMatch(message, /password/);
    });

    it("refuse a component in dependsOn, for which they could not wait", async () => {
      const component = {} as pulumi.CustomResource;
      const project = getProjectOutput({ name: "shop" }, { ...opts, dependsOn: [component] });
      const { message } = await failureOf(settled(project), "ARGUMENT_INVALID");
      assert.match(message, /dependsOn must contain custom resources only/);
      assert.equal(sandbox.counters.connections, 0);
    });
  });
});
