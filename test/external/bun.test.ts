import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { NpxTool } from "../../tools/external/npxTool.js";
import { findBun } from "../../tools/external/packageManagers.js";
import { useEngine } from "../support/engineTest.js";
import { assertHoldsNone } from "../support/leakSearch.js";
import { toolOrSkip } from "../support/toolOrSkip.js";
import { backendIn } from "../support/stackFiles.js";
import { pathTo } from "../support/workbench.js";

const functions = `
import * as pulumi from "@pulumi/pulumi";
import { getDatabase, getEnvironment, getProject, getProjectOutput, getProjects, ProjectServiceError } from "pulumi-project-service";
const live = { name: "shop", environmentId: "live" };
const { password } = await getDatabase({ ...live, databaseName: "shop_live" });
const missing = await getProject({ name: "none" }).catch((error) => error);
console.log(JSON.stringify({
  runtime: process.versions.bun === undefined ? "Node" : "Bun",
  webroot: (await getEnvironment(live)).webroot,
  count: (await getProjects({ details: true })).projects.length,
  domain: await new Promise((resolve) => getProjectOutput({ name: "shop" }).domain.apply(resolve)),
  isSecret: await pulumi.isSecret(password),
  code: missing instanceof ProjectServiceError && missing.code,
}));
console.error(String(missing), missing);
`;

/** Records projects with a program that Bun runs in its own process. */
const inlineProgram = `
import { LocalWorkspace } from "@pulumi/pulumi/automation/index.js";
import { getDatabaseOutput, ProjectSnapshot, ProjectsSnapshot } from "pulumi-project-service";
const program = async () => {
  const shop = new ProjectSnapshot("shop", { name: "shop" });
  new ProjectsSnapshot("fleet");
  const live = { name: "shop", environmentId: "live", databaseName: "shop_live" };
  return { domain: shop.domain, password: getDatabaseOutput(live).password };
};
const stack = await LocalWorkspace.createStack({ stackName: "dev", projectName: "inline", program });
const { outputs } = await stack.up();
const { summary } = await stack.refresh();
await stack.preview({ expectNoChanges: true });
console.log(JSON.stringify({
  domain: outputs.domain.value,
  isSecret: outputs.password.secret,
  refreshed: summary.resourceChanges,
}));
`;

describe("a program that runs under Bun", () => {
  let bun: NpxTool;
  const engine = useEngine({ sandboxFor: "suite" });
  let directory: string;
  before(async function () {
    bun = await toolOrSkip(this, findBun);
    directory = join(engine.workbench.directory, "bun");
    await mkdir(directory);
  });

  /** Runs a program, and returns what it prints as JSON. Its output must contain no secret. */
  async function runProgram(program: string, variables: Record<string, string> = {}) {
    await writeFile(join(directory, "index.mts"), program);
    const environment = { ...engine.sandbox.environment, ...variables };
    const { stdout, stderr } = await bun(directory, ["run", "index.mts"], environment);
    assertHoldsNone("the output", stdout + stderr, engine.secrets());
    return JSON.parse(stdout) as unknown;
  }

  it("calls the functions, and gets secret credentials and errors with their codes", async () => {
    assert.deepEqual(await runProgram(functions), {
      runtime: "Bun",
      webroot: "/var/www/shop/live/current/public",
      count: 12,
      domain: "shop.example.com",
      isSecret: true,
      code: "NOT_FOUND",
    });
    assert.equal(engine.sandbox.counters.passwordGrants, 1);
  });

  it("records, refreshes and previews projects on the engine, with the Automation API", async () => {
    const backend = await backendIn(directory);
    const variables = { ...backend, PATH: pathTo(engine.workbench.pulumi) };
    assert.deepEqual(await runProgram(inlineProgram, variables), {
      domain: "shop.example.com",
      isSecret: true,
      refreshed: { same: 3 },
    });
  });
});
