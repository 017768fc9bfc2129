import { displayCount, displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import type { Sandbox } from "../../sandbox/index.js";
import { SandboxServer } from "../../sandbox/sandboxServer.js";
import { defineCommand } from "../commandLine.js";
import { printStdout } from "../standardStreams.js";
import { FileSandbox } from "./fileSandbox.js";

const usage = `Usage: pulumi-project-service sandbox [options]

Runs a Project Service with sample projects on 127.0.0.1 until you stop it.

  --port <port>          port to listen on; default: any free port
  --password <password>  password of the user; default: a new random one
  --projects <file>      serve the projects in this JSON file, such as one that
                         the command export wrote, and read it again when it
                         changes. Omitted user names and passwords get sample
                         values.
                         Default: twelve samples, in the package as
                         sandbox/sampleProjects.json
  --fail <project>=<status>
                         make each read of this project fail, for instance
                         shop=403; can be repeated
  --help                 print this help

Examples:
  pulumi-project-service sandbox --port 4000 --password invented
  pulumi-project-service sandbox --projects projects.json --fail shop=403

Exit code: 2 an option, a file or the port cannot be used.
`;

export const sandboxCommand = defineCommand(
  usage,
  {
    port: { type: "string", default: "0" },
    password: { type: "string" },
    projects: { type: "string" },
    fail: { type: "string", multiple: true, default: [] as string[] },
  },
  async ({ port, password, projects: file, fail }) => {
    const parent = process.ppid; // before anything is printed: whoever reads it may end at once
    const sandbox =
      file === undefined ? new SandboxServer({ password }) : new FileSandbox(file, { password });
    for (const text of fail) failReads(sandbox, text);
    await listen(sandbox, portOption(port));
    const source = file === undefined ? "the samples" : displayText(file, 1000);
    printStdout(
      `A Project Service with ${displayCount(sandbox.projects.length, "project")} from ${source} is running at ${sandbox.connection.baseUrl}
To read it from a stack, run these commands in your Pulumi project:

${configCommands(sandbox).join("\n")}

To read it without a stack, set these environment variables:

${exportCommands(sandbox).join("\n")}
${process.platform === "win32" ? powerShellText(sandbox) : ""}
Press Ctrl-C to stop it.
`,
    );
    return untilParentEnds(parent);
  },
);

function portOption(text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw argumentInvalid(`--port ${displayText(text)} must be an integer from 0 to 65535.`);
}

function failReads(sandbox: Sandbox, text: string): void {
  const [, name, status = ""] = /^(.+)=([45]\d\d)$/s.exec(text) ?? [];
  const [project, second] = sandbox.projects.filter(({ _id, name: own }) =>
    [_id, own].includes(name ?? ""),
  );
  if (project === undefined || second !== undefined) {
    throw argumentInvalid(
      `--fail ${displayText(text)} must be the name or id of one project and a status, such as shop=403.`,
    );
  }
  const path = `/api/project/v5/projects/${project._id}`;
  sandbox.failNext({ path, status: Number(status), times: Infinity });
}

async function listen(sandbox: SandboxServer, port: number): Promise<void> {
  try {
    await sandbox.listen(port);
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
    // As the first process of a container, it gets only the signals for which it has a listener.
    process.once("SIGTERM", () => resolve(143)).once("SIGINT", () => resolve(130));
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

function exportCommands({ envVars }: Sandbox): string[] {
  return Object.entries(envVars).map(([name, value]) => `  export ${name}=${shellWord(value)}`);
}

function powerShellText({ envVars }: Sandbox): string {
  const commands = Object.entries(envVars).map(
    ([name, value]) => `  $env:${name} = '${value.replaceAll("'", "''")}'\n`,
  );
  return `\nIn PowerShell:\n\n${commands.join("")}`;
}

/** Quotes text for a POSIX shell. */
function shellWord(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
