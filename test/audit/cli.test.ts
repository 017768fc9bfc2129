import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditReport } from "../../audit/report.js";
import { type Sandbox, sampleProjects, startSandbox } from "../../sandbox/index.js";
import { credentialsIn, LeakSearch } from "../support/secrets.js";

const cli = join(__dirname, "../../audit/cli.js");

describe("project-service audit", () => {
  let sandbox: Sandbox;
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "audit-"));
  });
  after(() => rm(directory, { recursive: true }));
  beforeEach(async () => {
    sandbox = await startSandbox();
  });
  afterEach(() => sandbox.close());

  /** Runs the program in a folder of its own, with the sandbox's settings and changes to them. */
  function run(args: string[], changes: Record<string, string | undefined> = {}) {
    return end(process.execPath, [cli, ...args], changes);
  }

  /** Runs it with what a shell makes of its output. */
  function runInShell(command: string, before = "") {
    return end("sh", ["-c", `${before}"${process.execPath}" "${cli}" ${command}`]);
  }

  function end(program: string, args: string[], changes: Record<string, string | undefined> = {}) {
    const env = { PATH: process.env["PATH"], ...sandbox.environment, ...changes };
    return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      execFile(program, args, { cwd: directory, env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  }

  it("ends with 1 where there are findings, and prints them to stdout and nothing else", async () => {
    const { code, stdout, stderr } = await run(["audit"]);
    assert.equal(code, 1);
    assert.equal(stderr, "");
    assert.match(
      stdout,
      /shop \(p-1\) +stage +restricted-databases +violated\n +The databases shop_search_stage, shop_stage are/,
    );
    assert.match(stdout, /12 projects audited, 2 without findings: 18 violated\.\n$/);
    assert.equal(sandbox.counters.passwordGrants, 1);
    assert.equal(sandbox.counters.projectReads, 12);
  });

  it("ends with 0 where there are none", async () => {
    sandbox.projects = sampleProjects().slice(6, 7);
    const { code, stdout } = await run(["audit"]);
    assert.deepEqual([code, stdout], [0, "1 project audited: no findings.\n"]);
  });

  it("holds projects to the rules of a file", async () => {
    const rules = join(directory, "rules.json");
    const options = {
      restrictedDatabases: { environments: ["live"] },
      initializedEnvironments: false,
    };
    await writeFile(rules, JSON.stringify(options));
    assert.equal((await run(["audit", "--rules", rules])).code, 0);
    await writeFile(rules, JSON.stringify({ keptDeployments: { minimum: 4 } }));
    const { stdout } = await run(["audit", "--rules", rules, "--format", "json"]);
    const { findings } = JSON.parse(stdout) as AuditReport;
    assert.ok(findings.some(({ rule }) => rule === "kept-deployments"));
  });

  it("writes the report to a file, and says so", async () => {
    const file = join(directory, "report.html");
    const { code, stdout, stderr } = await run(["audit", "--format", "html", "--output", file]);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /18 violated\. The report is in .*report\.html\.\n$/);
    assert.match(await readFile(file, "utf8"), /^<!doctype html>/);
  });

  it("does not take a service without projects for a good one, unless told so", async () => {
    sandbox.projects = [];
    const { code, stdout, stderr } = await run(["audit"]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^The user set in username sees no project, .* pass --allow-empty\.\n$/);
    const allowed = await run(["audit", "--allow-empty"]);
    assert.deepEqual([allowed.code, allowed.stdout], [0, "0 projects audited: no findings.\n"]);
  });

  it("replaces an earlier report at once, of a link the target, and keeps the mode", async () => {
    const [file, link] = [join(directory, "earlier.html"), join(directory, "link.html")];
    await writeFile(file, "earlier", { mode: 0o640 });
    await symlink(file, link);
    const before = await stat(file);
    assert.equal((await run(["audit", "--format", "html", "--output", link])).code, 1);
    assert.ok((await lstat(link)).isSymbolicLink());
    const after = await stat(file);
    assert.notEqual(after.ino, before.ino);
    assert.equal(after.mode & 0o777, 0o640);
    assert.match(await readFile(file, "utf8"), /<\/html>\n$/);
    assert.deepEqual(
      (await readdir(directory)).filter((name) => name.endsWith(".tmp")),
      [],
    );
  });

  it("writes into a pipe, a device, and through a link to a file that is not there yet", async () => {
    assert.match(
      (await runInShell("audit --output /dev/stdout | cat")).stdout,
      /12 projects audited/,
    );
    const link = join(directory, "dangling");
    await symlink(join(directory, "target"), link);
    assert.equal((await run(["audit", "--output", link])).code, 1);
    assert.match(await readFile(join(directory, "target"), "utf8"), /12 projects audited/);
    const { code, stderr } = await run(["audit", "--output", "/dev/full"]);
    assert.deepEqual([code, stderr], [2, "The report cannot be written to /dev/full (ENOSPC).\n"]);
  });

  it("leaves an earlier report as it is when it fails, and says that it is earlier", async () => {
    const file = join(directory, "kept.html");
    await writeFile(file, "earlier");
    sandbox.forbiddenProjectIds.add("p-3");
    const { code, stderr } = await run(["audit", "--output", file]);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /kept\.html still holds the report of an earlier audit, of 20\d\d-.*Z\.\n$/,
    );
    assert.equal(await readFile(file, "utf8"), "earlier");
  });

  for (const format of ["table", "json", "markdown", "sarif", "html"]) {
    it(`holds no credential: ${format}`, async () => {
      const { stdout } = await run(["audit", "--format", format]);
      const secrets = [...credentialsIn(sandbox.projects), sandbox.connection.password];
      new LeakSearch([...secrets, ...sandbox.issuedTokens]).text(format, stdout);
    });
  }

  it("does not look at all if it cannot look at everything: 2, and which project it was", async () => {
    sandbox.forbiddenProjectIds.add("p-3");
    sandbox.forbiddenProjectIds.add("p-7");
    const { code, stdout, stderr } = await run(["audit"]);
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^2 of 12 projects cannot be read, .*no access to p-3, p-7: ask for it/);
  });

  it("says an outage once", async () => {
    const server = createServer((_request, response) => response.writeHead(500).end()).unref();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await run(["audit"], { PROJECT_SERVICE_BASE_URL: address });
    assert.equal(code, 2);
    assert.match(stderr, /^Listing the projects failed[^\n]*\n$/);
  });

  it("ends with 2 where the service switches protocols, and says so", async () => {
    const server = createServer(({ socket }) =>
      socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
    ).unref();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stdout, stderr } = await run(["audit"], { PROJECT_SERVICE_BASE_URL: address });
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^Listing the projects failed: .*UNEXPECTED_UPGRADE[^\n]*\n$/);
  });

  it("ends with 2 where something ends it before it has decided", async () => {
    const hook = join(directory, "neverEnding.cjs");
    const command = join(__dirname, "../../audit/auditCommand.js");
    await writeFile(
      hook,
      `require(${JSON.stringify(command)}).auditCommand = () => new Promise(() => {});`,
    );
    const { code, stdout } = await run(["audit"], { NODE_OPTIONS: `--require ${hook}` });
    assert.deepEqual([code, stdout], [2, ""]);
  });

  it("ends with 2 where a file takes but a part of the report", async () => {
    const { code, stderr } = await runInShell("audit --format html > part.html", "ulimit -f 4; ");
    assert.deepEqual([code, stderr], [2, "Standard output cannot be written to (EFBIG).\n"]);
  });

  it("ends with 2 on a full disk, with one line", async () => {
    const { code, stderr } = await runInShell("audit > /dev/full");
    assert.deepEqual([code, stderr], [2, "Standard output cannot be written to (ENOSPC).\n"]);
  });

  for (const [title, args, changes, says] of [
    [
      "settings are missing",
      ["audit"],
      { PROJECT_SERVICE_PASSWORD: undefined },
      /--secret project-service:password/,
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
      /table, json, markdown, sarif, html/,
    ],
    ["an option is unknown", ["audit", "--colour"], {}, /--colour/],
    ["a rules file is not there", ["audit", "--rules", "none.json"], {}, /none\.json: .*ENOENT/],
    ["a rules file is no JSON", ["audit", "--rules", cli], {}, /This is not JSON/],
    [
      "a report cannot be written",
      ["audit", "--output", "none/report"],
      {},
      /none\/report \(ENOENT\)/,
    ],
    [
      "there is no Pulumi CLI for a named stack",
      ["audit", "--stack", "dev"],
      { PATH: "" },
      /no Pulumi CLI on PATH/,
    ],
    ["there is no such command", ["audti"], {}, /Usage: project-service <command>/],
    ["there is no command", [], {}, /Usage: project-service <command>/],
  ] as const) {
    it(`ends with 2 where ${title}, and says what to do without a stack trace`, async () => {
      const { code, stdout, stderr } = await run([...args], changes);
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, says);
      assert.doesNotMatch(stderr, /^ +at |wrong-password/m);
    });
  }

  it("does not take a mistyped folder for one without a Pulumi project", async () => {
    const { code, stderr } = await run(["audit", "--cwd", join(directory, "hsoting")]);
    assert.equal(code, 2);
    assert.match(stderr, /There is no folder .*hsoting: check --cwd/);
    assert.equal(sandbox.counters.connections, 0);
  });

  it("explains itself", async () => {
    const commands = await run(["--help"]);
    assert.match(commands.stdout, /^ +audit /m);
    const audit = await run(["audit", "--help"]);
    for (const option of ["--format", "--output", "--rules", "--stack", "--cwd", "--allow-empty"]) {
      assert.ok(audit.stdout.includes(option), option);
    }
    assert.match((await run(["--version"])).stdout, /^\d+\.\d+\.\d+\n$/);
    assert.deepEqual([commands.code, audit.code], [0, 0]);
    assert.equal(sandbox.counters.connections, 0);
  });
});
