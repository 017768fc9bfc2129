import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FileSandbox } from "../../command/sandbox/fileSandbox.js";
import { sampleProjects } from "../../sandbox/index.js";
import { getProject, getProjects } from "../../sdk/index.js";
import { freePort } from "../../tools/freePort.js";
import { cli, useCommandProcess } from "../command/commandProcess.js";
import { repository } from "../support/paths.js";

describe("pulumi-project-service sandbox", () => {
  const command = useCommandProcess();
  const running: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of running.splice(0)) await stop(child);
  });

  async function stop(child: ChildProcess): Promise<void> {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }

  /** Starts a program, and returns what it prints until the sandbox runs. */
  async function outputOf(child: ChildProcess): Promise<string> {
    running.push(child);
    let printed = "";
    child.stdout?.on("data", (chunk) => (printed += String(chunk)));
    child.stderr?.on("data", (chunk) => (printed += String(chunk)));
    while (!printed.endsWith("Ctrl-C to stop it.\n")) {
      if (child.exitCode !== null) assert.fail(`The sandbox ended. It printed: ${printed}`);
      await Promise.race([once(child.stdout!, "data"), once(child, "exit")]);
    }
    return printed;
  }

  async function start(...args: string[]) {
    const cwd = command.directory;
    const child = spawn(process.execPath, [cli, "sandbox", ...args], { cwd });
    const output = await outputOf(child);
    return { child, output, url: /running at (\S+)$/m.exec(output)?.[1] ?? assert.fail(output) };
  }

  function connectionOf(url: string, password: string) {
    const settings = { realm: "hosting", clientId: "pulumi", username: "reader", password };
    return { connection: { baseUrl: url, authUrl: url, ...settings } };
  }

  async function namesAt(url: string, password: string): Promise<string[]> {
    return (await getProjects({}, connectionOf(url, password))).projects.map(({ name }) => name);
  }

  it("serves the samples on a free port with a random password, until it is stopped", async () => {
    const { child, output, url } = await start();
    assert.match(output, /^A Project Service with 12 projects from the samples is running at /);
    const password = /config set --secret project-service:password (\w{32})$/m.exec(output)?.[1];
    const names = sampleProjects().map(({ name }) => name);
    assert.deepEqual((await namesAt(url, password ?? "")).sort(), names.sort());
    assert.match(output, new RegExp(`^  export PROJECT_SERVICE_BASE_URL=${url}$`, "m"));
    assert.match(output, new RegExp(`^  export PROJECT_SERVICE_PASSWORD=${password}$`, "m"));
    await stop(child);
    // It has a listener, without which it would go on as the first process of a container.
    assert.equal(child.exitCode, 143);
  });

  it("prints the same settings after a restart with the same port and password and another file", async () => {
    const args = ["--port", String(await freePort()), "--password", "it's $5"];
    const samples = join(repository, "sandbox/sampleProjects.json");
    const first = await start(...args, "--projects", samples);
    assert.match(first.output, /with 12 projects from \S+\/sampleProjects\.json is running/);
    await stop(first.child);
    await writeFile(join(command.directory, "own.json"), '\ufeff[{"_id":"p-1","name":"one"}]');
    const second = await start(...args, "--projects", "own.json");
    assert.match(second.output, /with 1 project from own\.json is running/);
    const settings = (output: string) => output.replace(/.*\n/, "");
    assert.equal(settings(second.output), settings(first.output));
    assert.deepEqual(await namesAt(second.url, "it's $5"), ["one"]);
    const quoted = "'it'\\''s $5'";
    assert.ok(second.output.includes(`--secret project-service:password ${quoted}\n`));
    assert.ok(second.output.includes(`  export PROJECT_SERVICE_PASSWORD=${quoted}\n`));
  });

  it("serves the file as it is at each request, or as it was before it was broken, and says so", async () => {
    const write = (text: string) => writeFile(join(command.directory, "own.json"), text);
    const project = (name: string) => `[{"_id":"p-1","name":"${name}"}]`;
    await write(project("one"));
    const { child, url } = await start("--password", "p", "--projects", "own.json");
    let said = "";
    child.stderr.on("data", (chunk) => (said += String(chunk)));
    assert.deepEqual(await namesAt(url, "p"), ["one"]);
    await write(project("second"));
    assert.deepEqual(await namesAt(url, "p"), ["second"]);
    await write("[\n{]");
    assert.deepEqual(await namesAt(url, "p"), ["second"]);
    await rm(join(command.directory, "own.json"));
    assert.deepEqual(await namesAt(url, "p"), ["second"]);
    await write(project("last"));
    assert.deepEqual(await namesAt(url, "p"), ["last"]);
    await stop(child);
    assert.match(said, /^.* line 2\..* still serves .*\n.*: ENOENT\. .* still serves .*\n$/);
  });

  it("invents the credentials that the file lacks, the same at each start, and no others", async () => {
    const database = { name: "orders" };
    const given = { name: "stock", username: "own_user", password: null };
    const projectEnvironments = [
      { environmentId: "live", projectEnvironmentDatabases: { databases: [database, given] } },
      { environmentId: "test", projectEnvironmentDatabases: { databases: [database, "odd"] } },
      { environmentId: "odd", projectEnvironmentDatabases: null },
      null,
    ];
    const shop = { _id: "p-1", name: "shop", codeRepository: {}, projectEnvironments };
    const file = join(command.directory, "own.json");
    const odd = { _id: "p-2", name: "odd", projectEnvironments: 1 };
    await writeFile(file, JSON.stringify([shop, odd]));
    const { projects } = new FileSandbox(file, {});
    assert.deepEqual(projects, new FileSandbox(file, {}).projects);
    assert.deepEqual(projects[0]?.codeRepository, { importRepository: null });
    const [live, test] = projects[0].projectEnvironments.map(
      (each) => each?.projectEnvironmentDatabases?.databases,
    );
    assert.deepEqual(live?.[1], given);
    assert.match(String(live?.[0]?.username), /^user_.{8}$/);
    assert.match(String(live?.[0]?.password), /^.{20}$/);
    assert.notEqual(live?.[0]?.password, test?.[0]?.password);
  });

  it("ends with the npx that started it, which passes no signal on", async () => {
    const npx = `
      const { spawn } = require("node:child_process");
      spawn(process.execPath, process.argv.slice(1), { stdio: "inherit" });`;
    const parent = spawn(process.execPath, ["-e", npx, cli, "sandbox"], {
      env: { ...process.env, npm_command: "exec" },
    });
    const url = /running at (\S+)$/m.exec(await outputOf(parent))?.[1] ?? assert.fail();
    const closed = once(parent.stdout, "close"); // the sandbox has it too
    parent.kill("SIGKILL");
    await closed;
    await assert.rejects(fetch(url));
  });

  it("rehearses an outage: reads that fail", async () => {
    const options = ["--fail", "shop=403", "--fail", "p-2=501"];
    const { url } = await start("--password", "p", ...options);
    const read = (projectId: string) => getProject({ projectId }, connectionOf(url, "p"));
    await assert.rejects(read("p-1"), { status: 403 });
    await assert.rejects(read("p-2"), { status: 501 });
    assert.equal((await read("p-3")).projectId, "p-3");
  });

  it("prints the lines for PowerShell too on Windows", async () => {
    const preload = join(command.directory, "windows.cjs");
    await writeFile(preload, 'Object.defineProperty(process, "platform", { value: "win32" });');
    const child = spawn(process.execPath, ["-r", preload, cli, "sandbox", "--password", "it's"]);
    const output = await outputOf(child);
    assert.ok(output.includes("\n  $env:PROJECT_SERVICE_PASSWORD = 'it''s'\n"), output);
  });

  it("says that another program listens on the port", async () => {
    const { port } = new URL((await start()).url);
    const { code, stderr } = await command.run(["sandbox", "--port", port]);
    assert.deepEqual([code, stderr.includes(`--port ${port} `)], [2, true]);
    assert.match(stderr, /another program listens/);
  });

  for (const [args, words, projects = ""] of [
    ["--port=x", /^--port x .* 65535/],
    ["--fail=shopp=403", /^--fail shopp=403 .* one project and a status/],
    ["--password=", /^--password is empty/],
    ["--projects=no.json", /--projects no\.json .*ENOENT/],
    ["--projects=own.json", /--projects own\.json .* line 2/, "[\n  {]"],
    ["--projects=own.json", /--projects own\.json .* projects\[0\]\.name/, '[{"_id": "p-1"}]'],
  ] as const) {
    it(`refuses ${args} ${projects} in one line`, async () => {
      await writeFile(join(command.directory, "own.json"), projects);
      const { code, stdout, stderr } = await command.run(["sandbox", args]);
      assert.deepEqual([code, stdout, stderr.split("\n").length], [2, "", 2]);
      assert.match(stderr, words);
    });
  }
});
