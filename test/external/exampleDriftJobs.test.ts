import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathOfJobs } from "../support/ciJobs.js";
import { compiled, repository } from "../support/paths.js";
import { recordOf, snapshotResource, stateWith } from "../support/recordedState.js";
import { type Sandbox, startSandbox } from "../support/testSandbox.js";
import { resultOf, run } from "../support/workbench.js";

// eslint-disable-next-line @typescript-eslint/no-require-imports -- js-yaml has no types
const yaml = require("js-yaml") as { load(text: string): unknown };

const workflows = {
  drift: ".github/workflows/drift.yml",
  pipeline: ".github/workflows/hosting.yml",
} as const;

for (const example of ["drift", "pipeline"] as const) {
  describe(`the drift jobs of the example ${example}`, () => {
    const folder = join(repository, "examples", example);
    let directory: string;
    let environment: Record<string, string>;
    let sandbox: Sandbox;
    beforeEach(async () => {
      sandbox = await startSandbox();
      directory = await mkdtemp(join(tmpdir(), "drift-jobs-"));
      await cp(folder, directory, { recursive: true });
      const bin = join(directory, "node_modules/.bin");
      await mkdir(bin, { recursive: true });
      const script = `#!/bin/sh\nexec "${process.execPath}" "${compiled("command/cli.ts")}" "$@"\n`;
      await writeFile(join(bin, "pulumi-project-service"), script, { mode: 0o755 });
      environment = { PATH: await pathOfJobs(directory), ...sandbox.envVars };
    });
    afterEach(async () => {
      await sandbox.close();
      await rm(directory, { recursive: true, force: true });
    });

    /** Puts a Pulumi CLI on PATH that prints a state, and a config without settings. */
    async function fakePulumi(state: string): Promise<void> {
      await writeFile(join(directory, "state.json"), state);
      const script = `#!/bin/sh\n[ "$1" = config ] && echo {} || cat "${directory}/state.json"\n`;
      await writeFile(join(directory, ".bin/pulumi"), script, { mode: 0o755 });
    }

    it("for GitHub fail on drift and if they could not look, and show the changes in the summary", async () => {
      const text = await readFile(join(directory, workflows[example]), "utf8");
      const { jobs } = yaml.load(text) as {
        jobs: { drift: { steps: { run?: string }[] } };
      };
      const script = jobs.drift.steps.find(({ run = "" }) => / drift /.test(run))?.run;
      const summary = join(directory, "summary");
      const recorded = await recordOf(sandbox.connection);
      const state = stateWith(snapshotResource(recorded));
      const elsewhere = stateWith(
        snapshotResource({
          ...recorded,
          account: "of another user",
          projects: { ...(recorded["projects"] as object), "p-99": {} },
        }),
      );
      const release = () => (sandbox.projects[0]!.domain = "new.example.com");
      for (const [printed, change, jobCode, shown, log] of [
        [state, () => {}, 0, /\nNo drift: /, /^$/],
        [state, release, 7, /\| domain \| `shop\.example\.com → new\.example\.com` \|\n/, /^$/],
        [
          elsewhere,
          () => {},
          2,
          /Missing projects or parts of them: p-99\. .*\n\n.*at least one snapshot was not compared/,
          /^Not compared: ProjectsSnapshot fleet: Missing projects/,
        ],
      ] as const) {
        change();
        await fakePulumi(printed);
        await writeFile(summary, "earlier\n");
        const env = { ...process.env, ...environment, GITHUB_STEP_SUMMARY: summary };
        const job = run("bash", ["-e", "-c", script ?? ""], { cwd: directory, env });
        const { code, stderr } = await resultOf(job);
        assert.equal(code, jobCode, stderr);
        assert.match(stderr, log);
        assert.match(await readFile(summary, "utf8"), shown);
      }
    });
  });
}
