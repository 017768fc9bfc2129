import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs, { watch } from "node:fs";
import { lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { mock } from "node:test";
import { setTimeout } from "node:timers/promises";
import { cli, useCommandProcess } from "./commandProcess.js";

/** Lets a process write 4096 bytes into a file, like a disk that is almost full. */
const smallFiles = "ulimit -f 8; ";

describe("the files that pulumi-project-service writes", () => {
  const command = useCommandProcess();
  const read = (name: string) => readFile(command.pathOf(name), "utf8");
  const names = async () => (await readdir(command.directory)).sort();
  const write = (name: string, mode = 0o666) =>
    writeFile(command.pathOf(name), "earlier\n", { mode });

  it("replace an earlier file as a whole, and keep its mode", async () => {
    await write("a.json", 0o640);
    const before = await stat(command.pathOf("a.json"));
    const events: string[] = [];
    const watcher = watch(command.directory, { persistent: false }, (event, name) =>
      events.push(`${event} ${name}`),
    );
    await command.run(["audit", "--output", "a.json"]);
    const after = await stat(command.pathOf("a.json"));
    assert.notEqual(after.ino, before.ino);
    while (!events.includes("rename a.json")) await setTimeout(10);
    watcher.close();
    assert.ok(!events.includes("change a.json"), "no text is written in its place");
    assert.equal(events.filter((event) => event === "rename a.json").length, 1, "it is never away");
    assert.equal(after.mode & 0o777, 0o640);
    assert.match(await read("a.json"), /^\{[^]*\}\n$/);
    assert.deepEqual(await names(), ["a.json"]);
  });

  it("are private from the start if they replace a private file, and keep permissions that the umask lacks", async () => {
    const { renameSync } = fs;
    const modes: number[] = [];
    const rename = mock.method(fs, "renameSync", (from: string, to: string) => {
      modes.push(fs.statSync(from).mode & 0o777);
      renameSync(from, to);
    });
    const umask = process.umask(0o022);
    try {
      for (const mode of [0o600, 0o664]) {
        await write("a.json");
        fs.chmodSync(command.pathOf("a.json"), mode);
        await command.run(["audit", "--output", "a.json"]);
      }
      assert.equal(process.umask(), 0o022);
    } finally {
      process.umask(umask);
      rename.mock.restore();
    }
    assert.deepEqual(modes, [0o600, 0o664]);
  });

  it("name the way out if the file itself is mounted", async () => {
    const rename = mock.method(fs, "renameSync", () => {
      throw Object.assign(new Error("EBUSY"), { code: "EBUSY" });
    });
    const { code, stderr } = await command.run(["audit", "--output", "a.json"]);
    rename.mock.restore();
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^Writing a\.json failed: EBUSY\. If the file itself is mounted, mount its folder\.$/m,
    );
    assert.deepEqual(await names(), []);
  });

  it("replace the target of a link, and the link stays", async () => {
    await mkdir(command.pathOf("sub"));
    await write("sub/real.json");
    await symlink("sub/real.json", command.pathOf("link.json"));
    await command.run(["audit", "--output", "link.json"]);
    assert.match(await read("sub/real.json"), /^\{/);
    assert.ok((await lstat(command.pathOf("link.json"))).isSymbolicLink());
    assert.deepEqual(await names(), ["link.json", "sub"]);
  });

  it("stay as they were if writing fails, with nothing beside them", async () => {
    await write("a.json");
    const { code, stderr } = await command.runInShell("audit --output a.json", smallFiles);
    assert.equal(code, 2);
    assert.match(stderr, /^Writing a\.json failed: EFBIG\. Check the path in --output,/);
    assert.equal(await read("a.json"), "earlier\n");
    assert.deepEqual(await names(), ["a.json"]);
  });

  it("are regular files, and nothing else is opened or read", async () => {
    await mkdir(command.pathOf("dir.json"));
    await command.execute("mkfifo", [command.pathOf("pipe.json")]);
    const outputs = ["dir.json", "pipe.json", "/dev/full"];
    const accepted = ["/dev/stdout", "-", "pipe.json"];
    for (const args of [
      ...outputs.map((file) => ["--format", "json", "--output", file]),
      ...accepted.map((file) => ["--write-accepted", file, "--reason", "later"]),
    ]) {
      const { code, stderr } = await command.run(["audit", ...args]);
      assert.equal(code, 2, args.join(" "));
      assert.match(stderr, /^Writing \S+ failed: it is not a regular file\. Pass/);
    }
  });
});

describe("what pulumi-project-service prints to standard output", () => {
  const command = useCommandProcess();

  it("is a report with the path - or /dev/stdout", async () => {
    for (const file of ["-", "/dev/stdout"]) {
      const { stdout, stderr } = await command.run(["audit", "--format", "json", "--output", file]);
      assert.match(stdout, /^\{\n {2}"formatVersion": 1[^]*\}\n$/);
      assert.equal(stderr, "");
    }
    assert.deepEqual(await readdir(command.directory), []);
  });

  it("follows what is in a log", async () => {
    await writeFile(command.pathOf("log"), "earlier\n");
    await command.runInShell("audit --output /dev/stdout >>log");
    const log = await readFile(command.pathOf("log"), "utf8");
    assert.match(log, /^earlier\n\S+ \(p-\d+\) [^]*12 projects audited/);
  });

  it("changes no exit code if nobody reads it", async () => {
    const child = spawn(process.execPath, [cli, "audit"], {
      cwd: command.directory,
      env: { PATH: process.env["PATH"], ...command.sandbox.envVars },
    });
    child.stdout.destroy();
    const [stderr, exit] = await Promise.all([text(child.stderr), once(child, "exit")]);
    assert.deepEqual([stderr, exit], ["", [1, null]]);
    // This command prints line by line.
    const silent = await command.runInShell("check >&- 2>&-");
    assert.deepEqual(silent, { code: 0, stdout: "", stderr: "" });
  });

  it("ends with 2 if only a part is written, in one line", async () => {
    for (const [code, result] of [
      ["ENOSPC", await command.runInShell("audit > /dev/full")],
      ["EFBIG", await command.runInShell("audit --format html > part", smallFiles)],
    ] as const) {
      const stderr = `Writing to standard output failed: ${code}. The output is incomplete. Check the disk or the program that reads it.\n`;
      assert.deepEqual([result.code, result.stderr], [2, stderr]);
    }
    assert.equal((await stat(command.pathOf("part"))).size, 4096);
  });
});
