import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import * as dotenv from "dotenv";
import fc from "fast-check";
import { type EnvFormat, formatVariables } from "../../../command/env/formats.js";
import type { Variable } from "../../../command/values/variables.js";
import { ProjectServiceError } from "../../../provider/errors/projectServiceError.js";
import { repository } from "../../support/paths.js";

type Values = Readonly<Record<string, string>>;

const variable = (name: string, value: Variable["value"]): Variable => ({ name, value });

/** Texts that some format or some reader could change. */
const texts: Values = {
  EMPTY: "",
  SPACES: "  lead and trail ",
  NEWLINES: "\nline 1\n\nline 3\n",
  SINGLE_QUOTE: "it's",
  QUOTES: "'single' and \"double\"",
  DOLLAR: "$HOME ${HOME} $(id) $1",
  QUOTE_AND_DOLLAR: "it's $HOME",
  NON_ASCII: "größe ✓ 数据 😀\u2028\u00a0",
  HASH: "a#b # c",
  BACKSLASHES: "a\\nb\\'c\\\\d",
  ENDS_WITH_BACKSLASH: "ends\\",
  EQUALS_QUOTE: 'a="b',
  CARRIAGE_RETURN: "a\r\nb",
  NUL: "a\0b",
  HALF: "a\ud800b",
};

/** Returns the texts that a format carries, by name, and what it says about each of the others. */
function formatted(format: EnvFormat, values: Values): { text: string; refused: Values } {
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
  const blocks = [...text.matchAll(/(\w+)<<(\S+)\n([^]*?)\n?^\2\n/gm)];
  assert.equal(blocks.map(([block]) => block).join(""), text);
  return Object.fromEntries(blocks.map(([, name, , value]) => [name, value])) as Values;
}

/** Reads a file for `docker run --env-file` as Docker documents it: the rest of the line is the value. */
function readDockerFile(text: string): Values {
  return Object.fromEntries(
    [...text.matchAll(/(\w+)=([^\n]*)\n/g)].map(([, name, value]) => [name, value]),
  ) as Values;
}

/** Reads a dotenv report as GitLab documents it: a variable in each line, without quotes and spaces. */
function readGitlabReport(text: string): Values {
  const lines = [...text.matchAll(/(\w+)=(\S*)\n/g)];
  assert.equal(lines.map(([line]) => line).join(""), text);
  return Object.fromEntries(lines.map(([, name, value]) => [name, value])) as Values;
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
      ["-euc", 'set -a; . "$0"; exec "$1" -e "$2"', file, process.execPath, print],
      {
        encoding: "utf8",
        env: { HOME: "/", PATH: process.env["PATH"] },
        // With a socket as standard input, bash also reads the configuration of interactive shells.
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    return JSON.parse(printed) as Values;
  }

  const readers: readonly [EnvFormat, string, (text: string) => Values][] = [
    ["dotenv", "the package dotenv", (text) => dotenv.parse(text)],
    ["dotenv", "Node", (text) => parseEnv(text) as Values],
    ["docker", "docker's documented form", readDockerFile],
    ["github", "GitHub's documented form", readGithubEnv],
    ["gitlab", "GitLab's documented form", readGitlabReport],
    ...["sh", "dash", "bash"].map(
      (shell) => ["dotenv", shell, (text: string) => readInShell(shell, text)] as const,
    ),
    ["json", "JSON.parse", (text) => JSON.parse(text) as Values],
  ] as [EnvFormat, string, (text: string) => Values][];

  for (const [format, names] of Object.entries({
    dotenv:
      "QUOTES QUOTE_AND_DOLLAR BACKSLASHES ENDS_WITH_BACKSLASH EQUALS_QUOTE CARRIAGE_RETURN NUL HALF",
    docker: "NEWLINES CARRIAGE_RETURN NUL HALF",
    github: "CARRIAGE_RETURN NUL HALF",
    gitlab:
      "SPACES NEWLINES QUOTES DOLLAR QUOTE_AND_DOLLAR NON_ASCII HASH CARRIAGE_RETURN NUL HALF",
    json: "",
  })) {
    it(`${format} refuses a text that it cannot carry, with its name, an alternative and no value`, () => {
      const { refused } = formatted(format as EnvFormat, texts);
      assert.equal(Object.keys(refused).join(" "), names);
      for (const [name, message] of Object.entries(refused)) {
        assert.match(message, new RegExp(`^The format ${format} cannot carry ${name}: .*--format`));
        assert.ok(!message.includes(texts[name] as string), message);
      }
    });
  }

  it("carry what they do not refuse, as other programs read it", () => {
    const special = [..."'\"`$\\#=%&! \n\r{}()<>ä"].concat("a", "\\n", "${A}");
    const mixtures = fc.sample(fc.string({ unit: fc.constantFrom(...special), maxLength: 8 }), 500);
    const sampled = Object.fromEntries(mixtures.map((value, index) => [`V${index}`, value]));
    const nasty = readFileSync(join(repository, "test/command/env/values.json"), "utf8");
    const values: Values = { ...texts, ...sampled, ...(JSON.parse(nasty) as Values) };
    for (const [format, reader, read] of readers) {
      const { text, refused } = formatted(format, values);
      const found = read(text);
      const carried = Object.keys(values).filter((name) => !(name in refused));
      assert.ok(carried.length > 50, format);
      for (const name of carried) {
        assert.equal(found[name], values[name], `${name}, read by ${reader}`);
      }
    }
  });
});
