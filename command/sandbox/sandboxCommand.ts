import { readFileSync } from "node:fs";
import { countOf } from "../../audit/report/sentences.js";
import { displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import {
  type Sandbox,
  type SandboxOptions,
  type SandboxProject,
  startSandbox,
} from "../../sandbox/index.js";
import { defineCommand } from "../commandLine.js";
import { parseJsonText } from "../parseJsonText.js";
import { printLines } from "../standardStreams.js";

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

/** Runs the sandbox until the process is stopped. */
export const sandboxCommand = defineCommand(
  usage,
  {
    port: { type: "string", default: "0" },
    password: { type: "string" },
    projects: { type: "string" },
  },
  async ({ port, password, projects: file }) => {
    const parent = process.ppid; // before anything is printed: whoever reads it may end at once
    const sandbox = await start(portOf(port), password, file);
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
  },
);

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw argumentInvalid(`--port ${displayText(text)} must be an integer from 0 to 65535.`);
}

async function start(port: number, password?: string, file?: string): Promise<Sandbox> {
  const options: SandboxOptions = { port };
  if (password !== undefined) options.password = password;
  try {
    if (file !== undefined) options.projects = projectsIn(file);
    return await startSandbox(options);
  } catch (error) {
    const isPort = (error as NodeJS.ErrnoException).syscall === "listen";
    const option = isPort ? `port ${port}` : `projects ${displayText(String(file), 1000)}`;
    throw argumentInvalid(`--${option} cannot be used: ${problemOf(error)}`);
  }
}

function projectsIn(file: string): SandboxProject[] {
  const json = readFileSync(file, "utf8");
  return parseJsonText(json, "It must be a list of projects.") as SandboxProject[];
}

function problemOf(error: unknown): string {
  if (error instanceof ProjectServiceError) return error.message;
  if (error instanceof TypeError) return `${error.message}.`;
  const { code } = error as NodeJS.ErrnoException;
  return code === "EADDRINUSE" ? "another program listens on it." : `${code}.`;
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
