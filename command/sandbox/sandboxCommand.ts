import { displayCount, displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import type { Sandbox } from "../../sandbox/index.js";
import { SandboxServer } from "../../sandbox/sandboxServer.js";
import { defineCommand } from "../commandLine.js";
import { printStdout } from "../standardStreams.js";
import { FileSandbox } from "./fileSandbox.js";

const usage = `Usage: pulumi-project-service sandbox [options]

Runs a Project Service with invented projects on 127.0.0.1 until you stop it.

  --port <port>          port to listen on; default: any free port
  --password <password>  password of the user; default: a new random one
  --projects <file>      serve the projects in this JSON file, such as one that
                         the command export wrote, and read it again when it
                         changes. Credentials that it lacks are invented.
                         Default: twelve samples, which the package has as
                         sandbox/sampleProjects.json too
  --help                 print this help

Exit code: 2 an option, a file or the port cannot be used.
`;

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
    printStdout(
      `A Project Service with ${displayCount(sandbox.projects.length, "project")} from ${source} is running at ${sandbox.connection.baseUrl}
To read it from a stack, run these commands in your Pulumi project:

${configCommands(sandbox).join("\n")}

To read it without a stack, set these environment variables:

${exportCommands(sandbox).join("\n")}

Press Ctrl-C to stop it.
`,
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
  const options = password === undefined ? {} : { password };
  const sandbox = file === undefined ? new SandboxServer(options) : new FileSandbox(file, options);
  try {
    await sandbox.listen(port);
    return sandbox;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem = code === "EADDRINUSE" ? "another program listens on it" : code;
    throw argumentInvalid(`--port ${port} cannot be used: ${problem}.`);
  }
}

/** A sandbox does not keep the process alive. If npx started it, it ends with npx, which passes no signal on. */
function untilParentEnds(parent: number): Promise<number> {
  const isStartedByNpx = process.env["npm_command"] === "exec";
  return new Promise((resolve) => {
    setInterval(() => {
      if (isStartedByNpx && (process.ppid !== parent || !isRunning(parent))) resolve(0);
    }, 500);
  });
}

/** On Windows, the id of the parent stays the same when it has ended. */
function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
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
