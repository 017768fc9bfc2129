import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AcceptedFile } from "../../command/acceptedFile.js";
import type { AuditReport } from "../../audit/report/report.js";
import { sampleProjects, type SandboxProject } from "../../sandbox/index.js";
import { fleet } from "../support/project.js";
import { compiled } from "../support/paths.js";
import { useCommandProcess } from "./commandProcess.js";

describe("accepted findings of pulumi-project-service audit", () => {
  const command = useCommandProcess();
  const inFolder = (name: string) => join(command.directory, name);

  /** Runs the audit. The audit takes a time for the present one, if it is given. */
  async function audit(args: readonly string[], time?: string) {
    if (time === undefined) return command.run(["audit", ...args]);
    const hook = inFolder("clock.cjs");
    const module = JSON.stringify(compiled("command/auditCommand.ts"));
    await writeFile(
      hook,
      `const { auditCommand } = require(${module});
       require(${module}).auditCommand = (args) => auditCommand(args, () => new Date("${time}"));`,
    );
    return command.run(["audit", ...args], { NODE_OPTIONS: `--require ${hook}` });
  }

  const read = async (file: string) =>
    (JSON.parse(await readFile(file, "utf8")) as AcceptedFile).accepted;

  it("let a fleet of 200 projects become green, and only new and expired findings make it red", async () => {
    command.sandbox.projects = fleet(200);
    const file = inFolder("fleet.json");
    const before = "2027-06-30T23:59:59.999Z";

    const red = await audit([], before);
    assert.equal(red.code, 1);
    const total = Number(/without findings: (\d+) violated\.\n$/.exec(red.stdout)?.[1]);
    assert.ok(total >= 200, red.stdout.slice(-200));

    const write = ["--write-accepted", file, "--reason", "before 2027", "--until", "2027-06-30"];
    const written = await audit(write, before);
    assert.deepEqual([written.code, written.stdout], [0, ""]);
    assert.equal(
      written.stderr,
      `${file} has ${total} accepted findings: ${total} added, 0 renewed, 0 kept.\n`,
    );

    const green = await audit(["--accepted", file], before);
    assert.equal(green.code, 0, green.stderr);
    assert.match(green.stdout, new RegExp(`200 projects audited: no findings, ${total} accepted`));

    const live = command.sandbox.projects[6]?.projectEnvironments[0];
    assert.ok(live);
    live.projectEnvironmentCode.webroot = "/srv/elsewhere";
    const oneNew = await audit(["--accepted", file, "--format", "json"], before);
    assert.equal(oneNew.code, 1);
    const { findings, summary } = JSON.parse(oneNew.stdout) as AuditReport;
    assert.deepEqual([summary.failing, summary.violated, summary.accepted], [1, 1, total]);
    const open = findings.filter(({ accepted }) => accepted === undefined);
    assert.deepEqual(
      open.map(({ rule, projectId }) => [rule, projectId]),
      [["webroot-location", "x-7"]],
    );

    const expired = await audit(["--accepted", file], "2027-07-01T00:00:00.000Z");
    assert.equal(expired.code, 1);
    assert.match(
      expired.stdout.replace(/\s+/g, " "),
      new RegExp(`The acceptance of ${total} findings expired, the last day was 2027-06-30\\.`),
    );
    assert.match(expired.stdout, /expired, its last day was 2027-06-30:\s+before 2027$/m);
  });

  it("are renewed and kept by the next --write-accepted, which names the renewed and the stale ones", async () => {
    const file = inFolder("next.json");
    await audit(["--write-accepted", file, "--reason", "first"]);
    const [first, ...others] = await read(file);
    assert.ok(first && others.length === 21);
    const expired = { ...first, until: "2026-01-31", acceptedBy: "Ann" };
    const stale = { ...first, projectId: "gone" };
    const content = {
      $schema: "./schema.json",
      version: 1,
      accepted: [stale, expired, ...others.slice(1)],
    };
    await writeFile(file, JSON.stringify(content));
    const { code, stderr } = await audit([
      ...["--write-accepted", file, "--accepted", file],
      ...["--reason", "second", "--until", "2999-12-31"],
    ]);
    assert.equal(code, 0);
    const environment = first.environmentId ?? "";
    assert.equal(
      stderr,
      `Renewed: rule ${first.rule}, project ${first.projectId}, environment ${environment}, subject "${first.subject}", state violated.\n` +
        `Kept, but it matches no finding: rule ${first.rule}, project gone, environment ${environment}, subject "${first.subject}", state violated.\n` +
        `${file} has 23 accepted findings: 1 added, 1 renewed, 21 kept.\n`,
    );
    const after = await read(file);
    assert.equal(after.filter(({ reason }) => reason === "second").length, 2);
    const { acceptedBy: _, ...renewed } = { ...expired, reason: "second", until: "2999-12-31" };
    assert.deepEqual(
      after.find(
        ({ projectId, environmentId, subject }) =>
          projectId === first.projectId &&
          environmentId === first.environmentId &&
          subject === first.subject,
      ),
      renewed,
    );
    assert.equal(
      (JSON.parse(await readFile(file, "utf8")) as AcceptedFile).$schema,
      "./schema.json",
    );
    assert.equal((await audit(["--accepted", file])).code, 0);
  });

  it("are written together with the reports, in which they are accepted", async () => {
    const [file, report] = [inFolder("together.json"), inFolder("together-report.json")];
    const args = ["--write-accepted", file, "--reason", "later", "--output", report];
    const { code, stderr } = await audit(args);
    assert.equal(code, 0);
    assert.match(stderr, /no findings, 22 accepted\. The report is in .*together-report\.json\.\n/);
    const { summary } = JSON.parse(await readFile(report, "utf8")) as AuditReport;
    assert.deepEqual([summary.failing, summary.accepted], [0, 22]);
  });

  it("leave a file as it was if the audit fails, or if the file is broken", async () => {
    const file = inFolder("broken.json");
    const args = ["--write-accepted", file, "--reason", "later"];
    const broken = JSON.stringify({ version: 1, accepted: [{ rule: "x", subject: "y" }] });
    await writeFile(file, broken);
    const refused = await audit(args);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /broken\.json failed: projectId of accepted\[0\] must be/);
    assert.equal(await readFile(file, "utf8"), broken);
    assert.equal(command.sandbox.counters.connections, 0);

    const unreadable = inFolder("unreadable.json");
    command.sandbox.forbiddenProjectIds.add("p-3");
    assert.equal((await audit(["--write-accepted", unreadable, "--reason", "later"])).code, 2);
    assert.ok(!(await readdir(command.directory)).includes("unreadable.json"));
  });

  it("that are stale are reported, and fail nothing", async () => {
    command.sandbox.projects = sampleProjects().slice(6, 7);
    const file = inFolder("stale.json");
    const stale = {
      rule: "kept-deployments",
      projectId: "p-7",
      environmentId: "live",
      subject: "deploymentsToKeep 2",
      reason: "x",
    };
    await writeFile(file, JSON.stringify({ version: 1, accepted: [stale] }));
    const { code, stdout } = await audit(["--accepted", file]);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /No finding matches the accepted entry for rule kept-deployments, project p-7,\s+environment live,\s+subject\s+"deploymentsToKeep\s+2",\s+state\s+violated\.\s+Remove the entry\./,
    );
    assert.match(stdout, /no findings\. 1 accepted entry matches no finding\.\n$/);
  });

  for (const [problem, args, expected] of [
    ["there is no reason", ["--write-accepted", "x.json"], /needs --reason/],
    ["the reason is blank", ["--write-accepted", "x.json", "--reason", " "], /needs --reason/],
    [
      "the last day is in the past",
      ["--write-accepted", "x.json", "--reason", "later", "--until", "2026-01-31"],
      /--until 2026-01-31 is in the past\. Today is 20\d\d-\d\d-\d\d in UTC/,
    ],
    [
      "the last day does not exist",
      ["--write-accepted", "x.json", "--reason", "later", "--until", "2999-02-29"],
      /--until 2999-02-29 is not a date that exists/,
    ],
    ["a reason is given for nothing", ["--reason", "later"], /--reason needs --write-accepted/],
    ["a day is given for nothing", ["--until", "2999-01-01"], /--until needs --write-accepted/],
    [
      "two files of accepted findings are named",
      ["--write-accepted", "x.json", "--reason", "later", "--accepted", "y.json"],
      /name different files/,
    ],
    [
      "the file does not exist",
      ["--accepted", "none.json"],
      /none\.json failed: the file does not exist\. .*--write-accepted/,
    ],
  ] as const) {
    it(`are refused with exit code 2 if ${problem}`, async () => {
      const { code, stdout, stderr } = await audit(args);
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, expected);
      assert.equal(command.sandbox.counters.connections, 0);
      assert.ok(!(await readdir(command.directory)).includes("x.json"));
    });
  }
});

