import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FileSandbox } from "../../command/sandbox/fileSandbox.js";
import { sampleProjects } from "../../sandbox/index.js";
import { checkSandboxProjects } from "../../sandbox/projects.js";
import { getProjects } from "../../sdk/index.js";
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

  async function namesAt(url: string, password: string): Promise<string[]> {
    const settings = { realm: "hosting", clientId: "pulumi", username: "reader", password };
    const connection = { baseUrl: url, authUrl: url, ...settings };
    return (await getProjects({}, { connection })).projects.map(({ name }) => name);
  }

  const sampleNames = sampleProjects()
    .sort((a, b) => Number(a._id.slice(2)) - Number(b._id.slice(2)))
    .map(({ name }) => name);

  it("serves the samples on a free port with a random password, until it is stopped", async () => {
    const { child, output, url } = await start();
    assert.match(output, /^A Project Service with 12 projects from the samples is running at /);
    const password = /config set --secret project-service:password (\w{32})$/m.exec(output)?.[1];
    assert.deepEqual((await namesAt(url, password ?? "")).sort(), [...sampleNames].sort());
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
    const served = "The sandbox still serves the previous projects.";
    assert.equal(
      said,
      `Reading --projects own.json failed: the file is not valid JSON at line 2. ${served}
Reading --projects own.json failed: ENOENT. Check the path. ${served}
`,
    );
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
    const options = ["--fail", "shop=403", "--fail", "p-2=500"];
    const { url } = await start("--password", "p", ...options);
    const settings = { realm: "hosting", clientId: "pulumi", username: "reader", password: "p" };
    const form = new URLSearchParams({ grant_type: "password", client_id: "pulumi", ...settings });
    const signIn = await fetch(`${url}/auth/realms/hosting/protocol/openid-connect/token`, {
      ...{ method: "POST", body: form },
    });
    const { access_token: token } = (await signIn.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${token}` };
    const statusOf = async (id: string) =>
      (await fetch(`${url}/api/project/v5/projects/${id}`, { headers })).status;
    assert.deepEqual(
      [await statusOf("p-1"), await statusOf("p-2"), await statusOf("p-3")],
      [403, 500, 200],
    );
  });

  it("prints the lines for PowerShell too on Windows", async () => {
    const preload = join(command.directory, "windows.cjs");
    await writeFile(preload, 'Object.defineProperty(process, "platform", { value: "win32" });');
    const child = spawn(process.execPath, ["-r", preload, cli, "sandbox", "--password", "it's"]);
    const output = await outputOf(child);
    assert.ok(output.includes("\n  $env:PROJECT_SERVICE_PASSWORD = 'it''s'\n"), output);
  });

  it("reads each of many projects a few times, not once for each other one", () => {
    let reads = 0;
    const projects = Array.from({ length: 2_000 }, (_, index) => ({
      get _id() {
        reads++;
        return `p-${index}`;
      },
      name: "x",
    }));
    checkSandboxProjects(projects);
    assert.ok(reads < 10 * projects.length, `${reads} reads`);
    const twice = [...projects, { _id: "p-7", name: "x" }];
    assert.throws(
      () => checkSandboxProjects(twice),
      /projects\[2000\]\._id must differ from projects\[7\]/,
    );
  });

  it("says that another program listens on the port", async () => {
    const { port } = new URL((await start()).url);
    const { code, stderr } = await command.run(["sandbox", "--port", port]);
    const message = `--port ${port} cannot be used: another program listens on it.\n`;
    assert.deepEqual([code, stderr], [2, message]);
  });

  for (const [args, message, projects = ""] of [
    ["--port=x", "--port x must be an integer from 0 to 65535."],
    [
      "--fail=shopp=403",
      "--fail shopp=403 must be the name or id of one project and a status, such as shop=403.",
    ],
    ["--password=", "--password is empty. Pass a value, or leave it out."],
    ["--projects=no.json", "Reading --projects no.json failed: ENOENT. Check the path."],
    [
      "--projects=own.json",
      "Reading --projects own.json failed: the file is not valid JSON at line 2.",
      "[\n  {]",
    ],
    [
      "--projects=own.json",
      "Reading --projects own.json failed: projects[0].name must be a string that is not empty.",
      '[{"_id": "p-1"}]',
    ],
  ] as const) {
    it(`refuses ${args} ${projects} in one line`, async () => {
      await writeFile(join(command.directory, "own.json"), projects);
      const result = await command.run(["sandbox", args]);
      assert.deepEqual(result, { code: 2, stdout: "", stderr: `${message}\n` });
    });
  }
});
