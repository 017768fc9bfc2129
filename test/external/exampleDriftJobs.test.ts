import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findGitlabCiLocal, type GitlabCiLocal } from "../../tools/external/gitlabCiLocal.js";
import { makeRepository, pathOfJobs, pipelineAfter } from "../support/ciJobs.js";
import { repository } from "../support/paths.js";
import { toolOrSkip } from "../support/toolOrSkip.js";
import { resultOf, run } from "../support/workbench.js";

// eslint-disable-next-line @typescript-eslint/no-require-imports -- js-yaml has no types
const yaml = require("js-yaml") as { load(text: string): unknown };

const workflows = {
  drift: ".github/workflows/drift.yml",
  pipeline: ".github/workflows/hosting.yml",
} as const;

interface Job {
  if?: string;
  needs?: string;
  steps: { id?: string; run?: string }[];
}

for (const example of ["drift", "pipeline"] as const) {
  describe(`the drift jobs of the example ${example}`, () => {
    const folder = join(repository, "examples", example);
    let directory: string;
    let environment: Record<string, string>;
    beforeEach(async () => {
      directory = await mkdtemp(join(tmpdir(), "drift-jobs-"));
      await cp(folder, directory, { recursive: true });
      // No packages are needed.
      await mkdir(join(directory, "node_modules"));
      environment = { PATH: await pathOfJobs(directory) };
    });
    afterEach(() => rm(directory, { recursive: true, force: true }));

    /** Puts a Pulumi CLI on PATH whose preview ends with this code. */
    async function fakePulumi(code: number): Promise<void> {
      const file = join(directory, ".bin/pulumi");
      await writeFile(file, `#!/bin/sh\nexit ${code}\n`, { mode: 0o755 });
    }

    it("for GitHub look in a job that fails unless it could look, and fail another job on drift", async () => {
      const text = await readFile(join(directory, workflows[example]), "utf8");
      const { jobs } = yaml.load(text) as { jobs: Record<"look" | "drift", Job> };
      assert.deepEqual(
        [jobs.drift.needs, jobs.drift.if],
        ["look", "needs.look.outputs.drift == 'true'"],
      );
      const script = jobs.look.steps.find(({ id }) => id === "look")?.run ?? assert.fail();
      const output = join(directory, "output");
      for (const [previewCode, jobCode, drift] of [
        [0, 0, "drift=false\n"],
        [7, 0, "drift=true\n"],
        [255, 1, "drift=false\n"],
      ] as const) {
        await fakePulumi(previewCode);
        await writeFile(output, "");
        const env = { ...process.env, ...environment, GITHUB_OUTPUT: output };
        const job = run("bash", ["-e", "-c", script], { cwd: directory, env });
        const { code } = await resultOf(job);
        assert.equal(code, jobCode);
        assert.equal(await readFile(output, "utf8"), drift);
      }
    });

    it("for GitLab warn of drift, and fail if they could not look", async function () {
      const gitlabCiLocal: GitlabCiLocal = await toolOrSkip(this, findGitlabCiLocal);
      await makeRepository(directory);
      const options = ["--force-shell-executor", ...pipelineAfter("schedule")];
      // Unlike GitLab, gitlab-ci-local ends with 0 for each of these, so the summary has to tell.
      for (const [previewCode, summary] of [
        [0, /PASS.*drift/],
        [7, /WARN.*drift/],
        [255, /FAIL.*drift/],
      ] as const) {
        await fakePulumi(previewCode);
        const { stdout } = await gitlabCiLocal(directory, options, environment);
        assert.match(stdout, summary);
      }
    });
  });
}
