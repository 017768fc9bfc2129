#!/usr/bin/env node
import { auditCommand } from "./auditCommand.js";
import { tool } from "./tool.js";

const usage = `Usage: project-service <command> [options]

  audit       hold all projects of a Project Service to the house rules
  --help      print this; after a command, what it takes
  --version   print the version
`;

async function main([command, ...args]: string[]): Promise<number> {
  switch (command) {
    case "audit":
      return auditCommand(args);
    case "--version":
      process.stdout.write(`${tool.version}\n`);
      return 0;
    case "--help":
    case "-h":
      process.stdout.write(usage);
      return 0;
    default:
      process.stderr.write(usage);
      return 2;
  }
}

/** Ends with 2, whatever else was decided: the exit code of an uncaught error would be 1, "findings". */
function fail(error: unknown): never {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(2);
}

function messageOf(error: unknown): string {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === "write") return `Standard output cannot be written to (${code}).`;
  return message ?? String(error);
}

process.on("uncaughtException", fail);
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader that has seen enough, such as head, is no failure.
  if (error.code !== "EPIPE") fail(error);
});
// What cannot be said there changes no decision.
process.stderr.on("error", () => {});

// Stands unless the command comes to a decision: whatever ends the process early is no success.
process.exitCode = 2;

main(process.argv.slice(2)).then((code) => (process.exitCode = code), fail);
