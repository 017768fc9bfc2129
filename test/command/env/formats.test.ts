import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import * as dotenv from "dotenv";
import fc from "fast-check";
import { type FormatName, formatVariables } from "../../../command/env/formats.js";
import type { Variable } from "../../../command/env/variables.js";
import { ProjectServiceError } from "../../../provider/errors/projectServiceError.js";

type Values = Readonly<Record<string, string>>;

const variable = (name: string, value: Variable["value"]): Variable => ({
  name,
  shownName: name,
  value,
  secret: false,
});

/** Texts that some format or some reader could change. */
const texts: Values = {
  EMPTY: "",
  SPACES: "  lead and trail ",
  NEWLINES: "\nline 1\n\nline 3\n",
  SINGLE_QUOTE: "it's",
  QUOTES: "'single' and \"double\"",
  DOUBLE_QUOTES: '"double"',
  DOLLAR: "$HOME ${HOME} $(id) $1",
  QUOTE_AND_DOLLAR: "it's $HOME",
  BACKTICKS: "`id`",
  PERCENT: "100% %0A %25",
  NON_ASCII: "größe ✓ 数据 😀\u2028\u00a0",
  HASH: "a#b # c",
  BACKSLASHES: "a\\nb\\'c\\\\d",
  ENDS_WITH_BACKSLASH: "ends\\",
  CARRIAGE_RETURN: "a\r\nb",
  TAB: "\ta\t",
  HEREDOC: "A<<EOF\nx\nEOF\n",
  ASSIGNMENT: "=a=b",
  CONTROL: "\u001b[31m\u0007",
  NUL: "a\0b",
  HALF_SURROGATE: "a\ud800b",
};

/** Returns the texts that a format carries, by name, and what it says about each of the others. */
function formatted(format: FormatName, values: Values): { text: string; refused: Values } {
  const refused: Record<string, string> = {};
  const carried: Variable[] = [];
  for (const [name, value] of Object.entries(values)) {
    try {
      formatVariables([variable(name, value)], format);
      carried.push(variable(name, value));
    } catch (error) {
      assert.ok(error instanceof ProjectServiceError);
      refused[name] = error.message;
    }
  }
  return { text: formatVariables(carried, format), refused };
}

/** Reads a file for `$GITHUB_ENV` as GitHub documents it: `{name}<<{delimiter}`, lines, `{delimiter}`. */
function readGithubEnv(text: string): Values {
  const lines = text.split("\n");
  assert.equal(lines.pop(), "", "the file ends with a line feed");
  const values: Record<string, string> = {};
  while (lines.length > 0) {
    const [, name, delimiter] = /^(\w+)<<(\S+)$/.exec(lines.shift() as string) ?? assert.fail();
    const end = lines.indexOf(delimiter as string);
    assert.notEqual(end, -1);
    values[name as string] = lines
      .splice(0, end + 1)
      .slice(0, -1)
      .join("\n");
  }
  return values;
}

/**
 * Reads a dotenv report as GitLab documents it: one variable a line, without quoting, spaces, empty
 * lines and comments.
 */
function readGitlabReport(text: string): Values {
  const lines = text.split("\n");
  assert.equal(lines.pop(), "");
  const pairs = lines.map((line) => {
    const [, name, value] = /^([A-Za-z0-9_]+)=(\S*)$/u.exec(line) ?? assert.fail(line);
    return [name, value] as const;
  });
  return Object.fromEntries(pairs) as Values;
}

