import assert from "node:assert/strict";
import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { type Sandbox, startSandbox } from "../../sandbox/index.js";
import * as projectService from "../../sdk/index.js";
import { failureOf } from "../support/failure.js";
import { fleet } from "../support/project.js";
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

  it("read a project by id and by name", async () => {
    const byId = await projectService.getProject({ projectId: "p-1" }, opts);
    const byName = await projectService.getProject({ name: "shop" }, opts);
    assert.equal(byId.name, "shop");
    assert.equal(byName.projectId, "p-1");
  });

  it("return each credential as a secret Output of its own, and all other fields plain", async () => {
    const project = await projectService.getProject({ projectId: "p-1" }, opts);
    const database = project.environments[0]?.databases[0];
    assert.ok(database);
    assert.equal(database.name, "shop_live");
    assert.deepEqual(await settled(database.password), { value: passwordInShop(), secret: true });
    assert.equal((await settled(database.username)).secret, true);
    assert.ok(project.codeRepository.importRepository);
    assert.equal((await settled(project.codeRepository.importRepository)).secret, true);
    assert.ok(Object.keys(database).includes("password"), "an own key, to be serialized");
  });

  it("return null as importRepository if nothing was imported", async () => {
    const blog = await projectService.getProject({ name: "blog" }, opts);
    assert.equal(blog.codeRepository.importRepository, null);
  });

  it("omit credentials and their keys with includeCredentials: false", async () => {
    const args = { projectId: "p-1", environmentId: "live", includeCredentials: false } as const;
    const live = await projectService.getEnvironment(args, opts);
    assert.deepEqual(Object.keys(live.databases[0] ?? {}), [
      "name",
      "associationId",
      "databaseType",
      "allowedIP",
    ]);
    const project = await projectService.getProject(
      { projectId: "p-1", includeCredentials: false },
      opts,
    );
    assert.ok(!("importRepository" in project.codeRepository));
    assert.ok(!inspect(project, { depth: Infinity, getters: true }).includes(passwordInShop()));
  });

  it("show no credential when a program prints a result", async () => {
    const project = await projectService.getProject({ projectId: "p-1" }, opts);
    const shown = inspect(project, { depth: Infinity, showHidden: true, getters: true });
    assert.ok(!shown.includes(passwordInShop()) && !shown.includes("t0k3n"));
  });

  it("read an environment, with id and name of its project", async () => {
    const stage = await projectService.getEnvironment(
      { name: "shop", environmentId: "stage" },
      opts,
    );
    assert.deepEqual(
      [stage.projectId, stage.projectName, stage.environmentId, stage.branch.name],
      ["p-1", "shop", "stage", "release"],
    );
  });

  it("name the existing environments if one does not exist", async () => {
    const { message } = await failureOf(
      projectService.getEnvironment({ name: "shop", environmentId: "prod" }, opts),
      "NOT_FOUND",
    );
    assert.match(message, /live, stage, test/);
  });

  it("list the projects in list form", async () => {
    const { projects } = await projectService.getProjects({}, opts);
    assert.equal(projects.length, 12);
    assert.deepEqual(projects[0], {
      projectId: "p-1",
      name: "shop",
      type: "MAGENTO",
      status: "DEPLOYED",
      domain: "shop.example.com",
    });
  });

  it("sign in once for 50 concurrent calls, over one connection, and read over at most 16", async () => {
    sandbox.projects = fleet(50);
    sandbox.latencyMs = 5;
    await Promise.all(
      sandbox.projects.map(({ _id }) => projectService.getProject({ projectId: _id }, opts)),
    );
    assert.equal(sandbox.counters.passwordGrants, 1);
    assert.equal(sandbox.counters.projectReads, 50);
    assert.ok(sandbox.counters.connections <= 17, String(sandbox.counters.connections));
  });

  it("sign in once with a wrong password, for any number of calls", async () => {
    const wrong = { connection: { ...sandbox.connection, password: "wr0ng" } };
    const calls = Array.from({ length: 10 }, () =>
      failureOf(projectService.getProject({ projectId: "p-1" }, wrong), "LOGIN_REJECTED"),
    );
    const [first] = await Promise.all(calls);
    await failureOf(projectService.getProjects({}, wrong), "LOGIN_REJECTED");
    assert.equal(sandbox.counters.passwordGrants, 1);
    assert.ok(!inspect(first, { depth: Infinity, showHidden: true }).includes("wr0ng"));
  });

  it("read the present state of the service at each call", async () => {
    await projectService.getProject({ projectId: "p-1" }, opts);
    shop.domain = "new.example.com";
    const { domain } = await projectService.getProject({ projectId: "p-1" }, opts);
    assert.equal(domain, "new.example.com");
  });

  describe("in Output form", () => {
    it("lift plain fields and secret credentials", async () => {
      const live = projectService.getEnvironmentOutput(
        { projectId: pulumi.output("p-1"), environmentId: "live" },
        opts,
      );
      assert.deepEqual(await settled(live.webroot), {
        value: "/var/www/shop/live/current/public",
        secret: false,
      });
      assert.deepEqual(await settled(live.databases[0]?.password as pulumi.Output<string>), {
        value: passwordInShop(),
        secret: true,
      });
      assert.equal((await settled(live)).secret, false);
    });

    it("stay plain with a secret in the connection, and become secret with a secret argument", async () => {
      const connection = {
        ...sandbox.connection,
        password: pulumi.secret(sandbox.connection.password),
      };
      const project = projectService.getProjectOutput({ projectId: "p-1" }, { connection });
      assert.equal((await settled(project.name)).secret, false);
      const secretly = projectService.getProjectOutput({ projectId: pulumi.secret("p-1") }, opts);
      assert.equal((await settled(secretly.name)).secret, true);
    });

    it("list and read by name", async () => {
      const { value } = await settled(projectService.getProjectsOutput({}, opts).projects.length);
      assert.equal(value, 12);
      const project = projectService.getProjectOutput({ name: pulumi.output("shop") }, opts);
      assert.equal((await settled(project.projectId)).value, "p-1");
    });

    it("throw for a wrong connection at the call, even if it contains Outputs", async () => {
      const { realm: _, ...rest } = sandbox.connection;
      const connection = { ...rest, password: pulumi.secret("p"), timeoutSeconds: -1 };
      const { message } = await failureOf(
        () => void projectService.getProjectOutput({ projectId: "p-1" }, { connection }),
        "SETTINGS_INVALID",
      );
      assert.match(message, /realm is missing/);
      assert.match(
        message,
        /connection.timeoutSeconds must be .* Change connection.timeoutSeconds/,
      );
      assert.doesNotMatch(message, /password/);
    });

    it("do not look up a setting elsewhere if its Output resolves to undefined", async () => {
      pulumi.runtime.setAllConfig({ "project-service:password": sandbox.connection.password }, [
        "project-service:password",
      ]);
      try {
        {
          const connection = { ...sandbox.connection, password: pulumi.output(undefined) };
          const project = projectService.getProjectOutput({ name: "shop" }, { connection });
          const { message } = await failureOf(settled(project), "SETTINGS_INVALID");
          assert.match(message, /connection\.password is undefined/);
        }
        assert.equal(sandbox.counters.connections, 0);
      } finally {
        pulumi.runtime.setAllConfig({});
      }
    });

    it("accept undefined, null and lists of them as dependsOn", async () => {
      for (const dependsOn of [undefined, null, [], [null, undefined], pulumi.output(null)]) {
        const project = getProjectOutput?.({ name: "shop" }, { ...opts, dependsOn });
        assert.equal(
          (await settled(project as pulumi.Output<{ name: string }>)).value.name,
          "shop",
        );
      }
    });

    it("accept a secret Output as the value of a header", async () => {
      const connection = { ...sandbox.connection, headers: { "X-Key": pulumi.secret("k") } };
      const project = projectService.getProjectOutput({ projectId: "p-1" }, { connection });
      assert.deepEqual(await settled(project.name), { value: "shop", secret: false });
    });
  });

  const { getProject, getProjects, getEnvironment } = projectService as unknown as Record<
    string,
    (args?: unknown, opts?: unknown) => Promise<unknown>
  >;
  const { getProjectOutput, getProjectsOutput, getEnvironmentOutput } =
    projectService as unknown as Record<string, (args?: unknown, opts?: unknown) => unknown>;
  /** An Output that fails the test if a check reads a field of its value. */
  const unread = new Proxy(pulumi.output("p-1"), {
    get: (output, key) => {
      assert.ok(typeof key === "symbol" || key in output || key.startsWith("__"), String(key));
      return output[key as never] as unknown;
    },
  });
  for (const [what, call] of [
    ["no argument", () => getProject?.()],
    ["null", () => getProject?.(null)],
    ["neither projectId nor name", () => getProject?.({})],
    ["both projectId and name", () => getProject?.({ projectId: "p-1", name: "shop" })],
    ["an unknown argument", () => getProject?.({ projectID: "p-1", name: "shop" })],
    ["a number as projectId", () => getProject?.({ projectId: 1 })],
    ["null as projectId", () => getProject?.({ projectId: null })],
    ["null as projectId in Output form", () => getProjectOutput?.({ projectId: null })],
    ["an Output as projectId in Promise form", () => getProject?.({ projectId: unread })],
    ["an Output as the argument", () => getProjectOutput?.(unread)],
    [
      "an Output for includeCredentials",
      () => getProjectOutput?.({ name: "shop", includeCredentials: unread }),
    ],
    ["an empty name", () => getProject?.({ name: "" })],
    ["text for includeCredentials", () => getProject?.({ name: "shop", includeCredentials: "no" })],
    ["an unknown option", () => getProject?.({ name: "shop" }, { parent: {} })],
    ["dependsOn in Promise form", () => getProject?.({ name: "shop" }, { dependsOn: [] })],
    ["no environmentId", () => getEnvironment?.({ name: "shop" })],
    ["a number as environmentId", () => getEnvironment?.({ name: "shop", environmentId: 0 })],
    ["an unknown argument of getProjects", () => getProjects?.({ filter: "shop" })],
    ["an unknown argument in Output form", () => getProjectOutput?.({ id: "p-1" })],
    ["an unknown option in Output form", () => getProjectsOutput?.({}, { provider: {} })],
    [
      "an unknown argument of getEnvironmentOutput",
      () => getEnvironmentOutput?.({ environment: "x" }),
    ],
  ] as [string, () => unknown][]) {
    it(`refuse ${what}`, async () => {
      await failureOf(call, "ARGUMENT_INVALID");
      assert.equal(sandbox.counters.passwordGrants, 0);
    });
  }

  it("refuse an unknown key of the connection", async () => {
    const { baseUrl, ...rest } = sandbox.connection;
    const { message } = await failureOf(
      projectService.getProjects({}, { connection: { ...rest, baseURL: baseUrl } as never }),
      "SETTINGS_INVALID",
    );
    assert.match(
      message,
      /connection has the unknown key baseURL\. Did you mean baseUrl\? The keys are baseUrl,/,
    );
    assert.match(message, /baseUrl is missing/);
  });
});
