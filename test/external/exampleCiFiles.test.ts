import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findActionlint } from "../../tools/external/actionlint.js";
import { findGitlabCiLocal, type GitlabCiLocal } from "../../tools/external/gitlabCiLocal.js";
import { makeRepository } from "../support/ciJobs.js";
import { toolOrSkip } from "../support/toolOrSkip.js";
import { run } from "../support/workbench.js";
import { repository } from "../support/paths.js";

const workflow = ".github/workflows/hosting.yml";
const example = join(repository, "examples/pipeline");

describe("the CI files of the example pipeline", () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "ci-files-"));
    await cp(example, directory, { recursive: true });
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  async function replaceIn(file: string, from: string, to: string): Promise<void> {
    const path = join(directory, file);
    const text = await readFile(path, "utf8");
    assert.ok(text.includes(from), `${file} has no ${from}`);
    await writeFile(path, text.replaceAll(from, to));
  }

  it("for GitHub pin actions by commit, have read permission only, and give no secrets to steps that install packages", async () => {
    const text = await readFile(join(directory, workflow), "utf8");
    const actions = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action as string);
    assert.ok(actions.length >= 4);
    for (const action of actions) assert.match(action, /^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    assert.match(text, /^permissions:\n  contents: read\n\n/m);
    const steps = text.split(/^ {6}- /m).slice(1);
    const withSecrets = steps.filter((step) => step.includes("secrets."));
    assert.ok(withSecrets.length >= 4);
    for (const step of withSecrets)
      assert.match(
        step,
        /^(id: look\n +)?run: (pulumi|\.\/deploy\.sh|>-\n +npx project-service drift) /,
      );
    assert.doesNotMatch(text, /echo|set -x|--show-secrets/);
  });

  describe("for GitHub, checked by actionlint", () => {
    let actionlint: string;
    before(async function () {
      this.timeout(10 * 60_000);
      actionlint = await toolOrSkip(this, () =>
        findActionlint((step) => console.error(`    ${step}`)),
      );
    });

    /** Returns the findings. Turns off the shell and Python checkers, which only some machines have. */
    async function findings(): Promise<string> {
      const options = ["-no-color", "-oneline", "-shellcheck=", "-pyflakes="];
      try {
        const { stdout } = await run(actionlint, [...options, workflow], { cwd: directory });
        return stdout;
      } catch (error) {
        const { code, stdout, stderr } = error as Record<"stdout" | "stderr", string> & {
          code: number;
        };
        assert.equal(code, 1, stderr);
        return stdout;
      }
    }

    it("have no findings", async () => {
      assert.equal(await findings(), "");
    });

    for (const [change, from, to, finding] of [
      [
        "an unknown context instead of secrets",
        "${{ secrets.",
        "${{ secret.",
        /undefined variable "secret"/,
      ],
      ["a job that does not exist", "needs: update", "needs: up", /"up" which does not exist/],
      ["an invalid schedule", "17 * * * *", "17 * * *", /invalid CRON format/],
    ] as const) {
      it(`would have a finding with ${change}`, async () => {
        await replaceIn(workflow, from, to);
        assert.match(await findings(), finding);
      });
    }
  });

  describe("for GitLab, checked by gitlab-ci-local", () => {
    const file = ".gitlab-ci.yml";
    let gitlabCiLocal: GitlabCiLocal;
    before(async function () {
      gitlabCiLocal = await toolOrSkip(this, findGitlabCiLocal);
    });
    beforeEach(() => makeRepository(directory));

    /** Returns the names of the jobs that an event starts. */
    async function jobsOf(event: string, branch = "main"): Promise<string[]> {
      const { stdout } = await gitlabCiLocal(directory, [
        "--list",
        `--variable=CI_PIPELINE_SOURCE=${event}`,
        `--variable=CI_COMMIT_BRANCH=${branch}`,
        "--ignore-predefined-vars=CI_PIPELINE_SOURCE,CI_COMMIT_BRANCH",
      ]);
      const [, ...jobs] = stdout.trim().split("\n");
      return jobs.map((line) => line.split(" ")[0] as string);
    }

    it("preview merge requests, update and deploy main, and check for drift on schedule", async () => {
      assert.deepEqual(await jobsOf("merge_request_event", ""), ["preview"]);
      assert.deepEqual(await jobsOf("push"), ["update", "deploy"]);
      assert.deepEqual(await jobsOf("push", "feature"), []);
      assert.deepEqual(await jobsOf("schedule"), ["drift"]);
    });

    for (const [change, from, to, finding] of [
      ["a stage that does not exist", "stage: deploy", "stage: ship", /stage:ship not found/],
      ["an unknown keyword", "resource_group:", "resource_groups:", /resource_groups/],
    ] as const) {
      it(`would be rejected with ${change}`, async () => {
        await replaceIn(file, from, to);
        await assert.rejects(jobsOf("push"), (error: { stderr: string; stdout: string }) => {
          assert.match(error.stdout + error.stderr, finding);
          return true;
        });
      });
    }
  });
});
