import assert from "node:assert/strict";
import {
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { commandsIn } from "../support/logCommands.js";
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
      /Several options name the same file: a\.json/,
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
    const [file, toFile] = [
      join(command.directory, "earlier.html"),
      join(command.directory, "link.html"),
    ];
    await writeFile(file, "earlier", { mode: 0o640 });
    await symlink(file, toFile);
    const before = await stat(file);
    assert.equal((await command.run(["audit", "--format", "html", "--output", toFile])).code, 1);
    assert.ok((await lstat(toFile)).isSymbolicLink());
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
    const dangling = join(command.directory, "dangling");
    await symlink(join(command.directory, "target"), dangling);
    assert.equal((await command.run(["audit", "--output", `table=${dangling}`])).code, 1);
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

  it("warns of more SARIF results than GitHub takes, even if the audit accepts them", async () => {
    const rules = join(command.directory, "many.mjs");
    await writeFile(
      rules,
      `export default ({ defineRule, violated }) => [defineRule({
        name: "many", description: "D.", reason: "R.", remedy: "M.",
        checkProject: () => Array.from({ length: 25001 }, (_, index) => violated("x " + index)),
      })];`,
    );
    const run = async (...options: string[]) => {
      const scope = ["--filter", "name=shop", "--rules", rules, "--output", "many.sarif"];
      return (await command.run(["audit", ...scope, ...options])).stderr;
    };
    const warning = /^Warning: The SARIF report has 25001 results\. GitHub rejects/;
    assert.match(await run(), warning);
    const write = ["--write-accepted", "many.json", "--reason", "Known"];
    assert.match(await run(...write), warning);
    assert.doesNotMatch(await run(...write, "--omit-accepted"), /Warning/);
  });

  it("leaves an earlier report unchanged if it fails, and says that the report is an earlier one", async () => {
    const file = join(command.directory, "kept.html");
    await writeFile(file, "earlier");
    command.sandbox.forbiddenProjectIds.add("p-3");
    const empty = join(command.directory, "empty.html"); // as GitHub creates the file of a summary
    await writeFile(empty, "");
    const { code, stderr } = await command.run(["audit", "--output", file, "--output", empty]);
    assert.equal(code, 2);
    assert.doesNotMatch(stderr, /empty\.html/);
    assert.match(
      stderr,
      /kept\.html still contains the report of an earlier audit, written at 20\d\d-.*Z\.\n$/,
    );
    assert.equal(await readFile(file, "utf8"), "earlier");
  });

  it("appends to a log to which standard output appends", async () => {
    const path = (name: string) => join(command.directory, name);
    await writeFile(path("log"), "earlier\n");
    await command.runInShell("audit --output json=/dev/stdout >>log");
    await command.runInShell("audit --output /dev/fd/3 3>>log");
    const log = await readFile(path("log"), "utf8");
    assert.match(
      log,
      /^earlier\n\{\n {2}"formatVersion": 1[^]*\}\nPROJECT [^]*12 projects audited/,
    );
  });

  describe("is refused if it would overwrite what the audit reads", () => {
    const name = (file: string) => join(command.directory, file);
    beforeEach(async () => {
      await mkdir(name("folder"), { recursive: true });
      await writeFile(name("rules.json"), "{}");
      await writeFile(name("accepted.json"), `{"version":1,"accepted":[]}`);
      await link(name("accepted.json"), name("hard.json"));
      await symlink(name("accepted.json"), name("soft.json"));
      await symlink(name("."), name("folder/here"));
      await symlink(name("new.json"), name("dangling.json"));
    });
    afterEach(async () => {
      for (const file of ["hard.json", "soft.json", "folder", "dangling.json"]) {
        await rm(name(file), { recursive: true });
      }
    });

    for (const args of [
      "--rules rules.json --output rules.json",
      "--rules rules.json --accepted rules.json",
      "--accepted accepted.json --output soft.json",
      "--accepted accepted.json --output hard.json",
      "--accepted accepted.json --output folder/here/accepted.json",
      "--write-accepted soft.json --reason x --output accepted.json",
      "--write-accepted new.json --reason x --output folder/here/new.json",
      "--write-accepted dangling.json --reason x --output new.json",
      "--output a.json --output junit=./a.json",
    ]) {
      it(args, async () => {
        const files = ["rules.json", "accepted.json"];
        const texts = () => Promise.all(files.map((file) => readFile(name(file), "utf8")));
        const before = await texts();
        const { code, stdout, stderr } = await command.run(["audit", ...args.split(" ")]);
        assert.deepEqual([code, stdout], [2, ""]);
        assert.match(stderr, /^Several options name the same file: .*Give each of them a file of/);
        assert.deepEqual(await texts(), before);
        assert.equal(command.sandbox.counters.connections, 0);
      });
    }
  });

  it("prints no command of a log, whatever its options say", async () => {
    for (const args of [
      ["--filter", "name=##vso[x]\u001b[2J"],
      ["--##vso[x]"],
      ["--x\n::debug::x"],
      ["--output", "json=##[x]"],
      ["--output", "json=##[x]", "--format", "x"],
      ["--write-accepted", "##[y]", "--reason", "x"],
      ["--accepted", "##[z]"],
    ]) {
      const { stderr } = await command.run(["audit", ...args]);
      assert.match(stderr, /#\\u0023|:\\u003a/, args.join(" "));
      assert.deepEqual(commandsIn(stderr), []);
      assert.doesNotMatch(stderr, /\u001b/);
    }
    command.sandbox.forbiddenProjectIds.add("p-3");
    const { stderr } = await command.run(["audit", "--output", "json=##[x]"]);
    assert.match(stderr, /^#\\u0023\[x\] still contains the report of an earlier audit/m);
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
