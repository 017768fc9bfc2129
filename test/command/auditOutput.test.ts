import assert from "node:assert/strict";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commandsIn } from "../support/logCommands.js";
import { useCommandProcess } from "./commandProcess.js";

describe("the output of pulumi-project-service audit", () => {
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
      "two reports go to standard output",
      ["-", "json=/dev/stdout"],
      /Several options name the same/,
    ],
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

  describe("is refused if it would overwrite what the audit reads", () => {
    const name = (file: string) => join(command.directory, file);
    beforeEach(async () => {
      await mkdir(name("folder"), { recursive: true });
      await writeFile(name("rules.json"), "{}");
      await writeFile(name("accepted.json"), `{"version":1,"accepted":[]}`);
      await symlink(name("accepted.json"), name("soft.json"));
      await symlink(name("."), name("folder/here"));
      await symlink(name("new.json"), name("dangling.json"));
    });
    afterEach(async () => {
      for (const file of ["soft.json", "folder", "dangling.json"]) {
        await rm(name(file), { recursive: true });
      }
    });

    for (const args of [
      "--rules rules.json --output rules.json",
      "--rules rules.json --accepted rules.json",
      "--accepted accepted.json --output soft.json",
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
});
