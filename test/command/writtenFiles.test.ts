import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { lstat, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { cli, useCommandProcess } from "./commandProcess.js";

describe("the files that pulumi-project-service writes", () => {
  const command = useCommandProcess();
  const path = (name: string) => join(command.directory, "work", name);
  const read = (name: string) => readFile(path(name), "utf8");
  const names = async () => (await readdir(path("."))).sort();

  beforeEach(() => mkdir(path(".")));
  afterEach(() => rm(path("."), { recursive: true }));

  /** Runs a script in the folder, and returns what it prints. */
  const withMounts = (context: Mocha.Context, script: string) =>
    command.runWithMounts(context, `cd work; ${script}`);

  /** Makes a small file system that is full but for the file `disk/earlier`. */
  const fullDisk = `mkdir disk; mount -t tmpfs -o size=16k tmpfs disk
    echo earlier >disk/earlier; head -c 99k /dev/zero >disk/rest 2>&- || true`;

  it("replace an earlier file as a whole, and keep its mode", async () => {
    await writeFile(path("a.json"), "earlier", { mode: 0o640 });
    const before = await stat(path("a.json"));
    const events: string[] = [];
    const watcher = watch(path("."), { persistent: false }, (event, name) =>
      events.push(`${event} ${name}`),
    );
    await command.run(["audit", "--output", path("a.json")]);
    const after = await stat(path("a.json"));
    assert.notEqual(after.ino, before.ino);
    while (!events.includes("rename a.json")) await setTimeout(10);
    watcher.close();
    assert.ok(!events.includes("change a.json"), "no text is written in its place");
    assert.equal(after.mode & 0o777, 0o640);
    assert.match(await read("a.json"), /^\{[^]*\}\n$/);
    assert.deepEqual(await names(), ["a.json"]);
  });

  it("replace the target of a link, and the link stays", async () => {
    await mkdir(path("sub"));
    await writeFile(path("sub/real.json"), "earlier");
    await symlink("sub/real.json", path("link.json"));
    await command.run(["audit", "--output", path("link.json")]);
    assert.match(await read("sub/real.json"), /^\{/);
    assert.ok((await lstat(path("link.json"))).isSymbolicLink());
    assert.deepEqual(await names(), ["link.json", "sub"]);
  });

  it("stay as they were on a full disk, with nothing beside them", async function () {
    const { stdout, stderr } = await withMounts(
      this,
      `${fullDisk}; cli audit --output json=disk/earlier || echo $?; cat disk/earlier; ls -A disk`,
    );
    assert.equal(stdout, "2\nearlier\nearlier\nrest\n");
    assert.match(stderr, /^Writing disk\/earlier failed: ENOSPC\. Check the path in --output,/);
  });

  it("stay as they were if they belong to somebody else in a sticky folder", async function () {
    if (process.getuid?.() !== 0) {
      console.error("    skipped: only root can give a file to somebody else");
      return this.skip();
    }
    const files = "mkdir s; chmod 1777 s; echo old >s/b.json; chmod 666 s/b.json";
    await command.execute("sh", ["-c", `cd work; ${files}; chown 65534 s s/b.json`]);
    const script = "cli audit --output s/b.json || echo $?; cat s/b.json; ls -A s";
    const { stdout, stderr } = await withMounts(this, script);
    assert.equal(stdout, "2\nold\nb.json\n", stderr);
    assert.match(stderr, /s\/b\.json failed: E(ACCES|PERM)\./);
  });

  it("are regular files, and nothing else is opened or read", async () => {
    await mkdir(path("dir.json"));
    await command.execute("mkfifo", [path("pipe.json")]);
    const outputs = ["work/dir.json", "work/pipe.json", "json=/dev/full", "json=/dev/stderr"];
    const accepted = ["/dev/stdout", "-", "work/pipe.json"];
    for (const args of [
      ...outputs.map((file) => ["--output", file]),
      ...accepted.map((file) => ["--write-accepted", file, "--reason", "later"]),
    ]) {
      const { code, stderr } = await command.run(["audit", ...args]);
      assert.equal(code, 2, args.join(" "));
      assert.match(stderr, /^Writing \S+ failed: it is not a regular file\. Pass/);
    }
  });

  it("are those of accepted findings too, and the report is printed beside them", async () => {
    const args = ["audit", "--write-accepted", path("a.json"), "--reason", "later"];
    const { code, stdout } = await command.run(args);
    assert.match(stdout, /12 projects audited: no findings, 22 accepted\.\n$/);
    assert.deepEqual([code, await names()], [0, ["a.json"]]);
  });

  it("leave the summary of a step on GitHub as it is, and follow it", async () => {
    await writeFile(path("summary"), "earlier");
    const output = ["audit", "--output", `markdown=${path("summary")}`];
    await command.run(output, { GITHUB_STEP_SUMMARY: path("summary") });
    assert.match(await read("summary"), /^earlier\n### Project Service audit\n/);
  });

  describe("that stand for standard output", () => {
    for (const file of ["-", "/dev/stdout"]) {
      it(`by the name ${file} are printed to a pipe, a socket and a log`, async () => {
        await writeFile(path("log"), "earlier\n");
        await command.runInShell(`audit --output ${file} >>log`, "cd work; ");
        assert.match(await read("log"), /^earlier\nPROJECT [^]*12 projects audited/);
        const pipe = await command.runInShell(`audit --output ${file} | cat`);
        assert.match(pipe.stdout, /^PROJECT [^]*12 projects audited/);
        // Node connects its child processes by sockets.
        const socket = await command.run(["audit", "--output", `json=${file}`]);
        assert.match(socket.stdout, /^\{\n {2}"formatVersion": 1[^]*\}\n$/);
        assert.match(socket.stderr, /The report is in standard output\.\n$/);
        assert.deepEqual(await names(), ["log"]);
      });
    }

    it("change no exit code if the reader closes the pipe", async () => {
      const child = spawn(process.execPath, [cli, "audit"], {
        cwd: command.directory,
        env: { PATH: process.env["PATH"], ...command.sandbox.environment },
      });
      child.stdout.destroy();
      const [stderr, exit] = await Promise.all([text(child.stderr), once(child, "exit")]);
      assert.deepEqual([stderr, exit], ["", [1, null]]);
    });

    it("end with 2 if they take only a part, in one line", async function () {
      const line =
        "Writing to standard output failed: ENOSPC. The output is incomplete. Check the disk or the program that reads it.\n";
      const device = await command.runInShell("audit > /dev/full");
      assert.deepEqual([device.code, device.stderr], [2, line]);
      const script = "cli audit --format html >>disk/earlier || echo $?";
      const disk = await withMounts(this, `${fullDisk}; ${script}`);
      assert.deepEqual([disk.stdout, disk.stderr], ["2\n", line]);
    });
  });
});
