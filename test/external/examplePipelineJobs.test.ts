import assert from "node:assert/strict";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findGitlabCiLocal, type GitlabCiLocal } from "../../tools/external/gitlabCiLocal.js";
import { makeRepository, pathOfJobs, pipelineAfter } from "../support/ciJobs.js";
import { type PipelineExample, startPipelineExample } from "../support/pipelineExample.js";
import { toolOrSkip } from "../support/toolOrSkip.js";
import {
  type CommandResult,
  resultOf,
  run,
  useWorkbench,
  type Workbench,
} from "../support/workbench.js";

describe("the example pipeline, run as GitLab jobs", () => {
  let workbench: Workbench;
  let example: PipelineExample;
  let gitlabCiLocal: GitlabCiLocal;
  let PATH: string;
  before(async function () {
    gitlabCiLocal = await toolOrSkip(this, findGitlabCiLocal);
    workbench = await useWorkbench(this);
    example = await startPipelineExample(workbench, "pipeline-jobs");
    await prepare();
  });
  after(() => example?.sandbox.close());

  /** Prepares a repository with a lockfile. Its first job installs the packages, for the other jobs too. */
  async function prepare(): Promise<void> {
    const { directory } = example.project;
    const manifest = await readFile(join(workbench.directory, "package.json"), "utf8");
    await writeFile(join(directory, "package.json"), manifest.replace("file:", "file:../"));
    await run("npm", ["install", "--package-lock-only", "--no-audit"], { cwd: directory });
    await makeRepository(directory);
    PATH = await pathOfJobs(directory, example.environment["PATH"]);
  }

  function pipeline(event: string): Promise<CommandResult> {
    const options = ["--force-shell-executor", ...pipelineAfter(event)];
    const variables = { ...example.environment, PATH };
    return resultOf(gitlabCiLocal(example.project.directory, options, variables));
  }

  it("updates and deploys after a push to main", async () => {
    const { code, stdout, stderr } = await pipeline("push");
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /branch: +main of git@git\.example\.com:retail\/shop\.git/);
    assert.deepEqual(await readdir(join(example.project.directory, "release")), []);
    assert.ok((await stat(join(example.project.directory, "shipped/.env"))).isFile());
    example.assertHoldsNoSecret(["the jobs' log", stdout + stderr]);
  });

  it("succeeds on schedule while the project has not changed in the service", async () => {
    const { code, stdout, stderr } = await pipeline("schedule");
    assert.equal(code, 0, stdout + stderr);
  });

  it("warns on schedule after a change, and shows the change without secrets", async () => {
    example.live().projectEnvironmentCode.webroot = "/var/www/shop/live/current/pub";
    const [database] = example.live().projectEnvironmentDatabases.databases;
    assert.ok(database);
    database.password = "c4nary-r0tated-p4ssword";
    const { stdout, stderr } = await pipeline("schedule");
    assert.match(stdout, /WARN.*drift/);
    assert.match(
      stdout,
      /shop \(p-1\) {2}live {2}webroot {2}\/var\/www\/shop\/live\/current\/public → \/var\/www\/shop\/live\/current\/pub/,
    );
    assert.match(stdout, /shop \(p-1\) {2}credentials changed/);
    example.assertHoldsNoSecret(["the jobs' log", stdout + stderr]);
  });
});
