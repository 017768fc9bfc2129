import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { formatNames } from "../../audit/report/formatReport.js";
import type { AuditReport } from "../../audit/report/report.js";
import { sampleProjects } from "../../sandbox/index.js";
import { compiled, repository } from "../support/paths.js";
import { assertHoldsNone, secretsOf } from "../support/leakSearch.js";
import { useCommandProcess } from "./commandProcess.js";

describe("pulumi-project-service audit", () => {
  const command = useCommandProcess();

  it("exits with 1 if there are findings, and prints nothing but the report", async () => {
    const { code, stdout, stderr } = await command.run(["audit"]);
    assert.equal(code, 1);
    assert.equal(stderr, "");
    assert.match(
      stdout,
      /shop \(p-1\) +stage +restricted-databases +error +violated\n +The database shop_search_stage is not restricted by address\.\n +Subject: database shop_search_stage \(MYSQL\)\./,
    );
    assert.match(stdout, /12 projects audited, 2 without findings: 22 violated\.\n$/);
    assert.equal(command.sandbox.counters.passwordGrants, 1);
    assert.equal(command.sandbox.counters.projectReads, 12);
  });

  it("exits with 0 if there are no findings", async () => {
    command.sandbox.projects = sampleProjects().slice(6, 7);
    const { code, stdout } = await command.run(["audit"]);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^RULE +CHECKED +FINDINGS\nguarded-production-branch +1 environment +0\n[^]*\n\n1 project audited: no findings\.\n$/,
    );
  });

  it("checks projects against the rules of a file", async () => {
    const rules = join(command.directory, "rules.json");
    const options = {
      restrictedDatabases: { environments: ["live"] },
      initializedEnvironments: false,
    };
    await writeFile(rules, JSON.stringify(options));
    assert.equal((await command.run(["audit", "--rules", rules])).code, 0);
    await writeFile(rules, JSON.stringify({ keptDeployments: { minimum: 4 } }));
    const { stdout } = await command.run(["audit", "--rules", rules, "--format", "json"]);
    const { findings } = JSON.parse(stdout) as AuditReport;
    assert.ok(findings.some(({ rule }) => rule === "kept-deployments"));
  });

  it("exits with 2 for a service without projects, unless --allow-empty is given", async () => {
    command.sandbox.projects = [];
    const { code, stdout, stderr } = await command.run(["audit"]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(
      stderr,
      /^The user in the setting username has access to no project, .* pass --allow-empty\.\n$/,
    );
    const allowed = await command.run(["audit", "--allow-empty"]);
    assert.equal(allowed.code, 0);
    assert.match(
      allowed.stdout,
      /^kept-deployments +0 environments +0\n[^]*\n0 projects audited: no findings\.\n$/m,
    );
  });

  for (const format of formatNames) {
    it(`prints no credentials as ${format}`, async () => {
      const { stdout } = await command.run(["audit", "--format", format]);
      assertHoldsNone(format, stdout, secretsOf(command.sandbox));
    });
  }

  it("exits with 2 if it cannot read all projects, names the unreadable ones, and prints no report", async () => {
    command.sandbox.forbiddenProjectIds.add("p-3");
    command.sandbox.forbiddenProjectIds.add("p-7");
    const { code, stdout, stderr } = await command.run(["audit"]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(
      stderr,
      /^Reading 2 of 12 projects failed, so there is no report\. .*no access to p-3, p-7\. Ask for access\. To audit the others, pass --on-inaccessible report\.\n$/,
    );
  });

  it("prints one line for an outage", async () => {
    const server = createServer((_request, response) => response.writeHead(500).end()).unref();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await command.run(["audit"], { PROJECT_SERVICE_BASE_URL: address });
    assert.equal(code, 2);
    assert.match(stderr, /^Listing the projects failed[^\n]*\n$/);
  });

  it("exits with 2 if the service switches protocols, and says so", async () => {
    const server = createServer(({ socket }) =>
      socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
    ).unref();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stdout, stderr } = await command.run(["audit"], {
      PROJECT_SERVICE_BASE_URL: address,
    });
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^Listing the projects failed: .*UNEXPECTED_UPGRADE[^\n]*\n$/);
  });

  it("exits with 2 if something ends the process before the audit is complete", async () => {
    const hook = join(command.directory, "neverEnding.cjs");
    const module = compiled("command/auditCommand.ts");
    await writeFile(
      hook,
      `require(${JSON.stringify(module)}).auditCommand = () => new Promise(() => {});`,
    );
    const { code, stdout } = await command.run(["audit"], { NODE_OPTIONS: `--require ${hook}` });
    assert.deepEqual([code, stdout], [2, ""]);
  });

  for (const [problem, args, changes, expected] of [
    [
      "settings are missing",
      ["audit"],
      { PROJECT_SERVICE_PASSWORD: undefined },
      /--cwd \(or the environment variable PROJECT_SERVICE_PASSWORD\)/,
    ],
    [
      "the password is wrong",
      ["audit"],
      { PROJECT_SERVICE_PASSWORD: "wrong-password" },
      /rejected/,
    ],
    [
      "the format is unknown",
      ["audit", "--format", "pdf"],
      {},
      /table, json, markdown, sarif, html, junit, codequality/,
    ],
    ["an option is unknown", ["audit", "--colour"], {}, /--colour/],
    [
      "a rules file does not exist",
      ["audit", "--rules", "none.json"],
      {},
      /none\.json failed: ENOENT.*--rules/,
    ],
    [
      "a rules file is not JSON",
      ["audit", "--rules", join(repository, "README.md")],
      {},
      /file is not valid JSON/,
    ],
    [
      "a report cannot be written",
      ["audit", "--output", "none/report.txt"],
      {},
      /none\/report\.txt failed: ENOENT.*--output/,
    ],
    [
      "there is no Pulumi CLI for a named stack",
      ["audit", "--stack", "dev"],
      { PATH: "" },
      /no Pulumi CLI on PATH/,
    ],
    ["the command is unknown", ["audti"], {}, /Usage: pulumi-project-service <command>/],
    ["there is no command", [], {}, /Usage: pulumi-project-service <command>/],
  ] as const) {
    it(`exits with 2 if ${problem}, and says what to do, without a stack trace`, async () => {
      const { code, stdout, stderr } = await command.run([...args], changes);
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, expected);
      assert.doesNotMatch(stderr, /^ +at |wrong-password/m);
    });
  }

  it("refuses a folder that does not exist, instead of reading the environment", async () => {
    const { code, stderr } = await command.run([
      "audit",
      "--cwd",
      join(command.directory, "hsoting"),
    ]);
    assert.equal(code, 2);
    assert.match(stderr, /There is no folder .*hsoting\. Check --cwd/);
    assert.equal(command.sandbox.counters.connections, 0);
  });

  it("prints its options", async () => {
    const audit = await command.run(["audit", "--help"]);
    const documented = [...audit.stdout.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option]) => option);
    assert.deepEqual(documented.toSorted(), [
      "--accepted",
      "--allow-empty",
      "--connection",
      "--cwd",
      "--fail-on",
      "--filter",
      "--format",
      "--help",
      "--omit-accepted",
      "--on-inaccessible",
      "--output",
      "--reason",
      "--rules",
      "--stack",
      "--until",
      "--write-accepted",
    ]);
    assert.equal(command.sandbox.counters.connections, 0);
  });
});
