import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type Sandbox, startSandbox } from "../../sandbox/index.js";
import { backendIn } from "../support/stackFiles.js";
import { pathTo, run, useWorkbench } from "../support/workbench.js";
import { repository } from "../support/paths.js";

describe("the examples in a clone", () => {
  let sandbox: Sandbox;
  /** Inside the repository, so that its package.json is the nearest one. Git ignores it. */
  let directory: string;
  let environment: Record<string, string>;
  before(async function () {
    const { pulumi } = await useWorkbench(this);
    sandbox = await startSandbox();
    directory = await mkdtemp(join(repository, "dist/clone-"));
    environment = {
      ...sandbox.environment,
      ...(await backendIn(directory)),
      PATH: pathTo(pulumi),
      PULUMI_STACK: "test",
      // The tests of the installed examples check the types.
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    };
  });
  after(async () => {
    await sandbox?.close();
    if (directory) await rm(directory, { recursive: true, force: true });
  });

  async function copyOf(example: string): Promise<string> {
    const folder = join(directory, example);
    await cp(join(repository, "examples", example), folder, { recursive: true });
    return folder;
  }

  const readmeOf = (example: string) =>
    readFile(join(repository, "examples", example, "README.md"), "utf8");

  const pulumiIn = (cwd: string, ...args: string[]) =>
    run("pulumi", [...args, "--non-interactive"], { cwd, env: { ...process.env, ...environment } });

  for (const [example, ...config] of [
    ["quickstart"],
    ["database-secret", "project=shop", "database=shop_live"],
    ["pipeline", "project=shop"],
    ["consumer", "hosting=organization/pipeline/test", "database=shop_live"],
  ] as const) {
    it(`${example} runs without changes`, async () => {
      const cwd = await copyOf(example);
      const pulumi = (...args: string[]) => pulumiIn(cwd, ...args);
      await pulumi("stack", "init", "test");
      const args = config.flatMap((setting) => ["--config", setting]);
      await pulumi("up", "--yes", "--skip-preview", ...args);
      const { stdout } = await pulumi("stack", "output");
      assert.match(stdout, /\/var\/www\/shop\/live/);
      // The README of quickstart shows the demo, and the README of pipeline shows deploy.sh.
      if (example === "quickstart" || example === "pipeline") return;
      assert.ok((await readmeOf(example)).includes(stdout), stdout);
    });
  }

  it("unit-test passes its tests, as its README shows", async () => {
    const cwd = await copyOf("unit-test");
    const { stdout: printed } = await run("npm", ["test"], { cwd });
    const stdout = stripVTControlCharacters(printed); // In CI, mocha prints colors.
    const [passing = stdout] = stdout.match(/^ +\d+ passing/m) ?? [];
    assert.ok((await readmeOf("unit-test")).includes(`${passing}\n`), stdout);
  });

  it("policy-pack checks the records of pipeline, installed and run as its README shows", async () => {
    const pack = await copyOf("policy-pack");
    await run("npm", ["install", "--no-save", "--loglevel=error", repository], { cwd: pack });
    const args = ["preview", "--config", "project=shop", "--policy-pack", "../policy-pack"];
    const readme = await readmeOf("policy-pack");
    const violations = readme.split("\n").filter((line) => line.includes("[mandatory]"));
    assert.equal(violations.length, 1);
    await assert.rejects(pulumiIn(join(directory, "pipeline"), ...args), ({ stdout }) => {
      assert.match(
        stdout as string,
        /Project shop \(p-1\), environment stage, rule restricted-databases/,
      );
      assert.ok((stdout as string).split("\n").includes(violations[0] as string), stdout as string);
      return true;
    });
  });
});
