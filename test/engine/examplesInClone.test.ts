import assert from "node:assert/strict";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Sandbox, startSandbox } from "../../sandbox/index.js";
import { backendIn, repository, run, useWorkbench } from "./workbench.js";

describe("the examples in a clone", () => {
  let sandbox: Sandbox;
  /** Inside the repository, so that its package.json is the nearest one; ignored by git. */
  let directory: string;
  let environment: Record<string, string>;
  before(async function () {
    const { pulumi } = await useWorkbench(this);
    sandbox = await startSandbox();
    directory = await mkdtemp(join(repository, "dist/clone-"));
    environment = {
      ...sandbox.environment,
      ...(await backendIn(directory)),
      PATH: `${dirname(pulumi.command)}:${process.env["PATH"]}`,
      PULUMI_STACK: "test",
    };
  });
  after(async () => {
    await sandbox?.close();
    if (directory) await rm(directory, { recursive: true, force: true });
  });

  async function folderOf(example: string): Promise<string> {
    const folder = join(directory, example);
    await cp(join(repository, "examples", example), folder, { recursive: true });
    return folder;
  }

  const pulumiIn = (cwd: string, ...args: string[]) =>
    run("pulumi", [...args, "--non-interactive"], { cwd, env: { ...process.env, ...environment } });

  for (const [example, config, output] of [
    ["database-secret", "project=shop", "webroot"],
    ["pipeline", "project=shop", "environments"],
    ["consumer", "hosting=organization/pipeline/test", "webroot"],
  ] as const) {
    it(`${example} runs as it is`, async () => {
      const cwd = await folderOf(example);
      const pulumi = (...args: string[]) => pulumiIn(cwd, ...args);
      await pulumi("stack", "init", "test");
      await pulumi("up", "--yes", "--skip-preview", "--config", config);
      const { stdout } = await pulumi("stack", "output", output);
      assert.match(stdout, /\/var\/www\/shop\/live/);
    });
  }

  it("policy-pack judges what pipeline records, installed as the README says", async () => {
    const pack = await folderOf("policy-pack");
    await run("npm", ["install", "--no-save", "--loglevel=error", repository], { cwd: pack });
    const args = ["preview", "--config", "project=shop", "--policy-pack", pack];
    await assert.rejects(pulumiIn(join(directory, "pipeline"), ...args), ({ stdout }) => {
      assert.match(
        stdout as string,
        /Project shop \(p-1\), environment stage, rule restricted-databases/,
      );
      return true;
    });
  });
});
