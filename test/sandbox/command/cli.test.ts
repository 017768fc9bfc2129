import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sampleProjects } from "../../../sandbox/index.js";
import { freePort } from "../../../tools/freePort.js";
import { compiled } from "../../support/paths.js";

const cli = compiled("command/cli.ts");

describe("pulumi-project-service sandbox", () => {
  let folder: string;
  let file: string;
  const running: ChildProcess[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "sandbox-"));
    file = join(folder, "projects.json");
  });
  afterEach(async () => {
    for (const child of running.splice(0)) {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    }
    await rm(folder, { recursive: true });
  });

  /** Runs a command that ends by itself. */
  function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [cli, "sandbox", ...args],
        { cwd: folder },
        (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
      running.push(child);
    });
  }

  /** Starts the sandbox, and waits until it runs. */
  async function start(...args: string[]) {
    const child = spawn(process.execPath, [cli, "sandbox", ...args], { cwd: folder });
    running.push(child);
    let printed = "";
    child.stdout.on("data", (chunk) => (printed += String(chunk)));
    child.stderr.on("data", (chunk) => (printed += String(chunk)));

    /** Waits until the sandbox prints the text. Returns everything since the last wait. */
    async function prints(text: RegExp): Promise<string> {
      while (!text.test(printed)) {
        if (child.exitCode !== null) assert.fail(`The sandbox ended. It printed: ${printed}`);
        await Promise.race([
          once(child.stdout, "data"),
          once(child.stderr, "data"),
          once(child, "exit"),
        ]);
      }
      const result = printed;
      printed = "";
      return result;
    }
    const output = await prints(/Ctrl-C to stop it\.\n$/);
    const url = /running at (\S+)$/m.exec(output)?.[1] ?? assert.fail(output);
    return { child, output, url, prints };
  }

  async function stop(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    child.kill(signal);
    await once(child, "exit");
  }

  async function namesAt(url: string, password: string): Promise<string[]> {
    const signIn = await fetch(`${url}/auth/realms/hosting/protocol/openid-connect/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "password",
        client_id: "pulumi",
        username: "reader",
        password,
      }),
    });
    const { access_token } = (await signIn.json()) as { access_token: string };
    const response = await fetch(`${url}/api/project/v5/projects`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    const list = (await response.json()) as {
      _embedded: { projectResources: { name: string }[] };
    };
    return list._embedded.projectResources.map(({ name }) => name);
  }

  const sampleNames = sampleProjects().map(({ name }) => name);

  it("prints its options", async () => {
    const { stdout } = await run("--help");
    for (const option of ["--port", "--password", "--projects", "--write-projects", "--help"]) {
      assert.ok(stdout.includes(`  ${option} `), option);
    }
  });

  it("serves the sample projects on a free port with a random password", async () => {
    const { output, url } = await start();
    assert.match(output, /^A Project Service with 12 projects from the samples is running at /);
    const password = /config set --secret project-service:password (\w{32})$/m.exec(output)?.[1];
    assert.deepEqual(await namesAt(url, password ?? ""), sampleNames);
    assert.match(output, new RegExp(`^  export PROJECT_SERVICE_BASE_URL=${url}$`, "m"));
    assert.match(output, new RegExp(`^  export PROJECT_SERVICE_PASSWORD=${password}$`, "m"));
  });

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    it(`runs until ${signal} ends it`, async () => {
      const { child, url } = await start("--password", "pw");
      assert.deepEqual(await namesAt(url, "pw"), sampleNames);
      await stop(child, signal);
      assert.deepEqual([child.exitCode, child.signalCode], [null, signal]);
    });
  }

  it("prints the same settings after a restart with the same port and password", async () => {
    const args = ["--port", String(await freePort()), "--password", "it's $5"];
    const first = await start(...args);
    await stop(first.child);
    const second = await start(...args);
    assert.equal(second.output, first.output);
    assert.deepEqual(await namesAt(second.url, "it's $5"), sampleNames);
  });

  for (const [password, printed, assigned = printed] of [
    ["it's $5", "'it'\\''s $5'"],
    ["-x", "-- -x", "-x"],
    ["a-b_c.d", "a-b_c.d"],
  ] as const) {
    it(`quotes the password ${password} for the shell`, async () => {
      const { output } = await start(`--password=${password}`);
      const [command] = /pulumi config set --secret .*/.exec(output) ?? assert.fail(output);
      assert.equal(command, `pulumi config set --secret project-service:password ${printed}`);
      assert.ok(output.includes(`  export PROJECT_SERVICE_PASSWORD=${assigned}\n`), output);
    });
  }

  for (const [args, message] of [
    [["--port", "x"], "--port must be an integer from 0 to 65535."],
    [["--port", "65536"], "--port must be an integer from 0 to 65535."],
    [["--port", ""], "--port must be an integer from 0 to 65535."],
    [["--password", ""], "--password must not be empty."],
    [["--projects", ""], "--projects must not be empty."],
    [["--write-projects", ""], "--write-projects must not be empty."],
    [["--port"], "Option '--port <value>' argument missing."],
    [["--prot", "1"], "Unknown option '--prot'."],
    [
      ["projects.json"],
      "Unexpected argument 'projects.json'. This command does not take positional arguments.",
    ],
    [
      ["--write-projects", "a.json", "--port", "0"],
      "--write-projects does not start the sandbox. Pass it without --port, --password and --projects.",
    ],
  ] as const) {
    it(`rejects ${args.join(" ")}, and prints its options`, async () => {
      const { code, stdout, stderr } = await run(...args);
      assert.deepEqual([code, stdout], [2, ""]);
      assert.ok(stderr.startsWith(`${message}\n\nUsage: pulumi-project-service sandbox`), stderr);
    });
  }

  it("ends with the npx that started it, which passes no signal on", async () => {
    const npx = `
      const { spawn } = require("node:child_process");
      console.log(spawn(process.execPath, process.argv.slice(1), { stdio: "inherit" }).pid);`;
    const parent = spawn(process.execPath, ["-e", npx, cli, "sandbox"], {
      env: { ...process.env, npm_command: "exec" },
    });
    let printed = "";
    parent.stdout.on("data", (chunk) => (printed += String(chunk)));
    const closed = once(parent.stdout, "close");
    while (!/Ctrl-C/.test(printed)) await once(parent.stdout, "data");
    const pid = Number(/^\d+$/m.exec(printed)?.[0]);
    parent.kill("SIGKILL");
    try {
      // The sandbox closes the pipe when it ends.
      await Promise.race([closed, sleep(20_000).then(() => assert.fail("It still runs."))]);
    } finally {
      killIfRunning(pid);
    }
  });

  it("says how to pass a password that starts with a dash", async () => {
    const { code, stderr } = await run("--password", "-x");
    assert.equal(code, 2);
    assert.match(stderr, /--password.* ambiguous\.\n[^]*--password=-XYZ'\.\n\nUsage: /);
  });

  it("says that another program listens on the port", async () => {
    const { url } = await start();
    const { port } = new URL(url);
    const { code, stderr } = await run("--port", port);
    assert.equal(code, 2);
    assert.equal(
      stderr,
      `Another program listens on port ${port}. Stop it, or pass another --port.\n`,
    );
  });

  it("writes the sample projects to a file that it can serve", async () => {
    const { code, stdout } = await run("--write-projects", "projects.json");
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^The sample projects are in projects\.json\. .*--projects projects\.json\.\n$/,
    );
    assert.deepEqual(JSON.parse(await readFile(file, "utf8")), sampleProjects());
    const { output, url } = await start("--projects", "projects.json", "--password", "pw");
    assert.match(output, /with 12 projects from projects\.json is running/);
    assert.deepEqual(await namesAt(url, "pw"), sampleNames);
  });

  it("does not overwrite a file with the sample projects", async () => {
    await writeFile(file, "mine");
    const { code, stdout, stderr } = await run("--write-projects", "projects.json");
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(
      stderr,
      /^Writing projects\.json failed: the file already exists .*Delete it, or pass another file as --write-projects\.\n$/,
    );
    assert.equal(await readFile(file, "utf8"), "mine");
  });

  it("says that the sample projects cannot be written", async () => {
    const { code, stderr } = await run("--write-projects", "missing/projects.json");
    assert.equal(code, 2);
    assert.match(stderr, /^Writing missing\/projects\.json failed: ENOENT\. Check the path/);
  });

  for (const [problem, content, message] of [
    ["is not valid JSON", "[\n  {]", "property name expected at line 2, column 4"],
    ["is no list of projects", '[{"_id": "p-1"}]', "[0].name is missing"],
  ] as const) {
    it(`ends with exit code 2 if the projects file ${problem}`, async () => {
      await writeFile(file, content);
      const { code, stdout, stderr } = await run("--projects", "projects.json");
      assert.deepEqual([code, stdout], [2, ""]);
      assert.equal(stderr, `Reading projects.json failed: ${message}.\n`);
    });
  }

  it("ends with exit code 2 if there is no projects file, and says how to create it", async () => {
    const { code, stderr } = await run("--projects", "projects.json");
    assert.equal(code, 2);
    assert.match(stderr, /the file does not exist\. .*--write-projects projects\.json\.\n$/);
  });

  it("ends with exit code 2 if the projects file cannot be read", async () => {
    const { code, stderr } = await run("--projects", ".");
    assert.equal(code, 2);
    assert.equal(stderr, "Reading . failed: EISDIR. Check the path in --projects.\n");
  });

  describe("with a projects file", () => {
    let sandbox: Awaited<ReturnType<typeof start>>;
    beforeEach(async () => {
      await writeFile(file, projectsNamed("one", "two"));
      sandbox = await start("--projects", "projects.json", "--password", "pw");
    });

    function projectsNamed(...names: string[]): string {
      return JSON.stringify(names.map((name) => ({ _id: `id-of-${name}`, name })));
    }

    it("serves the changed projects, and prints one line with the time", async () => {
      assert.deepEqual(await namesAt(sandbox.url, "pw"), ["one", "two"]);
      await writeFile(file, projectsNamed("one", "two", "three"));
      const line = await sandbox.prints(/\n$/);
      assert.match(line, /^\d\d:\d\d:\d\d Serving 3 projects from projects\.json\.\n$/);
      assert.deepEqual(await namesAt(sandbox.url, "pw"), ["one", "two", "three"]);
    });

    it("notices a file that an editor replaces by a rename, again and again", async () => {
      for (const name of ["three", "four", "five"]) {
        const temporary = join(folder, "projects.json.tmp");
        await writeFile(temporary, projectsNamed(name));
        await rename(temporary, file);
        await sandbox.prints(/ Serving 1 project /);
        assert.deepEqual(await namesAt(sandbox.url, "pw"), [name]);
      }
    });

    it("reads a file that starts with a byte order mark", async () => {
      await writeFile(file, `\ufeff${projectsNamed("three")}`);
      await sandbox.prints(/ Serving 1 project /);
    });

    for (const [problem, content, message] of [
      ["is not valid JSON", "[{]", "property name expected at line 1, column 3"],
      ["is no list of projects", "{}", "the JSON must be a list"],
    ] as const) {
      it(`keeps the last good projects while the file ${problem}`, async () => {
        await writeFile(file, content);
        const line = await sandbox.prints(/\n$/);
        assert.equal(
          line.replace(/^\d\d:\d\d:\d\d /, ""),
          `Reading projects.json failed: ${message}. The sandbox still serves the 2 projects from before.\n`,
        );
        assert.deepEqual(await namesAt(sandbox.url, "pw"), ["one", "two"]);
        await writeFile(file, projectsNamed("three"));
        assert.match(await sandbox.prints(/\n$/), / Serving 1 project from projects\.json\.\n$/);
        assert.deepEqual(await namesAt(sandbox.url, "pw"), ["three"]);
      });
    }

    it("keeps the last good projects while the file is missing", async () => {
      await rm(file);
      await sandbox.prints(/the file does not exist\. .*still serves the 2 projects from before/);
      assert.deepEqual(await namesAt(sandbox.url, "pw"), ["one", "two"]);
      await writeFile(file, projectsNamed("one", "two"));
      await sandbox.prints(/ Serving 2 projects/);
    });
  });
});

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
