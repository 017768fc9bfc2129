import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { refreshBytes, youngBytes } from "../../provider/snapshot/memoryLimit.js";
import { sampleProjects } from "../../sandbox/index.js";
import { laterClass } from "../support/engineTest.js";
import {
  fleet,
  fleetImports,
  useSnapshotStack,
  expectNoChanges,
} from "../support/snapshotStack.js";
import { sendJson, startScriptedServer } from "../support/scriptedServer.js";
import { configOf } from "../support/workbench.js";

describe("what a ProjectsSnapshot records, on the real engine", () => {
  const stack = useSnapshotStack();

  it("records a part of the fleet: by filters, which may be secret or unknown, and by shard", async () => {
    await stack.start(
      "fleet-scope",
      `${fleetImports}${laterClass("TYPO3")}
const type = new Later("later").value;
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
export const none = new ProjectsSnapshot("none", { filters: [{ key: "name", values: ["wikki"] }] }).projects;
`,
    );
    Object.assign(
      stack.sandbox.projects.find(({ name }) => name === "intranet")!,
      {
        domain: undefined,
      },
    );
    await stack.project.setConfig({ name: { value: "intranet", secret: true } });
    const planned = await stack.succeed("preview", "--diff");
    assert.doesNotMatch(planned, /intranet/);
    assert.match(
      planned,
      /warning: ProjectsSnapshot: No project has "wikki" in name\. Did you mean "wiki"/,
    );
    await stack.up();
    await stack.refresh();
    await stack.succeed(...expectNoChanges);
    const { ids, matching, none } = await stack.project.outputs();
    const [typo3 = [], ...parts] = ids as string[][];
    const projects = stack.sandbox.projects;
    const idsWith = (test: (project: (typeof projects)[number]) => boolean) =>
      projects.filter(test).map(({ _id }) => _id);
    assert.deepEqual(typo3.sort(), idsWith(({ type }) => type === "TYPO3").sort());
    assert.deepEqual(parts.flat().sort(), idsWith(() => true).sort());
    assert.ok(parts.every(({ length }) => length > 0));
    assert.deepEqual(
      matching,
      idsWith(({ name }) => name === "intranet"),
    );
    assert.deepEqual(none, {});
    for (const resource of await stack.snapshots()) {
      if (/::secret/.test(resource.urn)) assert.doesNotMatch(JSON.stringify(resource), /intranet/);
    }
  });

  it("records ids that look like paths, and refuses ids that Pulumi reserves", async () => {
    const ids = ["a.b", "x[0]", "1", "constructor", "__x"];
    stack.sandbox.projects = ids.map((_id) => ({ ...sampleProjects()[0]!, _id, name: _id }));
    await stack.start("fleet-ids", fleet());
    await stack.up();
    await stack.succeed(...expectNoChanges);
    assert.deepEqual(Object.keys((await stack.recorded()).projects).sort(), [...ids].sort());
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

  it("records an empty fleet with allowEmpty only, and no credentials without includeCredentials", async () => {
    await stack.startWithThree("fleet-empty", fleet("", "export const c = fleet.credentials;"));
    assert.equal((await stack.recorded()).credentials, undefined);
    assert.doesNotMatch(
      (await stack.project.cli("stack", "export")).stdout,
      /ciphertext":"[^"]+"[^]*projects/,
    );
    const before = await stack.recorded();
    stack.sandbox.projects = [];
    const message = /lists no projects, so nothing is recorded\..* pass allowEmpty: true/;
    for (const command of ["up", "refresh"]) {
      const printed = await stack.fail(command, "--yes", "--skip-preview");
      assert.match(printed, message);
      assert.match(printed, /The state stays as it is|NOT_FOUND/);
      assert.deepEqual(await stack.recorded(), before);
    }
    await writeFile(join(stack.project.directory, "index.ts"), fleet("allowEmpty: true"));
    await stack.up();
    assert.deepEqual((await stack.recorded()).projects, {});
    await stack.succeed(...expectNoChanges);
    await stack.refresh();
    await stack.succeed(...expectNoChanges);
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
    await stack.project.setConfig({
      ...configOf(connection),
      "project-service:baseUrl": undefined,
      "project-service:authUrl": undefined,
    });
    process.env["PROJECT_SERVICE_BASE_URL"] = server.url;
    process.env["PROJECT_SERVICE_AUTH_URL"] = server.url;
    try {
      await stack.up();
      const before = JSON.stringify(await stack.recorded());
      for (const [reason, change] of [
        [/access to none of the 3 listed projects/, { readStatus: 403 }],
        [/list has 3 projects, but reading them returns 404/, { readStatus: 404 }],
        [/the list omits project p-3, which can be read/, { listed: listed.slice(0, 2) }],
        [/Check username and password/, { token: 401 }],
      ] as const) {
        const { ...good } = service;
        Object.assign(service, change);
        assert.match(await stack.fail("refresh", "--yes", "--skip-preview"), reason);
        assert.equal(JSON.stringify(await stack.recorded()), before);
        Object.assign(service, good);
      }
      service.readStatus = 403;
      assert.match(await stack.fail("preview"), /access to none of the 3 listed projects/);
      process.env["PROJECT_SERVICE_BASE_URL"] = connection.baseUrl;
      assert.match(
        await stack.fail("refresh", "--yes", "--skip-preview"),
        /The service at http.* was recorded, but the settings name http/,
      );
      assert.equal(JSON.stringify(await stack.recorded()), before);
    } finally {
      delete process.env["PROJECT_SERVICE_BASE_URL"];
      delete process.env["PROJECT_SERVICE_AUTH_URL"];
    }
  });

  it("refuses more projects than Node's memory can hold, in a refresh too, and keeps the state", async () => {
    await stack.start("fleet-memory", fleet());
    await stack.up();
    const before = JSON.stringify(await stack.recorded());
    const [shop] = sampleProjects();
    stack.sandbox.projects = Array.from({ length: 700 }, (_, n) => ({ ...shop!, _id: `p-${n}` }));
    process.env["NODE_OPTIONS"] = "--max-old-space-size=300";
    try {
      for (const command of [["preview"], ["refresh", "--yes", "--skip-preview"]]) {
        const printed = await stack.fail(...command);
        assert.match(
          printed,
          /error: .*ProjectsSnapshot selects 700 projects.* 0\.[789]\d* GB of memory.* limit is 0\.\d+ GB here\. .* with filters, or with shard: \{ index, count: \d \}/,
        );
        assert.match(printed, /ARGUMENT_INVALID/);
        assert.doesNotMatch(printed, /heap|EOF/);
      }
      // Fewer fields need less memory.
      const program = join(stack.project.directory, "index.ts");
      await writeFile(program, fleet('fields: ["status", "environments.webroot"]'));
      assert.match(await stack.succeed("preview"), /~ 1 to update/);
      await writeFile(program, fleet());
    } finally {
      delete process.env["NODE_OPTIONS"];
    }
    assert.equal(JSON.stringify(await stack.recorded()), before);
  });

  for (const [title, text] of [
    ["ASCII", "x".repeat(100_000)],
    ["Chinese", "漢".repeat(30_000)],
  ] as const) {
    it(`can be refreshed with the memory that it accepts, with long texts in ${title}`, async () => {
      const [shop] = sampleProjects();
      stack.sandbox.projects = Array.from({ length: 60 }, (_, n) => ({
        ...shop!,
        _id: `p-${n}`,
        codeRepository: { ...shop!.codeRepository, group: text },
      }));
      await stack.start(`fleet-${title}`, fleet());
      await stack.up();
      const { projects, inaccessible, service } = await stack.recorded();
      const limitBytes = refreshBytes({ projects, inaccessible, service }) - youngBytes;
      process.env["NODE_OPTIONS"] = `--max-old-space-size=${Math.ceil(limitBytes / 2 ** 20) + 1}`;
      try {
        await stack.refresh();
      } finally {
        delete process.env["NODE_OPTIONS"];
      }
    });
  }
});
