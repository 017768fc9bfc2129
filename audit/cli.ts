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

// A reader that has seen enough, such as head, is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  },
);
