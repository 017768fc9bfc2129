import assert from "node:assert/strict";
import { join } from "node:path";
import type { AuditReport } from "../../audit/report/report.js";
import { useCommandProcess } from "./commandProcess.js";

describe("the filters of pulumi-project-service audit", () => {
  const command = useCommandProcess();

  async function auditedIds(...filters: string[]): Promise<string[]> {
    const options = filters.flatMap((filter) => ["--filter", filter]);
    const { stdout, stderr } = await command.run(["audit", "--format", "json", ...options]);
    assert.notEqual(stdout, "", stderr);
    const { projects, scope } = JSON.parse(stdout) as AuditReport;
    assert.deepEqual(scope, { filters, listedProjects: 12 });
    return projects.map(({ projectId }) => projectId);
  }

  it("select projects by a whole value and by a part of it", async () => {
    assert.deepEqual(await auditedIds("name=shop"), ["p-1"]);
    assert.deepEqual(await auditedIds("name*=sho"), ["p-1"]);
    assert.deepEqual(await auditedIds("environments.deploymentsToKeep=3", "name=blog"), ["p-2"]);
  });

  it("by fields of the list do not read the other projects", async () => {
    await auditedIds("name=shop");
    assert.equal(command.sandbox.counters.projectReads, 1);
  });

  it("must all match, and the report says what it looked at", async () => {
    const filters = ["--filter", "name*=o", "--filter", "name*=sh"];
    const { stdout } = await command.run(["audit", ...filters]);
    assert.match(stdout, /\n1 of 12 projects with name\*=o and name\*=sh audited, 0 without/);
  });

  it("that match no project end the audit with exit code 2, unless --allow-empty is given", async () => {
    const args = ["audit", "--filter", "name=shpo"];
    const { code, stdout, stderr } = await command.run(args);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(
      stderr,
      /^The filter name=shpo matches none of 12 projects, .* No project has "shpo" in name\. Did you mean "shop"\? .*--allow-empty\.\n$/,
    );
    const both = await command.run([...args, "--filter", "type=TYPO3"]);
    assert.match(both.stderr, /^The filters name=shpo and type=TYPO3 match none of 12 projects, /);
    const allowed = await command.run([...args, "--allow-empty"]);
    assert.equal(allowed.code, 0);
    assert.match(
      allowed.stderr,
      /^Warning: No project has "shpo" in name\. Did you mean "shop"\?\n/,
    );
    assert.match(allowed.stdout, /\n0 of 12 projects with name=shpo audited: no findings\.\n$/);
  });

  for (const [problem, filter, expected] of [
    [
      "the key is unknown",
      "nmae=shop",
      /--filter nmae=shop: the key cannot be nmae\. Did you mean name\? The values are projectId, name, /,
    ],
    ["there is no operator", "shop", /must be a key, an operator and a value/],
    ["it is a regular expression", "name~=^s", /the key cannot be name~\. Did you mean name\?/],
    ["the value is empty", "name*=", /--filter name\*=: the value is empty/],
    ["the value has another type", "hasCode=yes", /the value must be true or false/],
  ] as const) {
    it(`are refused if ${problem}`, async () => {
      const { code, stderr } = await command.run(["audit", "--filter", filter]);
      assert.equal(code, 2);
      assert.match(stderr, expected);
      assert.equal(command.sandbox.counters.connections, 0);
    });
  }
});

describe("pulumi-project-service audit --on-inaccessible report", () => {
  const command = useCommandProcess();
  const report = ["audit", "--on-inaccessible", "report"];

  it("audits the other projects, and has one finding for each project that cannot be read", async () => {
    command.sandbox.forbiddenProjectIds.add("p-3");
    const { code, stdout } = await command.run([...report, "--format", "json"]);
    assert.equal(code, 1);
    const { findings, projects, rules } = JSON.parse(stdout) as AuditReport;
    assert.equal(projects.length, 12);
    assert.deepEqual(
      findings
        .filter(({ projectId }) => projectId === "p-3")
        .map(({ rule, state, level, subject }) => [rule, state, level, subject]),
      [["readable-project", "unknown", "warning", "FORBIDDEN"]],
    );
    assert.ok(findings.some(({ projectId }) => projectId === "p-4"));
    const compared = rules.flatMap(({ comparedProjects }) => comparedProjects ?? []);
    assert.deepEqual(new Set(compared), new Set([11]));
  });

  it("has findings that can be accepted, and are not stale without the option", async () => {
    command.sandbox.forbiddenProjectIds.add("p-3");
    const file = join(command.directory, "inaccessible.json");
    await command.run([...report, "--write-accepted", file, "--reason", "known"]);
    assert.equal((await command.run([...report, "--accepted", file])).code, 0);
    command.sandbox.forbiddenProjectIds.clear();
    const { stdout } = await command.run(["audit", "--accepted", file]);
    assert.doesNotMatch(stdout, /readable-project/);
    const again = await command.run([...report, "--accepted", file]);
    assert.match(again.stdout.replace(/\s+/g, " "), /No finding matches .* rule readable-project/);
  });

  it("exits with 2 if no project can be read", async () => {
    for (const { _id } of command.sandbox.projects) command.sandbox.forbiddenProjectIds.add(_id);
    const { code, stdout, stderr } = await command.run(report);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /Reading 12 of 12 projects failed/);
  });

  it("is recommended by the error without it", async () => {
    command.sandbox.forbiddenProjectIds.add("p-3");
    const { code, stderr } = await command.run(["audit"]);
    assert.equal(code, 2);
    assert.match(stderr, /To audit the others, pass --on-inaccessible report\./);
  });
});

describe("the options of project-service", () => {
  const command = useCommandProcess();

  for (const args of [
    ["audit", "--rules", "a.json", "--rules", "b.json"],
    ["audit", "--accepted", "a.json", "--accepted", "b.json"],
    ["audit", "--fail-on", "note", "--fail-on", "never"],
    ["check", "--cwd", ".", "--cwd", "."],
    ["env", "live", "--format", "shell", "--format", "json"],
  ]) {
    it(`must not be repeated: ${args.join(" ")}`, async () => {
      const { code, stderr } = await command.run(args);
      assert.equal(code, 2);
      assert.match(stderr, /is given more than once/);
      assert.equal(command.sandbox.counters.connections, 0);
    });
  }
});
