import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formats } from "../../../audit/report/formats.js";
import type { AuditReport } from "../../../audit/report/report.js";
import type { AcceptedFile } from "../../../command/audit/acceptedFile.js";
import { auditCommand } from "../../../command/audit/auditCommand.js";
import { assertHoldsNone, secretsOf } from "../../support/leakSearch.js";
import { commandsIn } from "../../support/logCommands.js";
import { fleet } from "../../support/project.js";
import { type Sandbox, sampleProjects, startSandbox } from "../../support/testSandbox.js";

describe("pulumi-project-service audit", () => {
  let sandbox: Sandbox;
  let directory: string;
  const inFolder = (name: string) => join(directory, name);

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "audit-"));
    sandbox = await startSandbox();
    Object.assign(process.env, sandbox.environment);
  });
  afterEach(async () => {
    for (const name of Object.keys(sandbox.environment)) delete process.env[name];
    await sandbox.close();
    await rm(directory, { recursive: true });
  });

  /** Runs the audit in this process. Returns its exit code and what it says on standard error. */
  async function audit(args: string, day = "2026-03-02") {
    const said: string[] = [];
    const write = process.stderr.write.bind(process.stderr);
    process.stderr.write = (text) => said.push(String(text)) > 0;
    try {
      // No Pulumi project, so the settings come from the environment.
      const words = `--cwd ./ ${args}`.replaceAll("./", `${directory}/`).split(" ").filter(Boolean);
      const code = await auditCommand(words, () => new Date(`${day}T23:59:59.999Z`));
      return { code, said: said.join("") };
    } finally {
      process.stderr.write = write;
    }
  }

  /** Runs the audit, and returns its report too. */
  async function auditReport(args = "", day?: string) {
    const result = await audit(`${args} --output ./report.json`, day);
    const report = JSON.parse(await readFile(inFolder("report.json"), "utf8")) as AuditReport;
    return { ...result, report };
  }

  const acceptedIn = async (name: string) =>
    (JSON.parse(await readFile(inFolder(name), "utf8")) as AcceptedFile).accepted;

  it("returns 1 if there are findings, and 0 if there are none, after one sign-in and one read each", async () => {
    const { code, said } = await auditReport();
    assert.equal(code, 1);
    assert.match(
      said,
      /^12 projects audited, \d without findings: \d+ violated\. The report is in /,
    );
    assert.equal(sandbox.counters.passwordGrants, 1);
    assert.equal(sandbox.counters.projectReads, 12);
    sandbox.projects = sampleProjects().slice(6, 7);
    const clean = await auditReport();
    assert.equal(clean.code, 0);
    assert.match(clean.said, /^1 project audited: no findings\./);
  });

  it("prints credentials in no format", async () => {
    const formatNames = Object.keys(formats);
    const outputs = formatNames.map((format) => `--output ${format}=./${format}`);
    await audit(outputs.join(" "));
    for (const format of formatNames) {
      const text = await readFile(inFolder(format), "utf8");
      assertHoldsNone(format, text, secretsOf(sandbox));
    }
    assert.equal(sandbox.counters.projectReads, 12);
  });

  it("lets a fleet with findings become green, and only new and expired findings make it red", async () => {
    sandbox.projects = fleet(40);
    const [live] = sandbox.projects[6]!.projectEnvironments;
    const webroot = live!.projectEnvironmentCode.webroot;
    delete (live!.projectEnvironmentCode as { webroot?: string }).webroot;
    const red = await auditReport();
    assert.equal(red.code, 1);
    const { length } = red.report.findings;
    assert.ok(length >= 40);

    const write = "--write-accepted ./accepted.json --reason earlier --until 2026-06-30";
    const written = await auditReport(write);
    assert.equal(written.code, 0);
    assert.match(written.said, new RegExp(` ${length} added, 0 renewed, 0 kept\\.\n`));
    assert.equal(written.report.summary.accepted, length);

    const accepted = "--accepted ./accepted.json";
    const green = await auditReport(accepted, "2026-06-30");
    assert.deepEqual([green.code, green.report.summary.failing], [0, 0]);

    // The service omitted the webroot, so the accepted finding was unknown. Now there is a violation.
    live!.projectEnvironmentCode.webroot = "/srv/elsewhere";
    const { code, report } = await auditReport(accepted);
    assert.equal(code, 1);
    const open = report.findings.filter((finding) => finding.accepted === undefined);
    assert.deepEqual(
      open.map(({ rule, state, projectId }) => [rule, state, projectId]),
      [["webroot-location", "violated", "x-7"]],
    );
    assert.deepEqual(
      report.staleAcceptances.map(({ rule, state, projectId }) => [rule, state, projectId]),
      [["webroot-location", "unknown", "x-7"]],
    );

    live!.projectEnvironmentCode.webroot = webroot;
    const stale = await auditReport(`${accepted} --output ./report.md`);
    assert.equal(stale.code, 0);
    assert.match(stale.said, /1 accepted entry matches no finding\./);
    assert.match(
      await readFile(inFolder("report.md"), "utf8"),
      /No finding matches the accepted entry for rule webroot-location, project x-7, /,
    );

    const expired = await auditReport(accepted, "2026-07-01");
    assert.equal(expired.code, 1);
    assert.match(
      expired.said,
      new RegExp(`The acceptance of ${length - 1} findings has expired\\.`),
    );
    const renewed = await auditReport(
      "--write-accepted ./accepted.json --reason again",
      "2026-07-01",
    );
    assert.match(renewed.said, new RegExp(`: 0 added, ${length - 1} renewed, 1 kept\\.\n`));
    assert.equal((await acceptedIn("accepted.json")).length, length);
    assert.equal((await auditReport(accepted, "2026-07-01")).code, 0);
  });

  it("accepts nothing if it cannot read a project, or if the file is broken", async () => {
    const args = "--write-accepted ./accepted.json --reason later";
    sandbox.forbiddenProjectIds.add("p-3");
    await assert.rejects(audit(args), { code: "FORBIDDEN" });
    assert.deepEqual(await readdir(directory), []);
    await writeFile(inFolder("accepted.json"), "{}");
    await assert.rejects(audit(args), /accepted\.json failed: version is missing\./);
    assert.equal(await readFile(inFolder("accepted.json"), "utf8"), "{}");
  });

  it("fails for findings of the level in --fail-on and above", async () => {
    await writeFile(
      inFolder("rules.mjs"),
      "export default ({ houseRules }) => houseRules({ keptDeployments: { minimum: 9, severity: 'warning' } }).filter(({ name }) => name === 'kept-deployments');",
    );
    const codes: number[] = [];
    for (const level of ["error", "warning", "note", "never"]) {
      const args = `--filter name=shop --rules ./rules.mjs --fail-on ${level} --output ./report.json`;
      codes.push((await audit(args)).code);
    }
    assert.deepEqual(codes, [0, 1, 1, 0]);
  });

  it("reads only the projects that match all filters", async () => {
    const { said, report } = await auditReport(
      "--filter name*=sh --filter environments.webroot*=s",
    );
    assert.match(
      said,
      /^1 of 12 projects with name\*=sh, environments\.webroot\*=s audited, 0 with/,
    );
    const filters = ["name*=sh", "environments.webroot*=s"];
    assert.deepEqual(report.scope, { filters, listedProjects: 12 });
    assert.equal(sandbox.counters.projectReads, 1);
  });

  it("is an error over nothing", async () => {
    await assert.rejects(audit("--filter name=shpo"), {
      code: "NOT_FOUND",
      message: `--filter matches none of 12 projects, so there is nothing to audit. Check its keys and values.`,
    });
    sandbox.projects = [];
    await assert.rejects(audit(""), /has access to no project, so there is nothing to audit\. Ask/);
  });

  it("names the projects that cannot be read, and reports them if it is told so", async () => {
    sandbox.forbiddenProjectIds.add("p-3");
    sandbox.forbiddenProjectIds.add("p-7");
    await assert.rejects(
      audit(""),
      /cannot read 2 of 12 projects: p-3 \(FORBIDDEN\), p-7 \(FORBIDDEN\)\. Ask for access, or pass --on-inaccessible report\.$/,
    );
    const { code, said, report } = await auditReport("--on-inaccessible report");
    assert.equal(code, 1);
    assert.match(said, / 2 projects could not be read\. /);
    assert.deepEqual(report.rules[0]?.checked, { projects: 12 });
    assert.deepEqual(
      report.findings
        .filter(({ projectId }) => projectId === "p-3")
        .map(({ rule, state, subject }) => [rule, state, subject]),
      [["readable-project", "unknown", "FORBIDDEN"]],
    );
    for (const { _id } of sandbox.projects) sandbox.forbiddenProjectIds.add(_id);
    await assert.rejects(audit("--on-inaccessible report"), /cannot read 12 of 12 projects/);
  });

  it("writes several reports in the formats that prefixes and endings name", async () => {
    const starts = {
      "./a.html": /^<!doctype html>/,
      "./a.json": /"formatVersion": 1/,
      "./a.md": /^### Project Service audit/,
      "./a.sarif": /sarif-2\.1\.0/,
      "./junit.xml": /<testsuites /,
      "./a.codequality.json": /"check_name"/,
      "./a.txt": /^PROJECT /,
      "junit=./other.xml": /<testsuites /,
    };
    const outputs = Object.keys(starts).map((output) => `--output ${output}`);
    const { said } = await audit(outputs.join(" "));
    for (const [output, start] of Object.entries(starts)) {
      const file = inFolder(output.replace(/^.*\//, ""));
      assert.match(await readFile(file, "utf8"), start, output);
      assert.ok(said.includes(file), output);
    }
  });

  for (const [args, expected] of [
    ["--format pdf", /--format pdf must be one of junit, codequality, html, json, markdown/],
    ["--fail-on critical", /--fail-on critical must be one of error, warning, note, never/],
    ["--fail-on note --fail-on never", /--fail-on is given more than once/],
    ["--rules ./none.json", /none\.json failed: ENOENT/],
    ["--filter nmae=shop", /the key cannot be nmae\. Did you mean name\?/],
    ["--filter shop", /must be a key, an operator and a value/],
    ["--format json --output a.json --output b.html", /--format is for one --output\. Write the/m],
    ["--output ./a.html --output ./a.pdf", /a\.pdf in --output does not show the format.*\.html/],
    ["--output pdf=./a.pdf", /The format in --output pdf must be one of junit/],
    ["--output html=", /names no file/],
    ["--write-accepted ./x.json", /needs --reason/],
    ["--write-accepted ./x.json --reason x --until 2026-03-01", /and not before 2026-03-02,/],
    ["--write-accepted ./x.json --reason x --until 2026-13-01", /must be a day such as/],
    ["--write-accepted ./x.json --reason x --accepted ./y.json", /so leave --accepted out/],
    ["--write-accepted - --reason x", /it is not a regular file/],
    ["--reason x", /--reason and --until need --write-accepted/],
    ["--accepted ./none.json", /none\.json failed: ENOENT.*--write-accepted/],
  ] as const) {
    it(`refuses ${args}, before it reads anything`, async () => {
      await assert.rejects(audit(args), expected);
      assert.deepEqual(await readdir(directory), []);
      assert.equal(sandbox.counters.connections, 0);
    });
  }

  it("prints no command of a log, whatever its options say", async () => {
    for (const option of ["--filter", "--output pdf=", "--output", "--format", "--accepted"]) {
      await assert.rejects(
        audit(`${option}${option.endsWith("=") ? "" : " "}##vso[x]\u001b[2J`),
        (error: Error) => {
          assert.deepEqual(commandsIn(error.message), [], error.message);
          return !error.message.includes("\u001b");
        },
      );
    }
  });
});
