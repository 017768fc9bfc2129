import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import {
  type EngineEvent,
  LocalWorkspace,
  type PulumiCommand,
  type Stack,
} from "@pulumi/pulumi/automation/index.js";
import type { Sandbox } from "../../sandbox/index.js";
import { findPulumi } from "../../tools/pulumiCli.js";
import { toolOrSkip } from "./toolOrSkip.js";

export const run = promisify(execFile);
export const repository = join(__dirname, "../../..");

/** What a user may have: the versions of this repository, or the oldest that are supported. */
const versions =
  process.env["PULUMI_SDK"] === "floor"
    ? { sdk: "3.216.0", typescript: "5.9.3" }
    : { sdk: versionOf("@pulumi/pulumi"), typescript: versionOf("typescript") };

function versionOf(name: string): string {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- whichever is installed
  return (require(`${name}/package.json`) as { version: string }).version;
}

/** A folder of a user's: the packed tarball installed, and Pulumi projects in subfolders. */
export interface Workbench {
  readonly directory: string;
  readonly pulumi: PulumiCommand;
  /**
   * Makes a Pulumi project of the files in a folder (or of one text as index.ts), with a stack, in
   * a backend of its own or in that of another project. A Pulumi.yaml in the folder has its own name.
   */
  project(name: string, source: Source, neighbour?: Project): Promise<Project>;
}

export type Source = { folder: string } | { program: string };

export interface Project {
  readonly directory: string;
  /** With which a program finds the backend, and the Pulumi CLI on PATH. */
  readonly environment: Record<string, string>;
  readonly stack: Stack;
  /** All that the engine said so far: outputs, errors, events. */
  readonly heard: () => string;
  /** Listens to an operation: pass it on to `up`, `preview` and so on. */
  readonly listen: {
    onOutput(text: string): void;
    onError(text: string): void;
    onEvent(event: EngineEvent): void;
  };
  /** Writes the sandbox's settings into the stack's config, its secrets encrypted. */
  configure(sandbox: Sandbox, changes?: Record<string, string>): Promise<void>;
  /** Runs the CLI itself; resolves whatever the exit code. */
  cli(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>;
}

let shared: Promise<Workbench> | undefined;

/** The workbench, made at the first call. Skips the test where no Pulumi CLI can be had, but never in CI. */
export async function useWorkbench(context: Mocha.Context): Promise<Workbench> {
  context.timeout(15 * 60_000);
  return toolOrSkip(context, () => (shared ??= makeWorkbench()));
}

async function makeWorkbench(): Promise<Workbench> {
  const pulumi = await findPulumi((step) => console.error(`    ${step}`));
  const directory = await mkdtemp(join(tmpdir(), "project-service-"));
  after(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));
  await run("npm", ["pack", "--silent", "--pack-destination", directory], { cwd: repository });
  const [tarball] = (await readdir(directory)).filter((file) => file.endsWith(".tgz"));
  await writeFile(
    join(directory, "package.json"),
    JSON.stringify({
      name: "workbench",
      private: true,
      dependencies: {
        "pulumi-project-service": `file:${tarball}`,
        "@pulumi/pulumi": versions.sdk,
        "@types/node": "^20",
        typescript: versions.typescript,
      },
    }),
  );
  await run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: directory });
  return {
    directory,
    pulumi,
    project: (name, source, neighbour) => makeProject(directory, pulumi, name, source, neighbour),
  };
}

async function makeProject(
  workbench: string,
  pulumiCommand: PulumiCommand,
  name: string,
  source: Source,
  neighbour: Project | undefined,
): Promise<Project> {
  const directory = join(workbench, name);
  await mkdir(directory);
  if ("folder" in source) await cp(source.folder, directory, { recursive: true });
  else await writeFile(join(directory, "index.ts"), source.program);
  const projectFile = join(directory, "Pulumi.yaml");
  if (!existsSync(projectFile)) await writeFile(projectFile, `name: ${name}\nruntime: nodejs\n`);

  const envVars = neighbour?.environment ?? (await backendIn(directory));
  const stack = await LocalWorkspace.createStack(
    { stackName: "test", workDir: directory },
    { pulumiCommand, envVars },
  );
  let heard = "";
  return {
    directory,
    environment: { ...envVars, PATH: pathTo(pulumiCommand) },
    stack,
    heard: () => heard,
    listen: {
      onOutput: (text) => (heard += text),
      onError: (text) => (heard += text),
      onEvent: (event) => (heard += `${JSON.stringify(event)}\n`),
    },
    configure: async (sandbox, changes = {}) => {
      const settings: Record<string, string> = { ...sandbox.connection, ...changes };
      for (const [key, value] of Object.entries(settings)) {
        await stack.setConfig(`project-service:${key}`, { value, secret: key === "password" });
      }
    },
    cli: (...args) => runCli(pulumiCommand, [...args, "--stack", "test"], directory, envVars),
  };
}

/** Environment of a backend of its own below `directory`. */
export async function backendIn(directory: string): Promise<Record<string, string>> {
  const state = join(directory, ".state");
  await mkdir(state);
  return {
    PULUMI_BACKEND_URL: `file://${state}`,
    PULUMI_HOME: join(directory, ".home"),
    PULUMI_CONFIG_PASSPHRASE: "correct horse battery staple",
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
}

function pathTo({ command }: PulumiCommand): string {
  return `${dirname(command)}:${process.env["PATH"]}`;
}

async function runCli(
  pulumiCommand: PulumiCommand,
  args: string[],
  cwd: string,
  environment: Record<string, string>,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, ...environment, PATH: pathTo(pulumiCommand) };
  const options = { cwd, env, maxBuffer: 256 * 1024 * 1024 };
  try {
    return {
      code: 0,
      ...(await run(pulumiCommand.command, [...args, "--non-interactive"], options)),
    };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}
