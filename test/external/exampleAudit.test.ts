import assert from "node:assert/strict";
import { cp, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "../support/testSandbox.js";
import { pathOfJobs } from "../support/ciJobs.js";
import { repository } from "../support/paths.js";
import { LeakSearch, secretsOf } from "../support/leakSearch.js";
import { type CommandResult, resultOf, run, useWorkbench } from "../support/workbench.js";

// eslint-disable-next-line @typescript-eslint/no-require-imports -- js-yaml has no types
const yaml = require("js-yaml") as { load(text: string): unknown };

const example = join(repository, "examples/audit");
const workflow = ".github/workflows/audit.yml";

interface Step {
  if?: string;
  uses?: string;
  run?: string;
  env?: Record<string, string>;
}

async function stepsOf(file: string): Promise<Step[]> {
  const { jobs } = yaml.load(await readFile(file, "utf8")) as {
    jobs: { audit: { steps: Step[] } };
  };
  return jobs.audit.steps;
}

describe("the example audit, run as CI jobs", () => {
  let sandbox: Sandbox;
  let directory: string;
  let environment: Record<string, string>;
  before(async function () {
    const workbench = await useWorkbench(this);
    sandbox = await startSandbox();
    directory = join(workbench.directory, "audit-jobs");
    await cp(example, directory, { recursive: true });
    await symlink(join(workbench.directory, "node_modules"), join(directory, "node_modules"));
    environment = { ...sandbox.envVars, PATH: await pathOfJobs(directory) };
  });
  after(() => sandbox?.close());

  const read = (file: string) => readFile(join(directory, file), "utf8");

  function assertHoldsNoSecret(...texts: string[]): void {
    const search = new LeakSearch(secretsOf(sandbox));
    for (const text of texts) search.text("a report or a log", text);
  }

  it("on GitHub: uploads SARIF only where code scanning is available, and reports after findings too", async () => {
    const steps = await stepsOf(join(example, workflow));
    const after = steps.slice(steps.findIndex(({ run = "" }) => run.includes(" audit ")) + 1);
    assert.equal(after.length, 3);
    for (const { if: condition = "" } of after) assert.match(condition, /!cancelled\(\) && hashF/);
    assert.match(after.at(-1)?.uses ?? "", /upload-sarif@/);
    assert.match(after.at(-1)?.if ?? "", /vars\.CODE_SCANNING == 'true'/);
  });

  it("on GitHub: finds what nobody accepted, and shows it in the summary, JUnit, SARIF and HTML", async () => {
    const summary = join(directory, "summary.md");
    const env = { ...process.env, ...environment, GITHUB_STEP_SUMMARY: summary };
    const results: CommandResult[] = [];
    for (const { run: script } of await stepsOf(join(directory, workflow))) {
      if (script === undefined) continue;
      const options = { cwd: directory, env };
      results.push(await resultOf(run("bash", ["-e", "-c", script], options)));
    }
    const [, test, audit, summarize] = results;
    assert.ok(test && audit && summarize);
    assert.match(test.stdout, /^[#ℹ] pass 5$/m);
    assert.equal(audit.code, 1, audit.stderr);
    assert.equal(summarize.code, 0, summarize.stderr);
    assert.match(await read("summary.md"), /relaunch \(p-12\).*tagged-releases/);
    const { runs } = JSON.parse(await read("audit.sarif")) as {
      runs: [{ results: { ruleId: string; suppressions?: unknown }[] }];
    };
    const found = runs[0].results.filter(({ ruleId }) => ruleId === "tagged-releases");
    assert.equal(found.length, 1);
    for (const { suppressions } of runs[0].results) assert.equal(suppressions, undefined);
    assert.match(await read("audit.junit.xml"), /<testsuite name="tagged-releases"/);
    assert.match(await read("audit.html"), /tagged-releases/);
    assertHoldsNoSecret(audit.stdout + audit.stderr, await read("audit.sarif"));
  });

  it("accepts two findings, each with a reason", async () => {
    const options = ["--rules", "house-rules.mjs", "--accepted", "accepted.json"];
    const audit = run(
      "npx",
      ["--no", "pulumi-project-service", "audit", ...options, "--format", "json"],
      {
        cwd: directory,
        env: { ...process.env, ...environment },
      },
    );
    const { findings } = JSON.parse((await resultOf(audit)).stdout) as {
      findings: { accepted?: { reason: string }; expired?: { reason: string } }[];
    };
    // The acceptance of one of them ends one day.
    const reasons = findings.map(({ accepted, expired }) => (accepted ?? expired)?.reason);
    assert.deepEqual(
      reasons.filter((reason) => reason !== undefined),
      [
        "The server gets a larger disk in spring 2027.",
        "The team of the portal rolls back on its own machines.",
      ],
    );
  });
});
