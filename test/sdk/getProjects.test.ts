import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { type Sandbox, startSandbox } from "../support/testSandbox.js";
import { getProjects, getProjectsOutput } from "../../sdk/index.js";
import { failureOf } from "../support/failure.js";
import { fleet } from "../support/project.js";
import { settled } from "../support/settled.js";

describe("getProjects with details", () => {
  let sandbox: Sandbox;
  let opts: { connection: Sandbox["connection"] & { maxConcurrency: number } };
  beforeEach(async () => {
    sandbox = await startSandbox({ projects: fleet(60) });
    opts = { connection: { ...sandbox.connection, maxConcurrency: 4 } };
  });
  afterEach(() => sandbox.close());

  it("returns projects in the order of the list, with one sign-in and few connections", async () => {
    const { projects, inaccessible } = await getProjects({ details: true }, opts);
    const ids = projects.map(({ projectId }) => projectId);
    assert.deepEqual(
      ids,
      sandbox.projects.map(({ _id }) => _id),
    );
    assert.equal(projects[7]?.environments[0]?.webroot, "/var/www/shop/live/current/public");
    const password = projects[7]?.environments[0]?.databases[0]?.password;
    assert.ok(await pulumi.isSecret(password as pulumi.Output<string>));
    assert.deepEqual(inaccessible, []);
    const { passwordGrants, lists, projectReads, connections } = sandbox.counters;
    assert.deepEqual([passwordGrants, lists, projectReads], [1, 1, 60]);
    assert.ok(connections <= 5, String(connections)); // one of them for the sign-in
  });

  it("filters by fields of the list form before it reads projects, and by other fields afterwards", async () => {
    for (const [index, project] of sandbox.projects.entries()) {
      project.type = index < 10 ? "TYPO3" : "MAGENTO";
      project.codeRepository.group = `group-${index % 3}`;
    }
    const { projects } = await getProjects(
      {
        details: true,
        filters: [
          { key: "codeRepository.group", values: ["group-1", "group-2"] },
          { key: "type", values: ["TYPO"], matchBy: "substring" },
        ],
      },
      opts,
    );
    const ids = projects.map(({ projectId }) => projectId);
    assert.deepEqual(ids, ["x-2", "x-3", "x-5", "x-6", "x-8", "x-9"]);
    assert.equal(sandbox.counters.projectReads, 10);
    const filters = [{ key: "name" as const, values: ["project-1"] }];
    const { projects: listed } = await getProjects({ filters }, opts);
    assert.deepEqual(Object.keys(listed[0]!), ["projectId", "name", "type", "status", "domain"]);
    assert.equal(sandbox.counters.projectReads, 10, "the list form needs no read");
  });

  it("returns no text that Pulumi does not carry, and names its project", async () => {
    sandbox.projects.find(({ _id }) => _id === "x-3")!.domain = "c4nary\ud800";
    const { message } = await failureOf(getProjects({}, opts), "RESPONSE_INVALID");
    assert.match(message, /: project x-3 has an unpaired surrogate\. Correct the project/);
    const filters = [{ key: "name" as const, values: ["project-1"] }];
    assert.equal((await getProjects({ filters }, opts)).projects.length, 1);
  });

  it("accepts Outputs as values of filters, and checks them when they are known", async () => {
    const filtered = (values: pulumi.Input<pulumi.Input<string>[]>) =>
      settled(
        getProjectsOutput({ filters: [{ key: "name", values, matchBy: "substring" }] }, opts)
          .projects,
      );
    assert.equal((await filtered([pulumi.output("project-1")])).value.length, 11);
    assert.equal((await filtered(pulumi.output(["-57", "-59"]))).value.length, 2);
    const { lists } = sandbox.counters;
    await failureOf(filtered([pulumi.output("")]), "ARGUMENT_INVALID");
    await failureOf(filtered(pulumi.output([])), "ARGUMENT_INVALID");
    assert.equal(sandbox.counters.lists, lists);
  });
});
