import assert from "node:assert/strict";
import { lstat, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { useCommandProcess } from "./commandProcess.js";

describe("the output of project-service audit", () => {
  const command = useCommandProcess();

  it("writes the report to a file, and names the file", async () => {
    const file = join(command.directory, "report.html");
    const { code, stdout, stderr } = await command.run([
      "audit",
      "--format",
      "html",
      "--output",
      file,
    ]);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /22 violated\. The report is in .*report\.html\.\n$/);
    assert.match(await readFile(file, "utf8"), /^<!doctype html>/);
  });

  it("writes several reports from one reading, in the formats that prefixes and endings name", async () => {
    const files = {
      "a.html": /^<!doctype html>/,
      "a.json": /"formatVersion": 1/,
      "a.md": /^### Project Service audit/,
      "a.sarif": /sarif-2\.1\.0/,
      "a.junit.xml": /<testsuites /,
      "junit.xml": /<testsuites /,
      "a.codequality.json": /"check_name"/,
      "a.txt": /^PROJECT /,
      "other.xml": /<testsuites /,
    };
    const path = (name: string) => join(command.directory, name);
    const outputs = Object.keys(files).flatMap((name) => [
      "--output",
      name === "other.xml" ? `junit=${path(name)}` : path(name),
    ]);
    const { code, stdout, stderr } = await command.run(["audit", ...outputs]);
    assert.deepEqual([code, stdout], [1, ""], stderr);
    for (const [name, start] of Object.entries(files)) {
      assert.match(await readFile(path(name), "utf8"), start, name);
      assert.ok(stderr.includes(path(name)), name);
    }
    assert.equal(command.sandbox.counters.projectReads, 12);
  });

  it("writes none of several reports if one of them cannot be written, and names it", async () => {
    const [first, second] = ["first.json", "none/second.json"].map((name) =>
      join(command.directory, name),
    );
    const args = ["audit", "--output", first ?? "", "--output", second ?? ""];
    const { code, stderr } = await command.run(args);
    assert.equal(code, 2);
    assert.match(stderr, /^Writing the report to .*second\.json failed: ENOENT/);
    const names = await readdir(command.directory);
    assert.deepEqual(
      names.filter((name) => name.startsWith("first.json")),
      [],
    );
  });

  for (const [problem, outputs, expected] of [
    [
      "an ending names no format",
      ["a.html", "a.pdf"],
      /a\.pdf in --output does not show the format/,
    ],
    [
      "the ending of a single output names no format",
      ["report.xml"],
      /report\.xml in --output does not show the format.*\.junit\.xml/,
    ],
    [
      "a prefix is no format",
      ["pdf=a.pdf"],
      /the format pdf, which does not exist.*\.\/pdf=a\.pdf/,
    ],
    ["a prefix has no file", ["html="], /names no file/],
    [
      "two reports go to one file",
      ["a.json", "html=./a.json"],
      /Several options name the file .*a\.json/,
    ],
  ] as const) {
    it(`is refused if ${problem}`, async () => {
      const options = outputs.flatMap((output) => ["--output", output]);
      const { code, stderr } = await command.run(["audit", ...options]);
      assert.equal(code, 2);
      assert.match(stderr, expected);
      assert.equal(command.sandbox.counters.connections, 0);
    });
  }

  it("replaces an earlier report atomically, keeps its mode, and replaces the target of a link", async () => {
    const [file, link] = [
      join(command.directory, "earlier.html"),
      join(command.directory, "link.html"),
    ];
    await writeFile(file, "earlier", { mode: 0o640 });
    await symlink(file, link);
    const before = await stat(file);
    assert.equal((await command.run(["audit", "--format", "html", "--output", link])).code, 1);
    assert.ok((await lstat(link)).isSymbolicLink());
    const after = await stat(file);
    assert.notEqual(after.ino, before.ino);
    assert.equal(after.mode & 0o777, 0o640);
    assert.match(await readFile(file, "utf8"), /<\/html>\n$/);
    assert.deepEqual(
      (await readdir(command.directory)).filter((name) => name.endsWith(".tmp")),
      [],
    );
  });

  it("writes into a pipe and a device, and through a link to a file that does not exist yet", async () => {
    assert.match(
      (await command.runInShell("audit --output /dev/stdout | cat")).stdout,
      /12 projects audited/,
    );
    const link = join(command.directory, "dangling");
    await symlink(join(command.directory, "target"), link);
    assert.equal((await command.run(["audit", "--output", `table=${link}`])).code, 1);
    assert.match(await readFile(join(command.directory, "target"), "utf8"), /12 projects audited/);
    const { code, stderr } = await command.run(["audit", "--output", "/dev/full"]);
    assert.deepEqual(
      [code, stderr],
      [
        2,
        "Writing the report to /dev/full failed: ENOSPC. Check the path in --output, its permissions and the free space.\n",
      ],
    );
  });

  it("leaves an earlier report unchanged if it fails, and says that the report is an earlier one", async () => {
    const file = join(command.directory, "kept.html");
    await writeFile(file, "earlier");
    command.sandbox.forbiddenProjectIds.add("p-3");
    const { code, stderr } = await command.run(["audit", "--output", file]);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /kept\.html still contains the report of an earlier audit, written at 20\d\d-.*Z\.\n$/,
    );
    assert.equal(await readFile(file, "utf8"), "earlier");
  });

  it("exits with 2 if a file takes only a part of the report", async () => {
    const { code, stderr } = await command.runInShell(
      "audit --format html > part.html",
      "ulimit -f 4; ",
    );
    assert.deepEqual(
      [code, stderr],
      [
        2,
        "Writing to standard output failed: EFBIG. The output is incomplete. Check the disk or the program that reads it.\n",
      ],
    );
  });

  it("exits with 2 on a full disk, and prints one line", async () => {
    const { code, stderr } = await command.runInShell("audit > /dev/full");
    assert.deepEqual(
      [code, stderr],
      [
        2,
        "Writing to standard output failed: ENOSPC. The output is incomplete. Check the disk or the program that reads it.\n",
      ],
    );
  });
});