describe("the formats of pulumi-project-service env", () => {
  let directory: string;
  before(() => {
    directory = mkdtempSync(join(tmpdir(), "formats-"));
  });
  after(() => rmSync(directory, { recursive: true }));

  /** Returns what a POSIX shell passes on after it has read the text. */
  function readInShell(shell: string, text: string): Values {
    const file = join(directory, "variables.sh");
    writeFileSync(file, text);
    const print = "process.stdout.write(JSON.stringify(process.env))";
    const printed = execFileSync(
      shell,
      ["-euc", '. "$0"; exec "$1" -e "$2"', file, process.execPath, print],
      {
        encoding: "utf8",
        env: { HOME: "/", PATH: process.env["PATH"] },
        // With a socket as standard input, bash also reads the configuration of interactive shells.
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    return JSON.parse(printed) as Values;
  }

  const readers: readonly [FormatName, string, (text: string) => Values][] = [
    ["dotenv", "the package dotenv", (text) => dotenv.parse(text)],
    ["dotenv", "Node", (text) => parseEnv(text) as Values],
    ["github", "GitHub's documented form", readGithubEnv],
    ["gitlab", "GitLab's documented form", readGitlabReport],
    ...["sh", "dash", "bash"].map(
      (shell) => ["shell", shell, (text: string) => readInShell(shell, text)] as const,
    ),
    ["json", "JSON.parse", (text) => JSON.parse(text) as Values],
  ] as [FormatName, string, (text: string) => Values][];

  for (const [format, reader, read] of readers) {
    it(`${format} carries what it does not refuse, read by ${reader}`, () => {
      const { text, refused } = formatted(format, texts);
      const values = read(text);
      for (const [name, value] of Object.entries(texts)) {
        if (name in refused) continue;
        assert.equal(values[name], value, name);
      }
    });
  }

  for (const [format, names] of Object.entries({
    dotenv: [
      "QUOTES",
      "QUOTE_AND_DOLLAR",
      "BACKSLASHES",
      "ENDS_WITH_BACKSLASH",
      "CARRIAGE_RETURN",
      "NUL",
      "HALF_SURROGATE",
    ],
    github: ["CARRIAGE_RETURN", "NUL", "HALF_SURROGATE"],
    gitlab: [
      "SPACES",
      "NEWLINES",
      "QUOTES",
      "DOLLAR",
      "QUOTE_AND_DOLLAR",
      "PERCENT",
      "NON_ASCII",
      "HASH",
      "CARRIAGE_RETURN",
      "TAB",
      "HEREDOC",
      "NUL",
      "HALF_SURROGATE",
    ],
    shell: ["NUL", "HALF_SURROGATE"],
    json: [],
  })) {
    it(`${format} refuses a text that it cannot carry, with its name, an alternative and no value`, () => {
      const { refused } = formatted(format as FormatName, texts);
      assert.deepEqual(Object.keys(refused), names);
      for (const [name, message] of Object.entries(refused)) {
        assert.match(message, new RegExp(`^The format ${format} cannot carry ${name}: .*--format`));
        assert.ok(!message.includes(texts[name] as string), message);
      }
    });
  }

  it("carry any mixture of special characters that they do not refuse", () => {
    const special = [..."'\"`$\\#=%&! \n\r{}()<>ä"].concat("a", "\\n", "${A}");
    const mixtures = fc.sample(fc.string({ unit: fc.constantFrom(...special), maxLength: 8 }), 500);
    const values = Object.fromEntries(mixtures.map((value, index) => [`V${index}`, value]));
    const ofFormat = (format: FormatName) => {
      const { text, refused } = formatted(format, values);
      const carried = Object.entries(values).filter(([name]) => !(name in refused));
      assert.ok(carried.length > 50, format);
      return { text, carried: Object.fromEntries(carried) };
    };
    for (const [format, , read] of readers) {
      const { text, carried } = ofFormat(format);
      const values = read(text);
      for (const [name, value] of Object.entries(carried))
        assert.equal(values[name], value, format);
    }
  });

  it("write numbers and booleans as texts, and JSON keeps their types", () => {
    const variables = [variable("A", 3), variable("B", true)];
    assert.equal(formatVariables(variables, "gitlab"), "A=3\nB=true\n");
    assert.equal(formatVariables(variables, "shell"), "export A='3'\nexport B='true'\n");
    assert.equal(formatVariables(variables, "json"), '{\n  "A": 3,\n  "B": true\n}\n');
  });

  it("use a new delimiter for each variable on GitHub", () => {
    const text = formatVariables([variable("A", 1), variable("B", 2)], "github");
    const delimiters = [...text.matchAll(/<<(.*)/g)].map(([, delimiter]) => delimiter);
    assert.equal(new Set(delimiters).size, 2);
  });

  it("refuse more bytes than GitLab accepts by default, and names that GitHub reserves", () => {
    const value = "ä".repeat(2558);
    assert.equal(Buffer.byteLength(formatVariables([variable("AB", value)], "gitlab")), 5120);
    assert.throws(
      () => formatVariables([variable("ABC", value)], "gitlab"),
      /have 5121 bytes, .* 5120 .*--format json/,
    );
    assert.throws(() => formatVariables([variable("GITHUB_X", 1)], "github"), /GitHub reserves/);
  });
});
