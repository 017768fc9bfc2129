import { parseArgs } from "node:util";

export const usage = `Usage: pulumi-project-service sandbox [options]

Runs a Project Service with invented projects on 127.0.0.1 until you stop it.

  --port <port>            port to listen on; default: any free port
  --password <password>    password of the user; default: a new random one
  --projects <file>        serve the projects in this JSON file, and read it
                           again when it changes; default: twelve samples
  --write-projects <file>  write the sample projects to a new file and exit
  --help                   print this help

The printed settings stay valid after a restart with the same --port and
--password.

Exit code: 2 if an option, a file or the port cannot be used.
`;

/** A wrong command line. The message says what to pass instead. */
export class OptionError extends Error {}

export type Options = ReturnType<typeof parseOptions>;

/**
 * Parses the command line.
 *
 * @throws OptionError
 */
export function parseOptions(args: string[]) {
  const values = parse(args);
  const { port, password, projects, "write-projects": writeProjects } = values;
  for (const name of ["password", "projects", "write-projects"] as const) {
    if (values[name] === "") throw new OptionError(`--${name} must not be empty.`);
  }
  if (writeProjects !== undefined && (port ?? password ?? projects) !== undefined) {
    throw new OptionError(
      "--write-projects does not start the sandbox. Pass it without --port, --password and --projects.",
    );
  }
  return { help: values.help === true, port: portOf(port), password, projects, writeProjects };
}

function parse(args: string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args,
      options: {
        port: text,
        password: text,
        projects: text,
        "write-projects": text,
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    // Node ends some of its messages with a period.
    throw new OptionError(`${(error as Error).message.replace(/\.$/, "")}.`);
  }
}

function portOf(text = "0"): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new OptionError("--port must be an integer from 0 to 65535.");
}
