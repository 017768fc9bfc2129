#!/usr/bin/env node
import { displayText } from "../provider/errors/displayText.js";
import { packageInfo } from "../provider/packageInfo.js";
import { auditCommand } from "./auditCommand.js";
import { checkCommand } from "./checkCommand.js";
import { envCommand } from "./env/envCommand.js";
import { say } from "./print.js";

const usage = `Usage: project-service <command> [options]

  audit       check all projects of a Project Service against the house rules
  check       check the settings: sign in, list projects, read one project
  drift       say what has changed in the service since the last pulumi up
  env         make environment variables of the pipeline outputs of a stack
  --help      print this help; after a command, print its options
  --version   print the version

Exit code: 2 if there is no such command.
`;

async function main([command, ...args]: string[]): Promise<number> {
  switch (command) {
    case "audit":
      return auditCommand(args);
    case "check":
      return checkCommand(args);
    case "drift": {
      // The other commands need none of its modules.
      const { driftCommand } = await import("./drift/driftCommand.js");
      return driftCommand(args);
    }
    case "env":
      return envCommand(args);
    case "--version":
      process.stdout.write(`${packageInfo.version}\n`);
      return 0;
    case "--help":
    case "-h":
      process.stdout.write(usage);
      return 0;
    default:
      if (command !== undefined) {
        say(`There is no command ${displayText(command)}.\n`);
      }
      process.stderr.write(usage);
      return 2;
  }
}

/** Ends the process with 2 in any case. Node's exit code for an uncaught error is 1: "findings". */
function fail(error: unknown): never {
  say(messageOf(error));
  process.exit(2);
}

function messageOf(error: unknown): string {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === "write") {
    return `Writing to standard output failed: ${code}. The output is incomplete. Check the disk or the program that reads it.`;
  }
  if (code?.startsWith("ERR_PARSE_ARGS_")) {
    // Node ends some of these messages with a period.
    return `${message.replace(/\.$/, "")}. Pass --help after the command to see its options.`;
  }
  return message ?? String(error);
}

process.on("uncaughtException", fail);
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader such as head may close the pipe early. That is not a failure.
  if (error.code !== "EPIPE") fail(error);
});
// A closed standard error loses messages, but it does not change the exit code.
process.stderr.on("error", () => {});

// Applies until a command returns its exit code. A process that ends earlier must not look successful.
process.exitCode = 2;

main(process.argv.slice(2)).then(end, fail);

/** Ends the process when its output is written, although a rules file may have left a timer running. */
function end(code: number): void {
  process.exitCode = code;
  // An error of an earlier write is emitted after this callback.
  process.stdout.write("", () => setImmediate(() => process.exit()));
}
