import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { findActionlint } from "../../tools/external/actionlint.js";
import { repository } from "../support/paths.js";
import { toolOrSkip } from "../support/toolOrSkip.js";
import { resultOf, run } from "../support/workbench.js";

// eslint-disable-next-line @typescript-eslint/no-require-imports -- js-yaml has no types
const yaml = require("js-yaml") as { load(text: string): unknown };

interface Workflow {
  permissions: object;
  jobs: Record<string, { permissions?: object; "timeout-minutes": number }>;
}

const folder = ".github/workflows";
const ownFiles = readdirSync(join(repository, folder)).map((file) => join(folder, file));

/** The commands that get secrets, for each workflow of an example, and the number of their steps. */
const commandsWithSecrets: Record<string, readonly [steps: number, commands: RegExp]> = {
  [`examples/audit/${folder}/audit.yml`]: [1, /^run: >-\n +npx pulumi-project-service audit /],
  [`examples/drift/${folder}/drift.yml`]: [
    2,
    /^run: (pulumi up|npx pulumi-project-service drift) /,
  ],
  [`examples/pipeline/${folder}/hosting.yml`]: [
    4,
    /^run: (pulumi|\.\/deploy\.sh|npx pulumi-project-service drift) /,
  ],
};
const allFiles = [...ownFiles, ...Object.keys(commandsWithSecrets)];

describe("the workflows for GitHub, of this repository and of the examples", () => {
  for (const file of allFiles) {
    const text = readFileSync(join(repository, file), "utf8");
    const workflow = yaml.load(text) as Workflow;

    it(`${file} takes actions by commit, with their version in a comment`, () => {
      const actions = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action as string);
      assert.ok(actions.length > 0);
      for (const action of actions) assert.match(action, /^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    });

    it(`${file} may only read, keeps no credentials in the clone, and limits the time of each job`, () => {
      assert.deepEqual(workflow.permissions, { contents: "read" });
      const checkouts = text.match(/uses: actions\/checkout@/g) ?? [];
      const withoutCredentials = text.match(/persist-credentials: false/g) ?? [];
      assert.equal(checkouts.length, withoutCredentials.length);
      for (const job of Object.values(workflow.jobs)) assert.ok(job["timeout-minutes"] <= 60);
    });

    it(`${file} gives secrets only to the commands that need them, and prints none`, () => {
      const withSecrets = text.split(/^ {6}- /m).filter((step) => step.includes("secrets."));
      const [steps, commands] = commandsWithSecrets[file] ?? [0, /never/];
      assert.equal(withSecrets.length, steps);
      for (const step of withSecrets) assert.match(step, commands);
      if (steps > 0) assert.doesNotMatch(text, /echo|set -x|--show-secrets/);
    });
  }

  it("let one job of the release publish, and another one write the release", () => {
    const { jobs } = yaml.load(
      readFileSync(join(repository, folder, "release.yml"), "utf8"),
    ) as Workflow;
    assert.deepEqual(
      Object.entries(jobs).map(([name, { permissions }]) => [name, permissions]),
      [
        ["test", undefined],
        ["publish", { contents: "read", "id-token": "write" }],
        ["notes", { contents: "write" }],
      ],
    );
  });

  describe("checked by actionlint", () => {
    let actionlint: string;
    let directory: string;
    before(async function () {
      this.timeout(10 * 60_000);
      const say = (step: string) => console.error(`    ${step}`);
      actionlint = await toolOrSkip(this, () => findActionlint(say));
      directory = await mkdtemp(join(tmpdir(), "workflows-"));
    });
    after(() => directory && rm(directory, { recursive: true }));

    /** Returns the findings. Turns off the shell and Python checkers, which only some machines have. */
    async function findings(...files: string[]): Promise<string> {
      const options = ["-no-color", "-oneline", "-shellcheck=", "-pyflakes="];
      const lint = run(actionlint, [...options, ...files], { cwd: repository });
      const { code, stdout, stderr } = await resultOf(lint);
      assert.ok(code <= 1, stderr);
      return stdout;
    }

    it("have no findings", async () => {
      assert.equal(await findings(...allFiles), "");
    });

    const [audit, , pipeline] = Object.keys(commandsWithSecrets) as [string, string, string];
    for (const [file, change, from, to, finding] of [
      [audit, "an unknown context", "vars.CODE", "var.CODE", /undefined variable "var"/],
      [
        pipeline,
        "an unknown context instead of secrets",
        "${{ secrets.",
        "${{ secret.",
        /undefined variable "secret"/,
      ],
      [
        pipeline,
        "a job that does not exist",
        "needs: update",
        "needs: up",
        /"up" which does not exist/,
      ],
      [pipeline, "an invalid schedule", "17 * * * *", "17 * * *", /invalid CRON format/],
    ] as const) {
      it(`would have a finding with ${change} in ${basename(file)}`, async () => {
        const text = await readFile(join(repository, file), "utf8");
        assert.ok(text.includes(from));
        const wrong = join(directory, "wrong.yml");
        await writeFile(wrong, text.replaceAll(from, to));
        assert.match(await findings(wrong), finding);
      });
    }
  });
});
