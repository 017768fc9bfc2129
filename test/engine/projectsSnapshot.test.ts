import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sampleProjects } from "../../sandbox/index.js";
import { sendJson, startScriptedServer } from "../support/scriptedServer.js";
import { expectNoChanges, snapshotImports, useSnapshotStack } from "../support/snapshotStack.js";
import { configOf } from "../support/workbench.js";

const fleetImports = `${snapshotImports}
const { ProjectsSnapshot } = projectService;
`;

function fleet(args = "", more = ""): string {
  return `${fleetImports}
const fleet = new ProjectsSnapshot("fleet", { ${args} });
${more}`;
}

const projectsType = "pulumi-nodejs:dynamic/project-service:ProjectsSnapshot";

describe("a ProjectsSnapshot on the real engine", () => {
  const stack = useSnapshotStack();

  /** The recorded ids and inaccessible projects in the state. */
  async function recorded() {
    const { deployment } = JSON.parse((await stack.project.cli("stack", "export")).stdout) as {
      deployment: {
        resources: { type: string; id?: string; outputs: Record<string, unknown> }[];
      };
    };
    const found = deployment.resources.find(({ type }) => type === projectsType);
    assert.equal(found?.id, "projects");
    return found.outputs as {
      projects: Record<string, { environments: { webroot: string }[] }>;
      inaccessible: object[];
      service: string;
      credentials?: object;
    };
  }

  /** Starts with the first three sample projects, recorded. */
  async function startWithThree(name: string, program: string) {
    stack.sandbox.projects = sampleProjects().slice(0, 3);
    await stack.start(name, program);
    await stack.up();
    await stack.succeed(...expectNoChanges);
  }

  /** Changes a webroot, adds a project, deletes one, denies access to one, and rotates a password. */
  function changeFleet(): void {
    const [shop, blog, third] = stack.sandbox.projects;
    const live = shop!.projectEnvironments[0]!;
    live.projectEnvironmentCode.webroot = "/srv/shop";
    live.projectEnvironmentDatabases.databases[0]!.password = "r0tated-p4ssword-of-the-shop";
    stack.sandbox.forbiddenProjectIds.add(blog!._id);
    stack.sandbox.projects = [sampleProjects()[3]!, blog!, shop!];
    assert.equal(third!._id, "p-3");
  }

  async function assertChangedFleetIsRecorded(): Promise<void> {
    await stack.succeed(...expectNoChanges);
    const { projects, inaccessible } = await recorded();
    assert.deepEqual(Object.keys(projects).sort(), ["p-1", "p-4"]);
    assert.equal(projects["p-1"]?.environments[0]?.webroot, "/srv/shop");
    assert.deepEqual(inaccessible, [{ code: "FORBIDDEN", projectId: "p-2" }]);
  }

  const skipping = fleet('onInaccessible: "skip", includeCredentials: true');

  it("shows each kind of drift at its place, and an update records it", async () => {
    await startWithThree("fleet-drift", skipping);
    changeFleet();
    const printed = await stack.fail(...expectNoChanges);
    assert.match(printed, /~ credentials *: \[secret\] => \[secret\]/);
    assert.match(printed, /~ inaccessible: \[\n.*\+ \[0\]: \{\n.*code *: "FORBIDDEN"\n.*"p-2"/);
    assert.match(
      printed,
      /~ p-1: \{\n.*~ environments: \[\n.*~ \[0\]: \{\n.*~ webroot: "\/var\/www\/shop\/live\/current\/public" => "\/srv\/shop"\n/,
    );
    for (const id of ["p-2", "p-3"]) assert.match(printed, new RegExp(`- ${id}: \\{`));
    assert.match(printed, /\+ p-4: \{/);
    assert.match(printed, /~ 1 to update\n +1 unchanged/);
    await stack.up();
    await assertChangedFleetIsRecorded();
  });

  it("records the same by a refresh, in which no other order is a change", async () => {
    await startWithThree("fleet-refresh", skipping);
    changeFleet();
    await stack.refresh();
    await assertChangedFleetIsRecorded();
    stack.sandbox.projects.reverse();
    for (const { projectEnvironments } of stack.sandbox.projects) {
      for (const environment of projectEnvironments) {
        environment.projectEnvironmentDatabases.databases.reverse();
        environment.projectEnvironmentAssets.assetGroups.reverse();
        environment.symLinks.reverse();
      }
    }
    await stack.succeed(...expectNoChanges);
    stack.sandbox.forbiddenProjectIds.clear();
    assert.match(await stack.fail(...expectNoChanges), /- \[0\]: \{[^]*\+ p-2: \{/);
  });

  it("keeps the state in a refresh that cannot read the service completely", async () => {
    const server = await startScriptedServer();
    const listed = sampleProjects().slice(0, 3);
    const service = { token: 200, listed, readStatus: 200 };
    server.respond = ({ url = "" }, response) => {
      if (url.includes("/token")) {
        const token = { access_token: "t", token_type: "Bearer", expires_in: 900 };
        const refusal = { error: "invalid_grant" };
        return sendJson(response, service.token, service.token === 200 ? token : refusal);
      }
      const id = /\/projects\/(.*)$/.exec(url)?.[1];
      if (id === undefined) {
        return sendJson(response, 200, { _embedded: { projectResources: service.listed } });
      }
      sendJson(
        response,
        service.readStatus,
        sampleProjects().find(({ _id }) => _id === id),
      );
    };
    const { connection } = stack.sandbox;
    await stack.start("fleet-failures", fleet('onInaccessible: "skip"'));
    const { baseUrl: _, ...config } = { ...connection, authUrl: server.url };
    await stack.project.stack.removeConfig("project-service:baseUrl");
    await stack.project.stack.setAllConfig(configOf(config));
    process.env["PROJECT_SERVICE_BASE_URL"] = server.url;
    try {
      await stack.up();
      const before = JSON.stringify(await recorded());
      for (const [reason, change] of [
        [/access to none of the 3 listed projects/, { readStatus: 403 }],
        [/list has 3 projects, but reading them returns 404/, { readStatus: 404 }],
        [/the list omits project p-3, which can be read/, { listed: listed.slice(0, 2) }],
        [/Check username and password/, { token: 401 }],
      ] as const) {
        const { ...good } = service;
        Object.assign(service, change);
        assert.match(await stack.fail("refresh", "--yes", "--skip-preview"), reason);
        assert.equal(JSON.stringify(await recorded()), before);
        Object.assign(service, good);
      }
      service.readStatus = 403;
      assert.match(await stack.fail("preview"), /access to none of the 3 listed projects/);
      process.env["PROJECT_SERVICE_BASE_URL"] = connection.baseUrl;
      assert.match(
        await stack.fail("refresh", "--yes", "--skip-preview"),
        /were recorded from http.*, but the settings name http/,
      );
      assert.equal(JSON.stringify(await recorded()), before);
    } finally {
      delete process.env["PROJECT_SERVICE_BASE_URL"];
    }
  });

  it("records ids that look like paths, and refuses ids that Pulumi reserves", async () => {
    const ids = ["a.b", "x[0]", "1", "constructor", "__x"];
    stack.sandbox.projects = ids.map((_id) => ({ ...sampleProjects()[0]!, _id, name: _id }));
    await stack.start("fleet-ids", fleet());
    await stack.up();
    await stack.succeed(...expectNoChanges);
    assert.deepEqual(Object.keys((await recorded()).projects).sort(), [...ids].sort());
    for (const project of stack.sandbox.projects) {
      project.domain = `changed-${project._id}`;
    }
    const printed = await stack.fail(...expectNoChanges);
    for (const id of ids) assert.ok(printed.includes(`"changed-${id}"`), printed);
    await stack.refresh();
    await stack.succeed(...expectNoChanges);

    for (const id of ["4dabf18193072939515e22adb298388d", "__proto__", "__pulumiType"]) {
      const project = { ...sampleProjects()[0]!, _id: id, domain: "c4nary-domain" };
      stack.sandbox.projects = [...stack.sandbox.projects.slice(0, 1), project];
      const refused = await stack.fail("preview", "--diff");
      assert.match(refused, /RESPONSE_INVALID.*the id of a project has a key that Pulumi/);
      assert.doesNotMatch(refused, /c4nary-domain/);
    }
  });

  it("records a part of the fleet: by filters, which may be secret or unknown, and by shard", async () => {
    await stack.start(
      "fleet-scope",
      `${fleetImports}
class Later extends pulumi.dynamic.Resource {
  declare readonly type: pulumi.Output<string>;
  constructor(name: string) {
    super({ create: async () => ({ id: name, outs: { type: "TYPO3" } }) }, name, { type: undefined });
  }
}
const type = new Later("later").type;
const unknown = new ProjectsSnapshot("unknown", { filters: [{ key: "type", values: [type] }] });
const secret = new ProjectsSnapshot("secret", {
  filters: [{ key: "name", values: [new pulumi.Config().requireSecret("name")] }],
});
const name = new pulumi.Config().requireSecret("name");
new ProjectSnapshot("secret-name", { name, includeCredentials: false });
const parts = [0, 1].map((index) => new ProjectsSnapshot(\`part-\${index}\`, { shard: { index, count: 2 } }));
const idsOf = ({ projects }: InstanceType<typeof ProjectsSnapshot>) => projects.apply(Object.keys);
export const ids = pulumi.all([unknown, ...parts].map(idsOf));
export const matching = idsOf(secret);
export const none = new ProjectsSnapshot("none", { filters: [{ key: "name", values: ["nobody"] }] }).projects;
`,
    );
    Object.assign(
      stack.sandbox.projects.find(({ name }) => name === "intranet")!,
      {
        domain: undefined,
      },
    );
    await stack.project.stack.setConfig("name", { value: "intranet", secret: true });
    const planned = await stack.succeed("preview", "--diff");
    assert.doesNotMatch(planned, /intranet/);
    await stack.up();
    await stack.refresh();
    await stack.succeed(...expectNoChanges);
    const [typo3 = [], ...parts] = (await stack.output("ids")) as string[][];
    const projects = stack.sandbox.projects;
    const idsWith = (test: (project: (typeof projects)[number]) => boolean) =>
      projects.filter(test).map(({ _id }) => _id);
    assert.deepEqual(typo3.sort(), idsWith(({ type }) => type === "TYPO3").sort());
    assert.deepEqual(parts.flat().sort(), idsWith(() => true).sort());
    assert.ok(parts.every(({ length }) => length > 0));
    assert.deepEqual(
      await stack.output("matching"),
      idsWith(({ name }) => name === "intranet"),
    );
    assert.deepEqual(await stack.output("none"), {});
    for (const resource of await stack.snapshots()) {
      if (/::secret/.test(resource.urn)) assert.doesNotMatch(JSON.stringify(resource), /intranet/);
    }
  });

  it("records an empty fleet, and no credentials without includeCredentials", async () => {
    await startWithThree("fleet-empty", fleet("", "export const c = fleet.credentials;"));
    assert.equal((await recorded()).credentials, undefined);
    assert.doesNotMatch(
      (await stack.project.cli("stack", "export")).stdout,
      /ciphertext":"[^"]+"[^]*projects/,
    );
    stack.sandbox.projects = [];
    await stack.up();
    assert.deepEqual((await recorded()).projects, {});
    await stack.succeed(...expectNoChanges);
  });

  it("shows no change for defaults that are written out, and for another package version", async () => {
    await startWithThree("fleet-defaults", fleet());
    const file = join(stack.project.directory, "index.ts");
    const defaults = `filters: [], onInaccessible: "fail", includeCredentials: false, connection: "project-service"`;
    await writeFile(file, fleet(defaults));
    await stack.succeed(...expectNoChanges);
    await writeFile(file, fleet("", 'new ProjectSnapshot("shop", { name: "shop" });'));
    assert.match(await stack.succeed("preview"), /\+ 1 to create\n +2 unchanged/);
  });
});
