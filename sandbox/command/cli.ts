import { sampleProjects } from "../projects/sampleProjects.js";
import type { Sandbox } from "../sandbox.js";
import { startSandbox } from "../startSandbox.js";
import { OptionError, type Options, parseOptions, usage } from "./options.js";
import { ProjectsFile, writeSampleProjects } from "./projectsFile.js";

/** Runs the sandbox until the process is stopped. Returns the exit code of what ends by itself. */
export async function sandboxCommand(args: string[]): Promise<number> {
  try {
    await runCommand(parseOptions(args));
    return 0;
  } catch (error) {
    const hint = error instanceof OptionError ? `\n${usage}` : "";
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${hint}`);
    return 2;
  }
}

async function runCommand(options: Options): Promise<void> {
  if (options.help) process.stdout.write(usage);
  else if (options.writeProjects !== undefined) await write(options.writeProjects);
  else await run(options);
}

async function write(path: string): Promise<void> {
  await writeSampleProjects(path);
  process.stdout.write(`The sample projects are in ${path}. Serve them with --projects ${path}.\n`);
}

async function run({ port, password, projects: path }: Options): Promise<void> {
  const file = path === undefined ? undefined : new ProjectsFile(path);
  const projects = (await file?.read()) ?? sampleProjects();
  const sandbox = await start(port, { password, projects });
  keepRunning();
  process.stdout.write(
    `A Project Service with ${countOf(projects)} from ${path ?? "the samples"} is running at ${sandbox.connection.baseUrl}\n` +
      `To read it from a stack, run these commands in your Pulumi project:\n\n` +
      `${configCommands(sandbox).join("\n")}\n\n` +
      `To read it without a stack, set these environment variables:\n\n` +
      `${exportCommands(sandbox).join("\n")}\n\nPress Ctrl-C to stop it.\n`,
  );
  await file?.watch(
    (changed) => {
      sandbox.projects = changed;
      process.stdout.write(`${time()} Serving ${countOf(changed)} from ${path}.\n`);
    },
    (problem) => {
      process.stderr.write(
        `${time()} ${problem} The sandbox still serves the ${countOf(sandbox.projects)} from before.\n`,
      );
    },
  );
  await new Promise<never>(() => {});
}

/** A sandbox does not keep the process alive. If npx started it, it ends with npx, which passes no signal on. */
function keepRunning(): void {
  const isStartedByNpx = process.env["npm_command"] === "exec";
  const parent = process.ppid;
  setInterval(() => {
    if (isStartedByNpx && process.ppid !== parent) process.exit();
  }, 500);
}

async function start(
  port: number,
  { password, projects }: { password: string | undefined; projects: Sandbox["projects"] },
): Promise<Sandbox> {
  try {
    return await startSandbox({ port, projects, ...(password === undefined ? {} : { password }) });
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new Error(
      code === "EADDRINUSE"
        ? `Another program listens on port ${port}. Stop it, or pass another --port.`
        : `Listening on port ${port} failed: ${code}. Pass another --port.`,
    );
  }
}

function configCommands({ connection }: Sandbox): string[] {
  return Object.entries(connection).map(([key, value]) => {
    const secret = key === "password" ? "--secret " : "";
    // After `--`, Pulumi takes text that starts with `-` as a value.
    const end = value.startsWith("-") ? "-- " : "";
    return `  pulumi config set ${secret}project-service:${key} ${end}${shellWord(value)}`;
  });
}

function exportCommands({ environment }: Sandbox): string[] {
  return Object.entries(environment).map(([name, value]) => `  export ${name}=${shellWord(value)}`);
}

/** Quotes text for a POSIX shell. */
function shellWord(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function countOf({ length }: Sandbox["projects"]): string {
  return length === 1 ? "1 project" : `${length} projects`;
}

/** Returns the local time, such as `09:30:05`. */
function time(): string {
  return new Date().toTimeString().slice(0, "09:30:05".length);
}
