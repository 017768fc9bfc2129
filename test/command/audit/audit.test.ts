import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { mock } from "node:test";
import { formats } from "../../../audit/report/formats.js";
import type { AcceptedFile } from "../../../audit/report/acceptance.js";
import type { AuditReport } from "../../../audit/report/auditReport.js";
import { assertHoldsNone, secretsOf } from "../../support/leakSearch.js";
import { sampleProjects } from "../../support/testSandbox.js";
import { assertFailed, useCommandProcess } from "../commandProcess.js";

describe("pulumi-project-service audit", () => {
  const command = useCommandProcess();
  const read = (name: string) => readFile(command.pathOf(name), "utf8");
  const write = (name: string, text: string) => writeFile(command.pathOf(name), text);

  /** Runs the audit on a day. */
  async function audit(args: string, day = "2026-03-02") {
    const now = mock.method(Date.prototype, "toISOString", () => `${day}T23:59:59.999Z`);
    try {
      return await command.run(["audit", ...args.split(" ").filter(Boolean)]);
    } finally {
      now.mock.restore();
    }
  }

  /** Runs the audit, and returns its report too. */
  async function auditReport(args = "", day?: string) {
    const result = await audit(`${args} --output report.json`, day);
    return { ...result, report: JSON.parse(await read("report.json")) as AuditReport };
  }

  async function assertFails(args: string, message: RegExp): Promise<void> {
    assertFailed(await audit(args), message);
  }

  it("ends with 1 if there are findings, and with 0 if there are none, after one sign-in and one read each", async () => {
    const { code, stderr, report } = await auditReport();
    assert.equal(code, 1);
    assert.ok(report.findings.length > 4, "a fleet of many findings");
    assert.match(
      stderr,
      /^12 projects audited, \d without findings. Findings: \d+ violated, 1 undecided\. The /,
    );
    assert.equal(command.sandbox.counters.passwordGrants, 1);
    assert.equal(command.sandbox.counters.projectReads, 12);
    command.sandbox.projects = sampleProjects().slice(6, 7);
    const clean = await auditReport();
    assert.equal(clean.code, 0);
    assert.match(clean.stderr, /^1 project audited: no findings\./);
  });

  it("writes several reports in the formats that endings name, without credentials", async () => {
    const starts = {
      "a.html": /^<!doctype html>/,
      "a.json": /"formatVersion": 1/,
      "a.md": /^### Project Service audit/,
      "a.sarif": /sarif-2\.1\.0/,
      "other.junit.xml": /<testsuites /,
      "codequality.json": /"check_name"/,
      "a.txt": /^\S+ \(p-\d+\) +/,
    };
    assert.equal(Object.keys(starts).length, Object.keys(formats).length);
    const outputs = Object.keys(starts).map((output) => `--output ${output}`);
    const { stderr } = await audit(outputs.join(" "));
    for (const [output, start] of Object.entries(starts)) {
      assert.match(await read(output), start, output);
      assert.ok(stderr.includes(output), output);
      assertHoldsNone(output, await read(output), secretsOf(command.sandbox));
    }
    assert.equal(command.sandbox.counters.projectReads, 12);
  });

  it("lets a fleet with findings become green, and only new and expired findings make it red", async () => {
    const [live] = command.sandbox.projects[6]!.projectEnvironments;
    const { webroot } = live!.projectEnvironmentCode;
    const red = await auditReport();
    const { length } = red.report.findings;
    assert.equal(red.code, 1);

    const options =
      "--write-accepted accepted.json --reason earlier --until 2026-06-30 --owner retail";
    const written = await auditReport(options);
    assert.equal(written.code, 0);
    assert.match(written.stderr, new RegExp(` ${length} added, 0 renewed, 0 kept\\.\n`));
    const accepted = "--accepted accepted.json";
    const green = await auditReport(accepted, "2026-06-30");
    assert.deepEqual([green.code, green.report.summary.accepted], [0, length]);
    assert.equal(green.report.findings[0]?.accepted?.owner, "retail");
    const second = await audit(`${accepted} --write-accepted more.json --reason r`);
    assert.equal(second.code, 0);
    assert.match(second.stderr, /^more\.json has 0 accepted findings: 0 added, /);
    assert.equal((await audit(`${accepted} --format codequality`)).stdout, "[]\n");

    live!.projectEnvironmentCode.webroot = "/srv/elsewhere";
    const { code, report } = await auditReport(accepted);
    assert.equal(code, 1);
    const open = report.findings.filter((finding) => finding.accepted === undefined);
    assert.deepEqual(
      open.map(({ rule, state, projectId }) => [rule, state, projectId]),
      [["webroot-location", "violated", "p-7"]],
    );

    live!.projectEnvironmentCode.webroot = webroot;
    const gone = red.report.findings[0]?.projectId;
    command.sandbox.projects = command.sandbox.projects.filter(({ _id }) => _id !== gone);
    const stale = await auditReport(`${accepted} --output report.md`);
    assert.equal(stale.code, 0);
    assert.match(stale.stderr, / \d accepted entr(y matches|ies match) no finding/);
    assert.match(await read("report.md"), /No finding matches the accepted entry \S+, p-\d/);

    const expired = await auditReport(accepted, "2026-07-01");
    assert.equal(expired.code, 1);
    assert.match(expired.stderr, /The acceptance of \d+ findings has expired\./);
    const again = "--write-accepted accepted.json --reason again";
    const renewed = await auditReport(again, "2026-07-01");
    assert.match(renewed.stderr, /: 0 added, \d+ renewed, \d kept\.\n/);
    assert.equal((await auditReport(accepted, "2026-07-01")).code, 0);
  });

  it("calls an entry stale only if its rule ran and its project was read or deleted, and prunes those", async () => {
    await audit("--write-accepted accepted.json --reason earlier");
    const file = JSON.parse(await read("accepted.json")) as AcceptedFile;
    const [first, last] = [file.accepted[0]!, file.accepted.at(-1)!];
    const stale = [
      { ...first, projectId: "p-7", subject: "nothing" },
      { ...first, projectId: "p-99" },
    ];
    const other = { ...first, rule: "of-another-audit" };
    await write("more.json", JSON.stringify({ ...file, accepted: [...stale, other] }));
    command.sandbox.forbiddenProjectIds.add(last.projectId);
    const accepted =
      "--accepted accepted.json --accepted more.json --on-inaccessible report --fail-on never";
    const { report } = await auditReport(accepted);
    assert.deepEqual(report.staleAcceptances, stale);
    const pruned = await auditReport(`${accepted} --prune-accepted`);
    assert.match(pruned.stderr, /^more\.json has 1 accepted finding: 2 removed, 1 kept\.\n/);
    assert.deepEqual(pruned.report.staleAcceptances, []);
    assert.deepEqual(JSON.parse(await read("more.json")), { ...file, accepted: [other] });
    assert.deepEqual(JSON.parse(await read("accepted.json")), file);
  });

  it("calls an entry of a rule that compares projects stale only if it has seen all of them", async () => {
    const [shop, blog] = (command.sandbox.projects = sampleProjects().slice(0, 2));
    const databasesOf = (project: typeof shop) =>
      project!.projectEnvironments[0]!.projectEnvironmentDatabases;
    databasesOf(blog).databases = structuredClone(databasesOf(shop).databases);
    databasesOf(blog).deploymentTargetGroupId = databasesOf(shop).deploymentTargetGroupId;
    await audit("--write-accepted accepted.json --reason shared");
    const text = await read("accepted.json");
    assert.match(text, /unshared-databases/);
    command.sandbox.forbiddenProjectIds.add(blog!._id);
    const pruning =
      "--accepted accepted.json --on-inaccessible report --fail-on never --prune-accepted";
    await auditReport(pruning);
    assert.equal(await read("accepted.json"), text);
    command.sandbox.forbiddenProjectIds.clear();
    databasesOf(blog).databases = [];
    await auditReport(pruning);
    assert.doesNotMatch(await read("accepted.json"), /unshared-databases/);
  });

  it("keeps what somebody writes into the file of accepted findings while it runs", async () => {
    const args = "--write-accepted accepted.json --reason earlier";
    await audit(args);
    const text = (await read("accepted.json")).replace('"earlier"', '"edited"');
    const change = mock.method(command.sandbox.forbiddenProjectIds, "has", () => {
      writeFileSync(command.pathOf("accepted.json"), text);
      return false;
    });
    await audit(args);
    change.mock.restore();
    assert.equal(await read("accepted.json"), text);
  });

  it("accepts nothing if it cannot read a project, or if the file is broken", async () => {
    const args = "--write-accepted accepted.json --reason later";
    command.sandbox.forbiddenProjectIds.add("p-3");
    await assertFails(args, /1 of 12 projects failed: p-3 \(FORBIDDEN\)/);
    assert.deepEqual(await readdir(command.directory), []);
    await write("accepted.json", "{}");
    await assertFails(args, /accepted\.json failed: version is missing\./);
    assert.equal(await read("accepted.json"), "{}");
  });

  for (const [changes, message] of [
    [{ by: "Ann" }, /Unknown key by in .*\[0\]/],
    [{ reason: " " }, /\[0\]\.reason is blank\./],
    [{ until: "30.6.2027" }, /until must be a day such/],
  ] as const) {
    it(`refuses an accepted entry with ${JSON.stringify(changes)}`, async () => {
      const entry = { rule: "a", projectId: "p-1", subject: "b", state: "violated", reason: "c" };
      const file = { version: 1, accepted: [{ ...entry, ...changes }] };
      await write("accepted.json", JSON.stringify(file));
      await assertFails("--accepted accepted.json", message);
    });
  }

  it("fails for findings of the level in --fail-on and above", async () => {
    const rule = `{ ...builtInRules()[1], level: "warning" }`;
    await write("rules.mjs", `export default ({ builtInRules }) => [${rule}];`);
    const codes: number[] = [];
    for (const level of ["error", "warning", "note", "never"]) {
      codes.push((await audit(`--rules rules.mjs --fail-on ${level}`)).code);
    }
    assert.deepEqual(codes, [0, 1, 1, 0]);
  });

  it("reads projects with any of several values, and none that --exclude matches, in the list or in full form", async () => {
    const { projects, forbiddenProjectIds } = command.sandbox;
    projects.slice(0, 2).forEach((project) => (project.type = "TYPO3"));
    projects.slice(2).forEach((project) => (project.type = "WORDPRESS"));
    projects[11]!.type = "OTHER";
    projects[4]!.codeRepository.group = "old";
    forbiddenProjectIds.add("p-1");
    const excluded = "--exclude name=shop --exclude codeRepository.group*=ol";
    const filter = "--filter type=TYPO3|WORDPRESS --filter environments.webroot*=s";
    const { stderr, report } = await auditReport(`${filter} ${excluded}`);
    assert.equal(report.scope.listedProjects, 12);
    const names = report.projects.map(({ projectId }) => projectId);
    assert.deepEqual(
      names,
      projects.map(({ _id }) => _id).filter((id) => !["p-1", "p-5", "p-12"].includes(id)),
    );
    assert.match(
      stderr,
      /^9 of 12 projects \(with type=TYPO3\|WORDPRESS, env.* without name=shop, codeRep/,
    );
    await assertFails("--filter type=TYPO3,OTHER", /^--filter matches none .* write \| between/);
    forbiddenProjectIds.clear();
    await assertFails("--exclude environments.order*=1|2", /--exclude leave none of 12/);
  });

  it("counts the projects of each group, those with the most open ones first", async () => {
    command.sandbox.projects.forEach(({ codeRepository }, index) => {
      codeRepository.group = ["retail", "media"][Number(index > 6)]!;
    });
    command.sandbox.projects[11]!.codeRepository.group = null as never;
    const { report } = await auditReport(
      "--group-by codeRepository.group --output a.md --output a.txt",
    );
    assert.deepEqual(report.groups, [
      { name: "retail", open: 6, accepted: 0, clean: 1 },
      { name: "media", open: 3, accepted: 0, clean: 1 },
      { name: "(none)", open: 0, accepted: 0, clean: 1 },
    ]);
    assert.match(await read("a.md"), /^\| retail \| 6 open \| 0 accepted \| 1 clean \|$/m);
    assert.match(await read("a.txt"), /^retail +6 open +0 accepted +1 clean$/m);
  });

  it("is an error over nothing", async () => {
    const rules = 'builtInRules({ restrictedDatabases: { environments: ["x"] } })';
    const only = '.filter(({ name }) => name === "restricted-databases")';
    await write("rules.mjs", `export default ({ builtInRules }) => ${rules}${only};`);
    command.sandbox.projects[0]!.name = "one";
    await assertFails(
      "--rules rules.mjs --filter name=one",
      /^No rule checked anything in 1 project/,
    );
    await write("none.mjs", "export default [];");
    for (const args of ["", " --on-inaccessible report"]) {
      await assertFails(`--rules none.mjs${args}`, /^No rule checked anything in 12 projects/);
    }
    await assertFails("--filter name=shpo", /^--filter matches none of 12 projects, so there is/);
    command.sandbox.projects = [];
    await assertFails("", /has access to no project, so there is nothing to audit\. Ask/);
  });

  it("names the projects that cannot be read, and reports them if it is told so", async () => {
    const { forbiddenProjectIds, projects } = command.sandbox;
    forbiddenProjectIds.add("p-3").add("p-7");
    await assertFails(
      "",
      /2 of 12 projects failed: p-3 \(FORBIDDEN\), p-7 \(FORBIDDEN\)\. Ask for access, correct the projects in the service, or pass --on-inaccessible report\.\n$/,
    );
    const { code, stderr, report } = await auditReport("--on-inaccessible report");
    assert.equal(code, 1);
    assert.match(stderr, / 2 projects could not be read\. /);
    assert.deepEqual(report.rules[0]?.checked, { projects: 12 });
    const ofProject = report.findings.filter(({ projectId }) => projectId === "p-3");
    const subjects = ofProject.map(({ rule, state, subject }) => [rule, state, subject]);
    assert.deepEqual(subjects, [["readable-project", "violated", "FORBIDDEN"]]);
    for (const { _id } of projects) forbiddenProjectIds.add(_id);
    await assertFails("--on-inaccessible report", /p-1 failed: .*12 of 12 projects failed/);
  });

  for (const [args, expected] of Object.entries({
    "--fail-on warn": /^--fail-on warn is unknown\. Did you mean warning\? Known values: error, /,
    "--format pdf": /--format pdf is unknown\. Known values: table, markdown, html, sarif, junit/,
    "--group-by environments.webroot":
      /is unknown\. Known values: projectId, name, .* codeRepository\.group,/,
    "--rules none.json": /^Reading --rules none\.json failed: ENOENT\. Check the path\./,
    "--accepted -": /^Reading --accepted - failed: ENOENT\. Check the path\./,
    "--filter shop": /must be a key, an operator and a value/,
    "--format json --output a.json --output b.html":
      /--format applies to a single --output\. Leave it out/,
    "--output a.pdf":
      /a\.pdf in --output does not .* Pass --format, or use an ending such as \.txt, \.md, .* junit\.xml, /,
    "--write-accepted x.json": /needs --reason/,
    "--write-accepted x.json --reason x --until 2026-03-01":
      /and not before today \(2026-03-02 in UTC\)/,
    "--write-accepted x.json --reason x --until 2026-13-01": /must be a day such as/,
    "--prune-accepted": /^--prune-accepted needs --accepted, and cannot be used with --filter/,
    "--rules a.mjs --format html --output a.mjs":
      /^--output a\.mjs would replace the file of another/,
    "--output none/a.json": /^Writing none\/a\.json failed: its folder does not exist\./,
    "--output a.json --output ./a.json": /^--output \.\/a\.json would replace the file/,
    "--owner x": /--reason, --until and --owner need --write-accepted/,
  })) {
    it(`refuses ${args}, before it reads anything`, async () => {
      await assertFails(args, expected);
      assert.deepEqual(await readdir(command.directory), []);
      assert.equal(command.sandbox.counters.connections, 0);
    });
  }
});
