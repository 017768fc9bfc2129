#!/usr/bin/env node
import { Console } from "node:console";
import { inspect } from "node:util";
import { displayText } from "../provider/errors/displayText.js";
import { ProjectServiceError } from "../provider/errors/projectServiceError.js";
import { packageInfo } from "../provider/service/packageInfo.js";
import { printText, say } from "./standardStreams.js";

const usage = `Usage: pulumi-project-service <command> [options]

  audit       check all projects of a Project Service against the house rules
  check       check the settings: sign in, list projects, read one project
  drift       say what has changed in the service since it was recorded
  env         make environment variables from the pipeline outputs of a stack
  sandbox     run a Project Service with invented projects, to try and to test
  --help      print this help; after a command, print its options
  --version   print the version

Exit code: 2 if there is no such command.
`;

type Command = (args: string[]) => Promise<number>;

/** Each command loads only its own modules. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  audit: async () => (await import("./audit/auditCommand.js")).auditCommand,
  check: async () => (await import("./check/checkCommand.js")).checkCommand,
  drift: async () => (await import("./drift/driftCommand.js")).driftCommand,
  env: async () => (await import("./env/envCommand.js")).envCommand,
  sandbox: async () => (await import("./sandbox/sandboxCommand.js")).sandboxCommand,
};

async function main([name, ...args]: string[]): Promise<number> {
  const load = new Map(Object.entries(commands)).get(name ?? "");
  if (load !== undefined) return (await load())(args);
  if (name === "--version") printText(`${packageInfo.version}\n`);
  else if (name === "--help" || name === "-h") printText(usage);
  else {
    if (name !== undefined) say(`There is no command ${displayText(name)}.\n`);
    process.stderr.write(usage);
    return 2;
  }
  return 0;
}

/** Ends the process with 2 in any case. Node's exit code for an uncaught error is 1: "findings". */
function fail(error: unknown): never {
  say(messageOf(error));
  exitCode = 2;
  process.exit();
}

function messageOf(error: unknown): string {
  const { code, syscall, message = inspect(error) } = Object(error) as NodeJS.ErrnoException;
  if (syscall === "write") {
    return `Writing to standard output failed: ${code}. The output is incomplete. Check the disk or the program that reads it.`;
  }
  if (String(code).startsWith("ERR_PARSE_ARGS_")) {
    // Node ends some of these messages with a period.
    return `${displayText(message.replace(/\.$/, ""), 500)}. Pass --help after the command to see its options.`;
  }
  return error instanceof ProjectServiceError ? message : displayText(message, 500);
}

/** Undefined until the command ends. */
let exitCode: number | undefined;

// A rules file could end the process with a code that means something else here.
process.on("exit", () => {
  if (exitCode === undefined) {
    say(
      "The process ended before the command did. A rules file must not call process.exit or wait for something that never comes.",
    );
  }
  process.exitCode = exitCode ?? 2;
});

// It could also log, and standard output is for the report.
globalThis.console = new Console(process.stderr);

process.on("uncaughtException", fail);
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader such as head may close the pipe early. That is not a failure.
  if (error.code !== "EPIPE") fail(error);
});
// A closed standard error loses messages, but it does not change the exit code.
process.stderr.on("error", () => {});

main(process.argv.slice(2)).then(end, fail);

/** Ends the process when its output is written, although a rules file may have left a timer running. */
function end(code: number): void {
  exitCode = code;
  // An error of an earlier write is emitted after this callback.
  process.stdout.write("", () => setImmediate(() => process.exit()));
}
