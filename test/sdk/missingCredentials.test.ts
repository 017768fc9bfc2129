import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { getProjectService } from "../../provider/reading/projectService.js";
import { recordProject } from "../../provider/snapshot/record.js";
import { type Sandbox, sampleProjects, startSandbox } from "../../sandbox/index.js";
import {
  databaseUrl,
  getDatabaseOutput,
  getProject,
  getProjects,
  pipelineOutputs,
} from "../../sdk/index.js";
import { failureOf } from "../support/failure.js";
import { repository } from "../support/paths.js";
import { setAt } from "../support/project.js";
import { settingsOf } from "../support/settings.js";
import { settled } from "../support/settled.js";

const shop = { name: "shop" } as const;
const refusal =
  /this user is not shown credentials\. Set username to a user who may see them, or read without credentials \(includeCredentials: false, /;

describe("a response without credentials", () => {
  let sandbox: Sandbox;
  let opts: { connection: Sandbox["connection"] };
  beforeEach(async () => {
    sandbox = await startSandbox({ projects: sampleProjects().slice(0, 2) });
    opts = { connection: sandbox.connection };
  });
  afterEach(() => sandbox.close());

  const databases = () =>
    sandbox.projects[0]!.projectEnvironments.flatMap(
      ({ projectEnvironmentDatabases }) => projectEnvironmentDatabases.databases,
    );
  function hideAll(value: unknown): void {
    for (const database of databases()) {
      setAt(database, ["username"], value);
      setAt(database, ["password"], value);
    }
  }
  const service = () => getProjectService(settingsOf(opts.connection));

  for (const value of [undefined, null, ""]) {
    it(`fails if all of them are ${JSON.stringify(value)}, and says how to read it`, async () => {
      hideAll(value);
      const { message } = await failureOf(getProject(shop, opts), "RESPONSE_INVALID");
      assert.match(message, refusal);
      const skip = { details: true, onInaccessible: "skip" } as const;
      await failureOf(getProjects(skip, opts), "RESPONSE_INVALID");
      await failureOf(
        recordProject(service(), shop, { includeCredentials: true }),
        "RESPONSE_INVALID",
      );
      const bare = await getProject({ ...shop, includeCredentials: false }, opts);
      assert.equal(bare.name, "shop");
      assert.equal((await recordProject(service(), shop, {})).name, "shop");
    });
  }

  for (const value of [undefined, ""]) {
    it(`fails where a single one is used that is ${JSON.stringify(value)}`, async () => {
      const problem =
        /^The service shows no password of the database "shop_live", or an empty one\. Set it there/;
      const [first, second] = databases();
      setAt(first!, ["password"], value);
      const project = await getProject(shop, opts);
      const live = project.environments[0]!;
      const lacking = live.databases.find(({ name }) => name === first!.name)!;
      const other = live.databases.find(({ name }) => name === second!.name)!;
      assert.equal((await settled(other.password)).value, second!.password);
      assert.equal((await settled(lacking.username)).value, first!.username);
      const url = databaseUrl(lacking, { protocol: "mysql", host: "db" });
      for (const output of [lacking.password, pulumi.interpolate`${lacking.password}`, url]) {
        const { message } = await failureOf(settled(output), "RESPONSE_INVALID");
        assert.match(message, problem);
      }
      assert.throws(() => JSON.stringify([lacking.password]), /password is a secret Output/);

      const outputs = pipelineOutputs(project);
      assert.equal((await settled(outputs.project)).value.name, "shop");
      await failureOf(settled(outputs.credentials), "RESPONSE_INVALID");
      const { message } = await failureOf(
        recordProject(service(), shop, { includeCredentials: true }),
        "RESPONSE_INVALID",
      );
      // A snapshot can have thousands of projects.
      assert.match(message, /no password of the database "shop_live" of project p-1, or an/);
    });
  }

  it("fails where an omitted import address is used, and is recorded without it", async () => {
    setAt(sandbox.projects[0]!, ["codeRepository", "importRepository"], undefined);
    const project = await getProject(shop, opts);
    const address = project.codeRepository.importRepository!;
    const { message } = await failureOf(settled(address), "RESPONSE_INVALID");
    assert.match(message, /no importRepository of the repository/);
    const { credentials } = await recordProject(service(), shop, { includeCredentials: true });
    assert.equal(credentials!.importRepository, undefined);
    const outputs = pipelineOutputs(project);
    assert.equal((await settled(outputs.credentials)).value.projectId, "p-1");
  });

  it("does not name a database that is a secret argument", async () => {
    const [first] = databases();
    first!.name = "c4nary";
    setAt(first!, ["password"], undefined);
    const args = { ...shop, environmentId: "live", databaseName: pulumi.secret("c4nary") };
    const { password } = getDatabaseOutput(args, opts);
    const { message } = await failureOf(settled(password), "RESPONSE_INVALID");
    assert.doesNotMatch(message, /c4nary/);
  });

  it("ends only a program that uses the credential", async () => {
    setAt(databases()[0]!, ["password"], undefined);
    const program = (use: string) => `
      const { getProject, getProjectOutput } = require("pulumi-project-service");
      const opts = ${JSON.stringify(opts)};
      getProjectOutput({ name: "shop" }, opts).domain.apply((domain) => console.log(domain));
      getProject({ name: "shop" }, opts).then(({ environments: [{ databases: [database] }] }) => {
        const { password } = database;
        setTimeout(() => {${use}}, 50);
      });`;
    const run = (use: string) =>
      promisify(execFile)(process.execPath, ["-e", program(use)], { cwd: repository });
    assert.equal((await run("")).stdout, "shop.example.com\n");
    await assert.rejects(
      run("password.apply(() => {})"),
      /no password of the database "shop_live"/,
    );
  });
});
