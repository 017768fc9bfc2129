import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findActionlint } from "../../tools/external/actionlint.js";
import { repository } from "../support/paths.js";
import { toolOrSkip } from "../support/toolOrSkip.js";
import { run } from "../support/workbench.js";

// eslint-disable-next-line @typescript-eslint/no-require-imports -- it brings no types
const yaml = require("js-yaml") as { load(text: string): unknown };

const folder = join(repository, ".github/workflows");
const files = readdirSync(folder);

interface Workflow {
  permissions: object;
  jobs: Record<string, { permissions?: object; "timeout-minutes": number }>;
}

describe("the workflows of this repository", () => {
  for (const file of files) {
    const text = readFileSync(join(folder, file), "utf8");
    const workflow = yaml.load(text) as Workflow;

    it(`${file} takes actions by commit, with their version in a comment`, () => {
      const actions = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action as string);
      assert.ok(actions.length > 0);
      for (const action of actions) assert.match(action, /^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    });

    it(`${file} may only read, and keeps no credentials in the clone`, () => {
      assert.deepEqual(workflow.permissions, { contents: "read" });
      const checkouts = text.match(/uses: actions\/checkout@/g) ?? [];
      const withoutCredentials = text.match(/persist-credentials: false/g) ?? [];
      assert.equal(checkouts.length, withoutCredentials.length);
      assert.doesNotMatch(text, /secrets\./);
    });

    it(`${file} limits the time of each job`, () => {
      for (const job of Object.values(workflow.jobs)) assert.ok(job["timeout-minutes"] <= 60);
    });
  }

  it("let one job of the release publish, and another one write the release", () => {
    const { jobs } = yaml.load(readFileSync(join(folder, "release.yml"), "utf8")) as Workflow;
    assert.deepEqual(
      Object.entries(jobs).map(([name, { permissions }]) => [name, permissions]),
      [
        ["test", undefined],
        ["publish", { contents: "read", "id-token": "write" }],
        ["notes", { contents: "write" }],
      ],
    );
  });

  it("are correct, by actionlint", async function () {
    this.timeout(10 * 60_000);
    const say = (step: string) => console.error(`    ${step}`);
    const actionlint = await toolOrSkip(this, () => findActionlint(say));
    // Without the shell and Python checkers that some machines have.
    const options = ["-no-color", "-oneline", "-shellcheck=", "-pyflakes="];
    const paths = files.map((file) => join(folder, file));
    const { stdout } = await run(actionlint, [...options, ...paths], { cwd: repository }).catch(
      (error: { stdout: string }) => error,
    );
    assert.equal(stdout, "");
  });
});
