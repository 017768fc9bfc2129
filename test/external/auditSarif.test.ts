import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { sarifFormat } from "../../audit/report/sarifFormat.js";
import { findSarifTools } from "../../tools/external/sarifTools.js";
import { hostileProjects, reportOn } from "../support/auditReport.js";
import { toolOrSkip } from "../support/toolOrSkip.js";

const run = promisify(execFile);

describe("the SARIF report, read by sarif-tools", () => {
  const report = reportOn(hostileProjects());
  let python: string;
  let directory: string;
  before(async function () {
    this.timeout(10 * 60_000);
    const say = (step: string) => console.error(`    ${step}`);
    python = await toolOrSkip(this, () => findSarifTools(say));
    directory = await mkdtemp(join(tmpdir(), "audit-sarif-"));
    await writeFile(
      join(directory, "report.sarif"),
      sarifFormat(report, { width: 100, hasColors: false, omitAccepted: false }),
    );
  });
  after(() => directory && rm(directory, { recursive: true }));

  const sarif = (...args: string[]) => run(python, ["-m", "sarif", ...args], { cwd: directory });

  it("counts the findings of each level", async () => {
    const { stdout } = await sarif("summary", "report.sarif");
    for (const [level, count] of Object.entries(report.summary.levels)) {
      assert.match(stdout, new RegExp(`^${level}: ${count}$`, "m"));
    }
  });

  it("has each finding with its rule and its own place", async () => {
    await sarif("csv", "report.sarif", "--output", "report.csv");
    const rows = (await readFile(join(directory, "report.csv"), "utf8")).trim().split(/\r?\n/);
    assert.equal(rows.length - 1, report.findings.length);
    for (const { rule, projectId, environmentId } of report.findings.slice(0, 18)) {
      const place = `projects/${projectId}/${environmentId}`;
      assert.ok(
        rows.some((row) => row.includes(rule) && row.includes(place)),
        `${rule} ${place}`,
      );
    }
  });

  it("converts to a code quality report with one issue for each finding", async () => {
    await sarif("codeclimate", "report.sarif", "--output", "quality.json");
    const issues = JSON.parse(await readFile(join(directory, "quality.json"), "utf8")) as {
      fingerprint: string;
    }[];
    assert.equal(issues.length, report.findings.length);
    assert.equal(new Set(issues.map(({ fingerprint }) => fingerprint)).size, issues.length);
  });
});
