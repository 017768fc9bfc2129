import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findGitlabCiLocal, type GitlabCiLocal } from "../../tools/external/gitlabCiLocal.js";
import { makeRepository } from "../support/ciJobs.js";
import { repository } from "../support/paths.js";
import { toolOrSkip } from "../support/toolOrSkip.js";

describe("the CI files for GitLab, checked by gitlab-ci-local", () => {
  const file = ".gitlab-ci.yml";
  let gitlabCiLocal: GitlabCiLocal;
  let directory: string;
  before(async function () {
    gitlabCiLocal = await toolOrSkip(this, findGitlabCiLocal);
  });
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "gitlab-"));
    await makeRepository(directory);
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const copyFile = (example: string) =>
    cp(join(repository, "examples", example, file), join(directory, file));

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

  it("of the pipeline preview merge requests, update and deploy main, and check for drift on schedule", async () => {
    await copyFile("pipeline");
    assert.deepEqual(await jobsOf("merge_request_event", ""), ["preview"]);
    assert.deepEqual(await jobsOf("push"), ["update", "deploy"]);
    assert.deepEqual(await jobsOf("push", "feature"), []);
    assert.deepEqual(await jobsOf("schedule"), ["drift"]);
  });

  it("of the audit run on schedule and by hand, not after a push", async () => {
    await copyFile("audit");
    assert.deepEqual(await jobsOf("schedule"), ["audit"]);
    assert.deepEqual(await jobsOf("web"), ["audit"]);
    assert.deepEqual(await jobsOf("push"), []);
  });

  for (const [change, from, to, finding] of [
    ["a stage that does not exist", "stage: deploy", "stage: ship", /stage:ship not found/],
    ["an unknown keyword", "resource_group:", "resource_groups:", /resource_groups/],
  ] as const) {
    it(`would be rejected with ${change}`, async () => {
      await copyFile("pipeline");
      const text = await readFile(join(directory, file), "utf8");
      assert.ok(text.includes(from));
      await writeFile(join(directory, file), text.replaceAll(from, to));
      await assert.rejects(jobsOf("push"), ({ stdout, stderr }: Record<string, string>) =>
        finding.test(`${stdout}${stderr}`),
      );
    });
  }
});
