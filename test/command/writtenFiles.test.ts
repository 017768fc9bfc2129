import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sampleProjects } from "../../sandbox/index.js";
import { cli, useCommandProcess } from "./commandProcess.js";

describe("the files that project-service writes", () => {
  const command = useCommandProcess();
  const folder = () => join(command.directory, "work");
  const read = (name: string) => readFile(join(folder(), name), "utf8");
  const accept = "--write-accepted accepted.json --reason later";

  beforeEach(() => mkdir(folder()));
  afterEach(() => rm(folder(), { recursive: true }));

  /** Runs a script in the folder, and returns what it prints. Its last line should show the files. */
  const withMounts = (context: Mocha.Context, script: string) =>
    command.runWithMounts(context, `cd work; ${script}`);

  /** Makes a small file system that is full but for the given files. */
  const fullDisk = "mkdir disk; mount -t tmpfs -o size=16k tmpfs disk";
  const fill = "head -c 99k /dev/zero >disk/rest 2>&- || true";

  describe("are all written or none", () => {
    for (const [problem, script, expected, code] of [
      [
        "one is mounted read-only",
        `echo old >a.md; echo old >b.json; mount --bind b.json b.json; mount -o remount,ro,bind b.json
         cli audit --output a.md --output b.json || echo $?; cat a.md b.json; ls -A`,
        "2\nold\nold\na.md\nb.json\n",
        "EROFS",
      ],
      [
        "the accepted findings are mounted read-only",
        `echo '{"version":1,"accepted":[]}' >accepted.json
         mount --bind accepted.json accepted.json; mount -o remount,ro,bind accepted.json
         cli audit ${accept} --output new.md || echo $?; ls -A`,
        "2\naccepted.json\n",
        "EROFS",
      ],
      [
        "the first is written in place, and the second is a directory",
        `mkdir ro dir.json; echo old >a.md; touch ro/a.md
         mount --bind ro ro; mount --bind a.md ro/a.md; mount -o remount,ro,bind ro
         cli audit --output ro/a.md --output dir.json || echo $?; cat a.md`,
        "2\nold\n",
        "EISDIR",
      ],
      [
        "the first is written in place, and the second is a full device",
        `mkdir ro; echo old >a.md; touch ro/a.md
         mount --bind ro ro; mount --bind a.md ro/a.md; mount -o remount,ro,bind ro
         cli audit --output ro/a.md --output table=/dev/full || echo $?; cat a.md`,
        "2\nold\n",
        "ENOSPC",
      ],
      [
        "the first goes to standard output, and the second is a directory",
        "mkdir dir.md; cli audit --output table=/dev/stdout --output dir.md | cat",
        "",
        "EISDIR",
      ],
      [
        "the first is new, and the second is a full device",
        "cli audit --output new.md --output table=/dev/full || echo $?; ls -A",
        "2\n",
        "ENOSPC",
      ],
    ] as const) {
      it(`if ${problem}`, async function () {
        const { stdout, stderr } = await withMounts(this, script);
        assert.equal(stdout, expected, stderr);
        assert.match(stderr, new RegExp(`^Writing the [a-z ]+ to [^ ]+ failed: ${code}\\. Check`));
      });
    }

    it("if one belongs to somebody else in a sticky folder", async function () {
      if (process.getuid?.() !== 0) {
        console.error("    skipped: only root can give a file to somebody else");
        return this.skip();
      }
      await command.execute("sh", [
        "-c",
        "cd work; mkdir s; chmod 1777 s; echo old >a.md; echo old >s/b.json; chown 65534 s s/b.json",
      ]);
      const script =
        "cli audit --output a.md --output s/b.json || echo $?; cat a.md s/b.json; ls -A s";
      const { stdout, stderr } = await withMounts(this, script);
      assert.equal(stdout, "2\nold\nold\nb.json\n", stderr);
      assert.match(stderr, /s\/b\.json failed: E(ACCES|PERM)\./);
    });

    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const) {
      it(`if ${signal} comes when one is written`, async () => {
        await runWithSignal(signal, "a.json", "b.json");
        for (const file of ["a.json", "b.json"]) assert.match(await read(file), /^\{\n[^]*\}\n$/);
        assert.deepEqual(await readdir(folder()), ["a.json", "b.json"]);
      });
    }
  });

  /** Runs the audit, and sends a signal to it when it replaces the first of its files. */
  async function runWithSignal(signal: NodeJS.Signals, ...outputs: string[]): Promise<void> {
    const hook = join(command.directory, "signal.cjs");
    await writeFile(
      hook,
      `const fs = require("node:fs");
       const rename = fs.renameSync;
       fs.renameSync = (from, to) => {
         fs.renameSync = rename;
         rename(from, to);
         process.kill(process.pid, "${signal}");
       };
       const { rename: renameLater } = fs.promises;
       fs.promises.rename = async (from, to) => {
         await renameLater(from, to);
         process.kill(process.pid, "${signal}");
         await new Promise((resolve) => setTimeout(resolve, 500));
       };`,
    );
    const args = outputs.flatMap((file) => ["--output", join(folder(), file)]);
    await command.run(["audit", ...args], { NODE_OPTIONS: `--require ${hook}` });
  }

  it("are complete if a signal comes when one is written in place", async function () {
    // Nothing forbids a new file here, so the folder pretends to.
    const hook = join(command.directory, "in-place.cjs");
    await writeFile(
      hook,
      `const fs = require("node:fs");
       const { openSync, writeSync } = fs;
       fs.openSync = (file, flags, ...rest) => {
         if (flags === "wx") throw Object.assign(new Error(), { code: "EACCES" });
         return openSync(file, flags, ...rest);
       };
       fs.writeSync = (descriptor, bytes, from, length, ...rest) => {
         process.kill(process.pid, "SIGTERM");
         return writeSync(descriptor, bytes, from, Math.min(length, 1000), ...rest);
       };`,
    );
    await writeFile(join(folder(), "a.json"), "old");
    await command.run(["audit", "--output", join(folder(), "a.json")], {
      NODE_OPTIONS: `--require ${hook}`,
    });
    assert.match(await read("a.json"), /^\{\n[^]*\}\n$/);
  });

  it("leave no lock behind if a signal comes when it is taken", async () => {
    const hook = join(command.directory, "lock.cjs");
    await writeFile(
      hook,
      `const fs = require("node:fs");
       for (const name of ["openSync", "writeFileSync"]) {
         const real = fs[name];
         fs[name] = (file, ...args) => {
           const result = real(file, ...args);
           if (/\\.lock$/.test(file)) process.kill(process.pid, "SIGTERM");
           return result;
         };
       }`,
    );
    await command.execute(
      "sh",
      ["-c", `cd work; "${process.execPath}" --require "${hook}" "${cli}" audit ${accept}`],
      { TMPDIR: folder() },
    );
    assert.deepEqual(await readdir(folder()), ["accepted.json"]);
  });

  it("are named if the file system cannot give them back what they were", async () => {
    const hook = join(command.directory, "link.cjs");
    await writeFile(
      hook,
      `require("node:fs").linkSync = () => {
         throw Object.assign(new Error(), { code: "ENOTSUP" });
       };`,
    );
    await writeFile(join(folder(), "a.json"), "old");
    const { code, stderr } = await command.run(
      ["audit", "--output", "work/a.json", "--output", "table=/dev/full"],
      { NODE_OPTIONS: `--require ${hook}` },
    );
    assert.equal(code, 2);
    assert.match(
      stderr,
      /failed: ENOSPC\..* Some files did not get back their earlier content: work\/a\.json\.\n$/,
    );
    assert.match(await read("a.json"), /^\{/);
  });

  it("leave nothing behind if a module of rules ends the process at any time", async () => {
    for (const end of ["process.exit(3)", 'throw new Error("late")']) {
      await writeFile(
        join(folder(), "rules.mjs"),
        `import { readdirSync } from "node:fs";
         const isBusy = (folder) => readdirSync(folder).some((name) => /\\.(lock|tmp)$/.test(name));
         const look = () => {
           if (isBusy(".") || isBusy(${JSON.stringify(folder())})) { ${end}; }
           setImmediate(look);
         };
         look();
         export default ({ houseRules }) => houseRules();`,
      );
      const args = "audit --rules rules.mjs --output b.json " + accept;
      await command.execute("sh", ["-c", `cd work; "${process.execPath}" "${cli}" ${args}`], {
        TMPDIR: folder(),
      });
      assert.deepEqual(
        (await readdir(folder())).sort(),
        ["accepted.json", "b.json", "rules.mjs"],
        end,
      );
    }
  });

  it("keep the earlier report on a full disk, even if the file is a mount point", async function () {
    const time = "2026-03-02T09:30:00.000Z";
    const { stdout, stderr } = await withMounts(
      this,
      `${fullDisk}; printf earlier >disk/report; touch -d ${time} disk/report; touch mounted.json
       mount --bind disk/report mounted.json; ${fill}
       cli audit --output mounted.json || echo "$? $(cat mounted.json)"`,
    );
    assert.equal(stdout, "2 earlier\n", stderr);
    assert.match(stderr, /Writing the report to mounted\.json failed: ENOSPC/);
    assert.match(stderr, /mounted\.json still contains.*written at 2026-03-02T09:30:00\.000Z\.\n$/);
  });

  it("are not cut on a full disk behind a link to a file that does not exist yet", async function () {
    const { stdout, stderr } = await withMounts(
      this,
      `${fullDisk}; ln -s disk/inner.json link.json; ln -s ../disk/new.json disk/inner.json; ${fill}
       cli audit --output link.json || echo $?; ls -A disk`,
    );
    assert.equal(stdout, "2\ninner.json\nrest\n", stderr);
    assert.match(stderr, /to link\.json failed: ENOSPC/);
  });

  it("replace the target of several links, and the links stay", async () => {
    await mkdir(join(folder(), "sub"));
    await symlink("sub", join(folder(), "dir"));
    await symlink("dir/two.json", join(folder(), "one.json"));
    await symlink("../new.json", join(folder(), "sub/two.json"));
    await command.run(["audit", "--output", join(folder(), "one.json")]);
    assert.match(await read("new.json"), /^\{/);
    assert.deepEqual((await readdir(folder())).sort(), ["dir", "new.json", "one.json", "sub"]);
  });

  it("get all accepted findings of several audits, also in a folder that allows no new file", async function () {
    const audits = sampleProjects().map(
      ({ name }) => `cli audit ${accept} --filter name=${name} >&2 &`,
    );
    const { stderr } = await withMounts(
      this,
      `mkdir ro; echo '{"version":1,"accepted":[]}' >accepted.json; touch ro/accepted.json
       mount --bind ro ro; mount --bind accepted.json ro/accepted.json; mount -o remount,ro,bind ro
       cd ro; ${audits.join("\n")}
       wait`,
    );
    const { accepted } = JSON.parse(await read("accepted.json")) as { accepted: unknown[] };
    assert.equal(accepted.length, 22, stderr);
  });

  it("may have the name of the accepted findings with the ending .lock", async () => {
    await command.runInShell(`audit ${accept} --output json=accepted.json.lock`, "cd work; ");
    assert.match(await read("accepted.json.lock"), /^\{/);
    assert.deepEqual(await readdir(folder()), ["accepted.json", "accepted.json.lock"]);
  });

  it("are refused if two of them become one file in a folder with two names", async function () {
    const { stdout, stderr } = await withMounts(
      this,
      `mkdir m; mount --bind . m; cli audit ${accept} --output json=m/accepted.json || echo $?; ls -A`,
    );
    assert.equal(stdout, "2\nm\n", stderr);
    assert.match(
      stderr,
      /^Several options name the same file: accepted\.json, m\/accepted\.json\./,
    );
  });

  describe("that are standard output", () => {
    for (const output of ["/proc/thread-self/fd/1", "fds/1", "log.txt", "/proc/self/fd/1"]) {
      it(`are appended to, by the name ${output}`, async () => {
        await symlink("/dev/fd", join(folder(), "fds"));
        await writeFile(join(folder(), "log.txt"), "earlier\n");
        await command.runInShell(`audit --output table=${output} >>log.txt`, "cd work; ");
        assert.match(await read("log.txt"), /^earlier\nPROJECT [^]*12 projects audited/);
      });
    }

    it("are not mistaken for the open files of another process", async () => {
      const [own, other] = ["own.log", "other.log"].map((name) => join(folder(), name));
      const descriptor = openSync(other ?? "", "a");
      const child = spawn("cat", { stdio: ["pipe", "ignore", "ignore", descriptor] });
      closeSync(descriptor);
      const output = `json=/proc/${child.pid}/fd/3`;
      await command.runInShell(`audit --output ${output} 3>>"${own}"`);
      child.stdin?.end();
      await once(child, "exit");
      assert.equal(await read("own.log"), "");
      assert.match(await read("other.log"), /^\{/);
    });

    it("become no longer if the disk is full", async function () {
      const { stdout, stderr } = await withMounts(
        this,
        `${fullDisk}; echo earlier >disk/log; ${fill}
         cli audit --format html >>disk/log || echo $?; cat disk/log
         cli audit --output html=/dev/stdout >>disk/log || echo $?; cat disk/log
         cli audit --format html >disk/log 2>&1 || echo $?; tr -d '\\0' <disk/log | cmp - disk/log`,
      );
      assert.equal(stdout, "2\nearlier\n2\nearlier\n2\n", stderr);
    });

    for (const args of ["--version", "--help", "audit --help", "check --help", "env --help"]) {
      it(`fail with ${args} on a full disk`, async function () {
        const { stdout, stderr } = await withMounts(
          this,
          `${fullDisk}; head -c 4094 /dev/zero >disk/out; ${fill}
           cli ${args} >>disk/out || echo $?; wc -c <disk/out`,
        );
        assert.equal(stdout, "2\n4094\n", stderr);
        assert.match(stderr, /^Writing to standard output failed: ENOSPC\./);
      });
    }
  });

  it("need a temporary folder for the lock", async () => {
    const { code, stderr } = await command.run(["audit", ...accept.split(" ")], {
      TMPDIR: join(tmpdir(), "does-not-exist"),
    });
    assert.equal(code, 2);
    assert.match(stderr, /^Creating the lock .*\.lock failed: ENOENT\. Set TMPDIR to a folder/);
  });
});
