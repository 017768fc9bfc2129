import assert from "node:assert/strict";
import { join } from "node:path";
import { sampleProjects } from "../../sandbox/index.js";
import { laterClass } from "../support/engineTest.js";
import {
  fleetProgram,
  snapshotImports,
  useSnapshotStack,
  expectNoChanges,
} from "../support/snapshotStack.js";
import { sendJson, startScriptedServer } from "../support/scriptedServer.js";

describe("what a ProjectsSnapshot records, on the real engine", () => {
  const stack = useSnapshotStack();

  it("records a part of the fleet: by filters, which may be secret or unknown", async () => {
    await stack.start(
      "fleet-scope",
      `${snapshotImports}${laterClass("TYPO3")}
const type = new Later("later").value;
const unknown = new ProjectsSnapshot("unknown", { filters: [{ key: "type", values: [type] }] });
const secret = new ProjectsSnapshot("secret", {
  filters: [{ key: "name", values: [new pulumi.Config().requireSecret("name")] }],
});
const name = new pulumi.Config().requireSecret("name");
new ProjectSnapshot("secret-name", { name });
const idsOf = ({ projects }: InstanceType<typeof ProjectsSnapshot>) => projects.apply(Object.keys);
export const ids = idsOf(unknown);
export const matching = idsOf(secret);
`,
    );
    const intranet = stack.sandbox.projects.find(({ name }) => name === "intranet")!;
    Object.assign(intranet, { domain: undefined });
    await stack.project.setConfig({ name: { value: "intranet", secret: true } });
    const planned = await stack.succeed("preview", "--diff");
    assert.doesNotMatch(planned, /intranet/);
    await stack.up();
    await stack.refresh();
    await stack.succeed(...expectNoChanges);
    const { ids, matching } = await stack.project.outputs();
    const projects = stack.sandbox.projects;
    const idsWith = (test: (project: (typeof projects)[number]) => boolean) =>
      projects.filter(test).map(({ _id }) => _id);
    assert.deepEqual((ids as string[]).sort(), idsWith(({ type }) => type === "TYPO3").sort());
    assert.deepEqual(matching, [intranet._id]);
    for (const resource of await stack.snapshots()) {
      if (/::secret/.test(resource.urn)) assert.doesNotMatch(JSON.stringify(resource), /intranet/);
    }
  });

  it("records ids that look like paths", async () => {
    const ids = ["a.b", "x[0]", "1", "constructor", "__x"];
    stack.sandbox.projects = ids.map((_id) => ({ ...sampleProjects()[0]!, _id, name: _id }));
    await stack.start("fleet-ids", fleetProgram());
    await stack.up();
    assert.deepEqual(Object.keys((await stack.recorded()).projects).sort(), [...ids].sort());
    for (const project of stack.sandbox.projects) project.domain = `changed-${project._id}`;
    const printed = await stack.fail(...expectNoChanges);
    for (const id of ids) assert.ok(printed.includes(`"changed-${id}"`), printed);
    await stack.refresh();
    await stack.succeed(...expectNoChanges);
  });

  it("keeps all credentials in one secret text: switched off and on, exported and imported", async () => {
    const program = (includeCredentials: boolean) =>
      fleetProgram(
        `includeCredentials: ${includeCredentials} as boolean`,
        "export const c = fleet.credentials.apply((all) => all && Object.keys(all).length);",
      );
    await stack.startWithThree("fleet-credentials", program(true));
    assert.equal((await stack.project.outputs())["c"], 3);
    for (const includeCredentials of [false, true]) {
      await stack.setProgram(program(includeCredentials));
      await stack.up();
      assert.equal((await stack.project.outputs())["c"], includeCredentials ? 3 : undefined);
      assert.equal("credentials" in (await stack.recorded()), includeCredentials);
    }
    const exported = join(stack.project.directory, "exported.json");
    await stack.project.succeed("stack", "export", "--file", exported);
    await stack.project.succeed("stack", "import", "--file", exported);
    await stack.refresh();
    await stack.succeed(...expectNoChanges);
    assert.equal((await stack.project.outputs())["c"], 3);
  });

  it("fails if there is nothing to record, and records no credentials by default", async () => {
    const onlyShop = 'filters: [{ key: "name", values: ["shop"] }]';
    await stack.startWithThree("fleet-empty", fleetProgram(onlyShop));
    const before = await stack.recorded();
    assert.equal(before.credentials, undefined);
    stack.sandbox.projects = stack.sandbox.projects.slice(1);
    const noMatch = /NOT_FOUND[^]*No project matches the filters, so nothing is recorded\./;
    const noProjects = /lists no projects, so nothing is recorded\./;
    const up = ["up", "--skip-preview", "--yes"];
    const refresh = ["refresh", "--skip-preview", "--yes"];
    for (const args of [["preview"], up, refresh]) {
      assert.match(await stack.fail(...args), noMatch);
      assert.deepEqual(await stack.recorded(), before);
    }
    stack.sandbox.projects = [];
    assert.match(await stack.fail(...refresh), noProjects);
    assert.deepEqual(await stack.recorded(), before);
  });

  it("keeps the state in a refresh that can read no project", async () => {
    const server = await startScriptedServer();
    const listed = sampleProjects().slice(0, 3);
    let readStatus = 200;
    server.respond = ({ url = "" }, response) => {
      if (url.includes("/token")) return sendJson(response, 200, { access_token: "t" });
      const id = /\/projects\/(.*)$/.exec(url)?.[1];
      if (id === undefined) {
        return sendJson(response, 200, { _embedded: { projectResources: listed } });
      }
      sendJson(
        response,
        readStatus,
        listed.find(({ _id }) => _id === id),
      );
    };
    await stack.start("fleet-failures", fleetProgram('onInaccessible: "skip"'));
    await stack.project.configure(stack.sandbox, { baseUrl: server.url, authUrl: server.url });
    await stack.up();
    const before = JSON.stringify(await stack.recorded());
    for (const status of [403, 404]) {
      readStatus = status;
      const printed = await stack.fail("refresh", "--yes", "--skip-preview");
      assert.match(printed, new RegExp(`${status}[^]* 3 of 3 projects failed`));
      assert.equal(JSON.stringify(await stack.recorded()), before);
    }
  });
});
