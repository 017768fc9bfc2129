import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { repository } from "../support/paths.js";
import { assertFailed, useCommandProcess } from "./commandProcess.js";

const manifest = readFileSync(join(repository, "package.json"), "utf8");
const { version } = JSON.parse(manifest) as { version: string };

/** Every command, each with the arguments of an ordinary run and its exit codes other than 0. */
const commands: readonly [command: string, args: string[], failures: string[] | undefined][] = [
  ["", [], undefined],
  ["check", [], ["1", "2"]],
  ["run", ["live", "--", "true"], ["125", "126", "127", "128"]],
  ["env", ["live", "--format", "json"], ["2"]],
  ["drift", [], ["2", "7"]],
  ["audit", [], ["1", "2"]],
  ["export", [], ["2"]],
  ["sandbox", [], ["2"]],
];

describe("the conventions of every command", () => {
  const command = useCommandProcess();

  it("are tested for all commands", async () => {
    const { stdout } = await command.run(["--help"]);
    assert.equal((await command.run(["help"])).stdout, stdout);
    assert.equal((await command.run(["-v"])).stdout, `${version}\n`);
    const words = [...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, word]) => word);
    assert.deepEqual(
      ["", ...words],
      commands.map(([name]) => name),
    );
  });

  for (const [name, args, failures] of commands) {
    const words = name === "" ? [] : [name];
    const title = ["pulumi-project-service", ...words].join(" ");

    it(`${title} prints its help in 80 columns, with examples and exit codes`, async () => {
      const help = await command.run([...words, "--help"]);
      assert.deepEqual([help.code, help.stderr], [0, ""]);
      assert.deepEqual(await command.run([...words, "-h"]), help);
      assert.ok(help.stdout.startsWith(`Usage: ${title} `), help.stdout);
      const lines = help.stdout.split("\n");
      assert.ok(lines.every(({ length }) => length <= 80));
      const [options = "", examples = ""] = help.stdout.split("Examples:");
      const shown = examples.match(new RegExp(`^  .*\\b${title} ?.*`, "gm")) ?? [];
      assert.equal(shown.length, name === "" ? 0 : 2, help.stdout);
      for (const option of shown.join(" ").match(/--\w\S+/g) ?? []) {
        assert.ok(option === "--json" || options.includes(`\n  ${option} `), option);
      }
      const [, exitCodes = ""] = /^Exit code: ([^]*)/m.exec(help.stdout) ?? [];
      assert.deepEqual(exitCodes.match(/\b([127]|12[5-8])\b/g)?.sort(), failures, help.stdout);
    });

    it(`${title} rejects what it does not know, and mentions --help`, async () => {
      for (const wrong of ["--colour", "frobnicate"]) {
        const result = await command.run([...words, wrong, ...args]);
        assertFailed(result, new RegExp(`^.*${wrong}[^]*--help`), name === "run" ? 125 : 2);
        assert.doesNotMatch(result.stderr, /\n {4}at |node:|\.\./);
      }
      assert.equal(command.sandbox.counters.connections, 0);
    });
  }

  for (const [line, message] of Object.entries({
    "check --stack ": /^--stack is empty\. Pass a value, or leave it out\.\n$/,
    "check --cwd moon": /^There is no folder \S+moon\. Check --cwd\.\n$/,
    "drift --stack a --stack b": /^--stack is given more than once\. Pass it once\./,
    "audit --filter environments.branch=x": /Did you mean environments\.branch\.name\? Known keys/,
  })) {
    it(`refuse ${line}`, async () => {
      assertFailed(await command.run(line.split(" ")), message);
    });
  }

  for (const [text, place] of [
    ["c4nary-s3cret", ""],
    ['[{"password": "c4nary-s3cret in JSON at position 99', " at line 1"],
    ['{\n"password": "c4nary-s3cret\u0001"}', " at line 2"],
    ['{\n"c4nary-s3cret": "c4nary-s3cret",\n}', " at line 3"],
    ["[".repeat(200_000) + "c4nary-s3cret", ""],
  ] as const) {
    it(`quote no broken JSON of a file, a variable and Pulumi: ${text.slice(-50).replaceAll("c4nary-s3cret", "…")}`, async () => {
      await writeFile(command.pathOf("broken.json"), text);
      await command.withOutputs(text);
      const PATH = command.pathOf("bin") + delimiter + process.env["PATH"];
      const file = await command.run(["audit", "--rules", "broken.json"]);
      const variable = await command.run(["check"], { PROJECT_SERVICE_HEADERS: text.slice(0, 99) });
      const pulumi = await command.run(["check", "--stack", "dev"], { PATH });
      for (const { code, stdout, stderr } of [file, variable, pulumi]) {
        assert.notEqual(code, 0);
        assert.doesNotMatch(stdout + stderr, /c4nary|s3cret|Unexpected|position/);
      }
      for (const shown of [file.stderr, pulumi.stdout]) {
        assert.ok(shown.includes(` is not valid JSON${place}.`), shown);
      }
    });
  }
});
