import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findGitlabCiLocal, type GitlabCiLocal } from "../../tools/external/gitlabCiLocal.js";
import { makeRepository, pathOfJobs, pipelineAfter } from "../support/ciJobs.js";
import { compiled, repository } from "../support/paths.js";
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
      const bin = join(directory, "node_modules/.bin");
      await mkdir(bin, { recursive: true });
      const script = `#!/bin/sh\nexec "${process.execPath}" "${compiled("command/cli.ts")}" "$@"\n`;
      await writeFile(join(bin, "project-service"), script, { mode: 0o755 });
      environment = { PATH: await pathOfJobs(directory) };
    });
    afterEach(() => rm(directory, { recursive: true, force: true }));

    /** Puts a Pulumi CLI on PATH that prints a recorded preview. */
    async function fakePulumi(preview: string): Promise<void> {
      const recorded = join(repository, "test/command/drift/previews", `${preview}.json`);
      const script = `#!/bin/sh\ncat "${recorded}"\n`;
      await writeFile(join(directory, ".bin/pulumi"), script, { mode: 0o755 });
    }

    it("for GitHub look in a job that fails unless it could look, and fail another job on drift", async () => {
      const text = await readFile(join(directory, workflows[example]), "utf8");
      const { jobs } = yaml.load(text) as { jobs: Record<"look" | "drift", Job> };
      assert.deepEqual(
        [jobs.drift.needs, jobs.drift.if],
        ["look", "needs.look.outputs.drift == 'true'"],
      );
      const script = jobs.look.steps.find(({ id }) => id === "look")?.run ?? assert.fail();
      const [output, summary] = ["output", "summary"].map((name) => join(directory, name)) as [
        string,
        string,
      ];
      const files = { GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary };
      for (const [preview, jobCode, drift, log] of [
        ["no-drift", 0, "drift=false\n", /^No drift: /],
        ["drift", 0, "drift=true\n", /\nblog \(p-2\) {2}removed\n/],
        ["other-service", 1, "", /^$/],
      ] as const) {
        await fakePulumi(preview);
        for (const file of [output, summary]) await writeFile(file, "");
        const env = { ...process.env, ...environment, ...files };
        const job = run("bash", ["-e", "-c", script], { cwd: directory, env });
        const { code, stdout, stderr } = await resultOf(job);
        assert.equal(code, jobCode, stderr);
        assert.match(stdout, log);
        assert.equal(await readFile(output, "utf8"), drift);
        assert.equal(/^### /.test(await readFile(summary, "utf8")), jobCode === 0);
      }
    });

    it("for GitLab warn of drift, and fail if they could not look", async function () {
      const gitlabCiLocal: GitlabCiLocal = await toolOrSkip(this, findGitlabCiLocal);
      await makeRepository(directory);
      const options = ["--force-shell-executor", ...pipelineAfter("schedule")];
      // Unlike GitLab, gitlab-ci-local ends with 0 for each of these, so the summary has to tell.
      for (const [preview, summary] of [
        ["no-drift", /PASS.*drift/],
        ["drift", /WARN.*drift/],
        ["other-service", /FAIL.*drift/],
      ] as const) {
        await fakePulumi(preview);
        const { stdout } = await gitlabCiLocal(directory, options, environment);
        assert.match(stdout, summary);
      }
    });
  });
}
