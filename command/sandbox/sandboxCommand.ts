import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { countOf } from "../../audit/report/sentences.js";
import { displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import {
  type Sandbox,
  type SandboxOptions,
  type SandboxProject,
  startSandbox,
} from "../../sandbox/index.js";
import { checkOptions } from "../optionValues.js";
import { parseJsonText } from "../parseJsonText.js";
import { printLines, printText } from "../standardStreams.js";

const usage = `Usage: pulumi-project-service sandbox [options]

Runs a Project Service with invented projects on 127.0.0.1 until you stop it.

  --port <port>          port to listen on; default: any free port
  --password <password>  password of the user; default: a new random one
  --projects <file>      serve the projects in this JSON file. Default: twelve
                         samples, which sandbox/sampleProjects.json in the
                         folder of the package has too
  --help                 print this help

The printed settings stay valid after a restart with the same --port and
--password.

Exit code: 2 an option, a file or the port cannot be used.
`;

/**
 * Runs the sandbox until the process is stopped.
 *
 * @returns the exit code 0.
 * @throws ProjectServiceError `ARGUMENT_INVALID`
 */
export async function sandboxCommand(args: string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values, tokens } = parseArgs({
    tokens: true,
    args,
    options: {
      port: { type: "string", default: "0" },
      password: text,
      projects: text,
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) {
    printText(usage);
    return 0;
  }
  checkOptions(tokens);
  const parent = process.ppid; // before anything is printed: whoever reads it may end at once
  const { password, projects: file } = values;
  const options: SandboxOptions = { port: portOf(values.port) };
  if (password !== undefined) options.password = password;
  if (file !== undefined) options.projects = projectsIn(file);
  const sandbox = await start(options, file);
  const source = file === undefined ? "the samples" : displayText(file, 1000);
  printLines(
    `A Project Service with ${countOf(sandbox.projects.length, "project")} from ${source} is running at ${sandbox.connection.baseUrl}
To read it from a stack, run these commands in your Pulumi project:

${configCommands(sandbox).join("\n")}

To read it without a stack, set these environment variables:

${exportCommands(sandbox).join("\n")}

Press Ctrl-C to stop it.`,
  );
  return untilParentEnds(parent);
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw argumentInvalid(`--port ${displayText(text)} must be an integer from 0 to 65535.`);
}

function projectsIn(file: string): SandboxProject[] {
  try {
    const json = readFileSync(file, "utf8");
    return parseJsonText(json, "It must be a list of projects.") as SandboxProject[];
  } catch (error) {
    throw unusable("projects", file, error);
  }
}

async function start(options: SandboxOptions, file = ""): Promise<Sandbox> {
  try {
    return await startSandbox(options);
  } catch (error) {
    if (error instanceof TypeError) throw unusable("projects", file, error);
    throw unusable("port", String(options.port), error);
  }
}

/** The error about an option whose file or port cannot be used. */
function unusable(option: string, value: string, error: unknown): ProjectServiceError {
  const { code, message } = error as NodeJS.ErrnoException;
  let problem = `${code}.`;
  if (code === "EADDRINUSE") problem = "another program listens on it.";
  if (error instanceof ProjectServiceError) problem = message;
  if (error instanceof TypeError) problem = `${message}.`;
  return argumentInvalid(`--${option} ${displayText(value, 1000)} cannot be used: ${problem}`);
}

/** A sandbox does not keep the process alive. If npx started it, it ends with npx, which passes no signal on. */
function untilParentEnds(parent: number): Promise<number> {
  const isStartedByNpx = process.env["npm_command"] === "exec";
  return new Promise((resolve) => {
    setInterval(() => {
      if (isStartedByNpx && process.ppid !== parent) resolve(0);
    }, 500);
  });
}

function configCommands({ connection }: Sandbox): string[] {
  return Object.entries(connection).map(([key, value]) => {
    const secret = key === "password" ? "--secret " : "";
    return `  pulumi config set ${secret}project-service:${key} ${shellWord(value)}`;
  });
}

function exportCommands({ environment }: Sandbox): string[] {
  return Object.entries(environment).map(([name, value]) => `  export ${name}=${shellWord(value)}`);
}

/** Quotes text for a POSIX shell. */
function shellWord(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