describe("the levels of pulumi-project-service audit", () => {
  const command = useCommandProcess();

  it("decide with --fail-on whether the audit fails", async () => {
    const [shop] = sampleProjects();
    assert.ok(shop);
    // Without deploymentsToKeep, a rule of severity error is unknown: a warning.
    const environments = shop.projectEnvironments.map((environment) => ({
      ...environment,
      projectEnvironmentCode: {
        ...environment.projectEnvironmentCode,
        deploymentsToKeep: undefined,
      },
    }));
    command.sandbox.projects = [
      { ...shop, projectEnvironments: environments } as unknown as SandboxProject,
    ];
    const rules = join(command.directory, "kept.json");
    const others = {
      guardedProductionBranch: false,
      restrictedDatabases: false,
      initializedEnvironments: false,
      webrootLocation: false,
      linkedAssets: false,
    };
    await writeFile(rules, JSON.stringify(others));
    const codes = await Promise.all(
      ["error", "warning", "note", "never"].map(async (level) => {
        const result = await command.run(["audit", "--rules", rules, "--fail-on", level]);
        return result.code;
      }),
    );
    assert.deepEqual(codes, [0, 1, 1, 0]);
    const { stdout } = await command.run(["audit", "--rules", rules, "--fail-on", "error"]);
    assert.match(stdout, /warning +unknown$/m);
    assert.match(
      stdout.replace(/\s+/g, " "),
      /3 unknown\. No finding fails the audit, because --fail-on is error\. $/,
    );
  });

  it("are refused if they do not exist", async () => {
    const { code, stderr } = await command.run(["audit", "--fail-on", "critical"]);
    assert.equal(code, 2);
    assert.match(stderr, /--fail-on critical must be one of error, warning, note, never/);
  });
});
