import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathOfJobs } from "../support/ciJobs.js";
import { previewJson } from "../command/drift/previewJson.js";
import { recordsOf } from "../support/project.js";
import { compiled, repository } from "../support/paths.js";
import { resultOf, run } from "../support/workbench.js";

// eslint-disable-next-line @typescript-eslint/no-require-imports -- js-yaml has no types
const yaml = require("js-yaml") as { load(text: string): unknown };

const workflows = {
  drift: ".github/workflows/drift.yml",
  pipeline: ".github/workflows/hosting.yml",
} as const;

const service = "https://projects.example.com/api/project/v5";
const fleetOf = (webroot: string) => ({
  service,
  inaccessible: [],
  projects: recordsOf({
    "p-1": { projectId: "p-1", name: "shop", environments: [{ environmentId: "live", webroot }] },
  }),
});
const before = fleetOf("/var/www/a");
const previews = {
  noDrift: previewJson([{ op: "same", before, after: before }]),
  drift: previewJson([{ before, after: fleetOf("/var/www/b") }]),
  otherService: previewJson([{ before, after: { ...before, service: "https://other" } }]),
};

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
      await writeFile(join(bin, "pulumi-project-service"), script, { mode: 0o755 });
      environment = { PATH: await pathOfJobs(directory) };
    });
    afterEach(() => rm(directory, { recursive: true, force: true }));

    /** Puts a Pulumi CLI on PATH that prints a preview. */
    async function fakePulumi(preview: string): Promise<void> {
      await writeFile(join(directory, "preview.json"), preview);
      const script = `#!/bin/sh\ncat "${directory}/preview.json"\n`;
      await writeFile(join(directory, ".bin/pulumi"), script, { mode: 0o755 });
    }

    it("for GitHub fail on drift and if they could not look, and show the changes in the summary", async () => {
      const text = await readFile(join(directory, workflows[example]), "utf8");
      const { jobs } = yaml.load(text) as {
        jobs: { drift: { steps: { run?: string }[] } };
      };
      const script = jobs.drift.steps.find(({ run = "" }) => / drift /.test(run))?.run;
      const summary = join(directory, "summary");
      for (const [preview, jobCode, shown, log] of [
        [previews.noDrift, 0, /\nNo drift: /, /Running/],
        [previews.drift, 7, /\| live \| webroot \| \/var\/www\/a → \/var\/www\/b \|\n/, /Running/],
        [previews.otherService, 2, /^earlier\n$/, /Could not look for drift: /],
      ] as const) {
        await fakePulumi(preview);
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
