/*
 * The nightly runs this: it writes the values in test/command/env/values.json with the formats of `env`, reads them with
 * other programs, prints a table, and fails if a program reads another value. A program may refuse a value.
 *
 *   node dist/test/external/envReaders.js <python with python-dotenv> [<autoload.php of symfony/dotenv and phpdotenv>]
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EnvFormat, formatVariables } from "../../command/env/formats.js";
import type { Variable } from "../../command/values/variables.js";
import { childEnvironment } from "../../command/run/runCommand.js";
import { repository } from "../support/paths.js";

const [python = "python3", autoload] = process.argv.slice(2);
const { execPath: node } = process;
const values = JSON.parse(
  readFileSync(join(repository, "test/command/env/values.json"), "utf8"),
) as Record<string, string>;
const directory = mkdtempSync(join(tmpdir(), "readers-"));
const file = join(directory, "variables");

const unsupported = "python-dotenv (unsupported)";
const printEnvironment = "JSON.stringify(process.env)";
const parsed = "require('dotenv').parse(fs.readFileSync(process.argv[1]))";
const inNode = (value: string) => [node, "-p", `JSON.stringify(${value})`, file];
const inPython = (value: string) => [
  python,
  "-c",
  `import json, os, sys; print(json.dumps(${value}))`,
  file,
];
const inPhp = (value: string) =>
  autoload === undefined
    ? undefined
    : ["php", "-r", `require $argv[1]; echo json_encode(${value});`, autoload, file];

/** Each prints the variables as JSON. No format is made for python-dotenv: its users take `run`. */
const readers: [format: EnvFormat | "run", name: string, command: string[] | undefined][] = [
  ["dotenv", "npm dotenv", inNode(parsed)],
  ["dotenv", "node --env-file", [node, `--env-file=${file}`, "-p", printEnvironment]],
  ["dotenv", "sh: set -a; .", ["sh", "-ac", `. "${file}"; "${node}" -p "${printEnvironment}"`]],
  [
    "dotenv",
    "Symfony",
    inPhp("(new Symfony\\Component\\Dotenv\\Dotenv())->parse(file_get_contents($argv[2]))"),
  ],
  ["dotenv", "Laravel", inPhp("Dotenv\\Dotenv::parse(file_get_contents($argv[2]))")],
  ["dotenv", unsupported, inPython("__import__('dotenv').dotenv_values(sys.argv[1])")],
  ["docker", "docker --env-file", ["go", "run", "-C", "tools/external/dockerEnvFile", ".", file]],
  ["run", "Node", [node, "-p", printEnvironment]],
  ["run", "Python", inPython("dict(os.environ)")],
];

const all: Variable[] = Object.entries(values).map(([name, value]) => ({ name, value }));

/** Reads variables with a program. */
function read(format: EnvFormat | "run", variables: Variable[], [program = "", ...args]: string[]) {
  const isRun = format === "run";
  if (!isRun) writeFileSync(file, formatVariables(variables, format));
  const env = isRun ? childEnvironment(variables) : process.env;
  const options = { cwd: repository, encoding: "utf8", stdio: "pipe", env } as const;
  const found = JSON.parse(execFileSync(program, args, options)) as Record<string, string>;
  if (!Array.isArray(found)) return found;
  const entries = (found as string[]).map((line) => /^([^=]*)=(.*)$/s.exec(line)?.slice(1) ?? []);
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Whether a function throws an error. */
function fails(call: () => unknown): boolean {
  try {
    call();
    return false;
  } catch {
    return true;
  }
}

try {
  for (const [format, name, command] of readers) {
    if (command === undefined) continue;
    const isRefused = (each: Variable) =>
      fails(() => (format === "run" ? childEnvironment([each]) : formatVariables([each], format)));
    let carried = all.filter((each) => !isRefused(each));
    const refused = all.length - carried.length;
    // One value that the program refuses can spoil the whole file.
    if (fails(() => read(format, carried, command))) {
      carried = carried.filter((each) => !fails(() => read(format, [each], command)));
    }
    const found = read(format, carried, command);
    const wrong = carried.filter((each) => found[each.name] !== each.value);
    console.log(
      `${format.padEnd(15)}${name.padEnd(28)}${carried.length - wrong.length} right, ${refused} refused,`,
      `${all.length - refused - carried.length} refused by the reader, ${wrong.length} wrong:`,
      wrong.map((each) => each.name).join(" "),
    );
    if (wrong.length > 0 && name !== unsupported) process.exitCode = 1;
  }
} finally {
  rmSync(directory, { recursive: true });
}
