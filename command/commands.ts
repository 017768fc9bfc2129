import { inspect } from "node:util";
import { didYouMean, displayText } from "../provider/errors/displayText.js";
import { ProjectServiceError } from "../provider/errors/projectServiceError.js";
import { packageInfo } from "../provider/http/packageInfo.js";
import type { Command } from "./commandLine.js";
import { printStdout, printStderr } from "./standardStreams.js";

const usage = `Usage: pulumi-project-service <command> [options]

  check       check the settings: sign in, list projects, read one project
  run         start a command with the variables of an environment
  env         print the variables of an environment, or write them to a file
  drift       show what has changed in the service since it was recorded
  audit       check all projects of a Project Service against rules
  export      write the projects as JSON, without credentials
  sandbox     run a Project Service with sample projects, to try out and to test
  --help      print this help; after a command, print its options
  --version   print the version

Documents: node_modules/pulumi-project-service/docs/README.md
`;

/** Each command loads only its own modules. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  check: async () => (await import("./check/checkCommand.js")).checkCommand,
  run: async () => (await import("./run/runCommand.js")).runCommand,
  env: async () => (await import("./env/envCommand.js")).envCommand,
  drift: async () => (await import("./drift/driftCommand.js")).driftCommand,
  audit: async () => (await import("./audit/auditCommand.js")).auditCommand,
  export: async () => (await import("./export/exportCommand.js")).exportCommand,
  sandbox: async () => (await import("./sandbox/sandboxCommand.js")).sandboxCommand,
};

/** The exit code after an error of this program. With `run`, the started command may itself end with 2. */
export function failureCode([name]: readonly string[]): number {
  return name === "run" ? 125 : 2;
}

export async function runCommandLine(words: readonly string[]): Promise<number> {
  const [name, ...args] = words;
  try {
    const load = new Map(Object.entries(commands)).get(name ?? "");
    if (load !== undefined) return await (await load())(args);
    if (name === "--version" || name === "-v") printStdout(`${packageInfo.version}\n`);
    else if (name === "--help" || name === "-h" || name === "help") printStdout(usage);
    else {
      const names = Object.keys(commands);
      if (name !== undefined)
        printStderr(
          `Unknown command ${displayText(name)}. ${didYouMean(name, names, "commands")}.\n`,
        );
      process.stderr.write(usage);
      return 2;
    }
    return 0;
  } catch (error) {
    printStderr(messageOf(error));
    return failureCode(words);
  }
}

export function messageOf(error: unknown): string {
  const { code, syscall, message = inspect(error) } = Object(error) as NodeJS.ErrnoException;
  if (syscall === "write") {
    return `Writing to standard output failed: ${code}. The output is incomplete. Check the disk or the program that reads it.`;
  }
  if (String(code).startsWith("ERR_PARSE_ARGS_")) {
    // Node ends some of these messages with a period.
    return `${displayText(message.replaceAll("\n", " ").replace(/\.$/, ""), 500)}. Pass --help after the command to see its options.`;
  }
  return error instanceof ProjectServiceError ? message : displayText(message, 500);
}
