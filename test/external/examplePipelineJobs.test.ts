import assert from "node:assert/strict";
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findGitlabCiLocal, type GitlabCiLocal } from "../../tools/external/gitlabCiLocal.js";
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
  before(async function () {
    gitlabCiLocal = await toolOrSkip(this, findGitlabCiLocal);
    workbench = await useWorkbench(this);
    example = await startPipelineExample(workbench, "pipeline-jobs");
    await makeRepository();
  });
  after(() => example?.sandbox.close());

  async function makeRepository(): Promise<void> {
    const { directory } = example.project;
    const manifest = await readFile(join(workbench.directory, "package.json"), "utf8");
    await writeFile(join(directory, "package.json"), manifest.replace("file:", "file:../"));
    await run("npm", ["install", "--package-lock-only", "--no-audit"], { cwd: directory });
    const origin = "git@gitlab.example.com:group/hosting.git";
    for (const args of [
      ["init", "--quiet", "--initial-branch=main"],
      ["remote", "add", "origin", origin],
    ]) {
      await run("git", args, { cwd: directory });
    }
    // gitlab-ci-local makes a copy for containers with rsync, even if there are no containers.
    await mkdir(join(directory, ".bin"));
    await symlink("/bin/true", join(directory, ".bin/rsync"));
    // The first job installs the packages, for the other jobs too: it takes 15 s.
    const npm = (await run("which", ["npm"])).stdout.trim();
    const script = `#!/bin/sh\n[ "$1" = ci ] && [ -e node_modules ] && exit\nexec "${npm}" "$@"\n`;
    await writeFile(join(directory, ".bin/npm"), script, { mode: 0o755 });
  }

  function pipeline(event: string): Promise<CommandResult> {
    const options = [
      "--force-shell-executor",
      `--variable=CI_PIPELINE_SOURCE=${event}`,
      "--ignore-predefined-vars=CI_PIPELINE_SOURCE",
    ];
    const PATH = `${join(example.project.directory, ".bin")}:${example.environment["PATH"]}`;
    const variables = { ...example.environment, PATH, npm_config_prefer_offline: "true" };
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

  it("warns on schedule after a change if the CLI can tell, and shows the change without secrets", async () => {
    example.live().projectEnvironmentCode.webroot = "/var/www/shop/live/current/pub";
    const [database] = example.live().projectEnvironmentDatabases.databases;
    assert.ok(database);
    database.password = "c4nary-r0tated-p4ssword";
    const { stdout, stderr } = await pipeline("schedule");
    const tellsDriftFromFailure = (workbench.pulumi.version?.compare("3.226.1") ?? 0) >= 0;
    assert.match(
      stdout,
      tellsDriftFromFailure ? / Drift: [^]*WARN.*drift/ : / Drift or failure: [^]*FAIL.*drift/,
    );
    assert.match(
      stdout,
      /webroot *: "\/var\/www\/shop\/live\/current\/public" => "\/var\/www\/shop\/live\/current\/pub"/,
    );
    assert.match(stdout, /credentials *: \[secret\] => \[secret\]/);
    example.assertHoldsNoSecret(["the jobs' log", stdout + stderr]);
  });
});
