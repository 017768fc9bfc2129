/*
 * `npm run demo`: a real `pulumi up` of examples/quickstart. Reads the service that the
 * PROJECT_SERVICE_* variables name, or else the sandbox.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  CommandError,
  LocalWorkspace,
  type PulumiCommand,
  type Stack,
} from "@pulumi/pulumi/automation/index.js";
import { type Sandbox, startSandbox } from "../sandbox/index.js";
import { findPulumi } from "./pulumiCli.js";

const example = join(__dirname, "../../examples/quickstart");
/** In the repository, where the program finds its packages; a folder of its own, so that no file of a user's is touched. */
const scratch = join(__dirname, "../../.demo");
const stackName = "demo";

interface Database {
  readonly name: string;
  readonly username: string;
  readonly password: string;
}

interface Outputs {
  readonly name: string;
  readonly repository: string;
  readonly environments: readonly {
    readonly environmentId: string;
    readonly branch?: { readonly name: string };
    readonly currentTag?: string;
    readonly webroot?: string;
    readonly databases: readonly Database[];
  }[];
}

/** `pulumi up` failed, and has said why. */
class UpFailed extends Error {}

async function main(signal: AbortSignal): Promise<void> {
  const pulumi = await findPulumi(say, signal);
  const ownService = process.env["PROJECT_SERVICE_BASE_URL"] || undefined;
  const sandbox = ownService === undefined ? await startSandbox() : undefined;
  try {
    say(
      sandbox === undefined
        ? "Reading the service that PROJECT_SERVICE_BASE_URL names"
        : `Reading the sandbox, a Project Service at ${sandbox.connection.baseUrl}`,
    );
    await forgetLastRun();
    await copyProgram();
    const environment = await backend();
    const stack = await createStack(pulumi, environment, sandbox);
    signal.throwIfAborted();
    say("Running `pulumi up` (about 10 s)");
    await up(stack, signal);
    signal.throwIfAborted();
    print(await maskedOutputs(pulumi, environment));
    if (sandbox !== undefined) printHowToReadYours();
  } finally {
    await sandbox?.close();
    await forgetLastRun();
  }
}

async function up(stack: Stack, signal: AbortSignal): Promise<void> {
  try {
    await stack.up({
      color: process.stdout.isTTY ? "always" : "never",
      onOutput: (text) => process.stdout.write(text),
      signal: afterGrace(signal),
      suppressOutputs: true,
    });
  } catch (error) {
    // Its message repeats all that was printed.
    throw error instanceof CommandError ? new UpFailed() : error;
  }
}

const graceMs = 3_000;

/**
 * Aborts some time after `signal`. Ctrl-C on a terminal reaches Pulumi too, which then ends by
 * itself; a second interrupt would make it drop everything.
 */
function afterGrace(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  signal.addEventListener("abort", () => {
    setTimeout(() => controller.abort(), graceMs).unref();
  });
  return controller.signal;
}

/** The state would be of no use later: its passphrase is random and kept nowhere. */
async function forgetLastRun(): Promise<void> {
  await rm(scratch, { recursive: true, force: true });
}

async function copyProgram(): Promise<void> {
  await cp(example, scratch, { recursive: true });
  await writeFile(
    join(scratch, "Pulumi.yaml"),
    "name: project-service-quickstart\nruntime: nodejs\nmain: index.ts\n",
  );
}

async function backend(): Promise<Record<string, string>> {
  const state = join(scratch, "state");
  await mkdir(state, { recursive: true });
  return {
    PULUMI_BACKEND_URL: `file://${state}`,
    PULUMI_HOME: join(scratch, "home"),
    PULUMI_CONFIG_PASSPHRASE: randomBytes(24).toString("base64url"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
}

async function createStack(
  pulumiCommand: PulumiCommand,
  envVars: Record<string, string>,
  sandbox: Sandbox | undefined,
): Promise<Stack> {
  const stack = await LocalWorkspace.createStack(
    { stackName, workDir: scratch },
    { pulumiCommand, envVars },
  );
  for (const [key, value] of Object.entries(sandbox?.connection ?? {})) {
    await stack.setConfig(`project-service:${key}`, { value, secret: key === "password" });
  }
  return stack;
}

/** As `pulumi stack output --json` shows them: each secret as `[secret]`. */
async function maskedOutputs(
  { command }: PulumiCommand,
  environment: Record<string, string>,
): Promise<Outputs> {
  const child = spawn(command, ["stack", "output", "--json", "--stack", stackName], {
    cwd: scratch,
    env: { ...process.env, ...environment, PATH: `${dirname(command)}:${process.env["PATH"]}` },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString("utf8")) as Outputs;
}

function print({ name, repository, environments }: Outputs): void {
  const rows = environments.flatMap(({ environmentId, branch, currentTag, webroot, databases }) => {
    const facts = [environmentId, branch?.name ?? "", currentTag ?? "", webroot ?? ""];
    const [first, ...others] = databases.map((database) => [
      database.name,
      database.username,
      database.password,
    ]);
    return [
      [...facts, ...(first ?? ["-", "", ""])],
      ...others.map((other) => ["", "", "", "", ...other]),
    ];
  });
  const header = ["environment", "branch", "tag", "webroot", "database", "user", "password"];
  console.log(`\nProject ${name}, ${repository}\n\n${table([header, ...rows])}`);
}

function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows
    .map((row) =>
      `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd(),
    )
    .join("\n");
}

function printHowToReadYours(): void {
  console.log(`
That was the sandbox. To read your own Project Service, set

  PROJECT_SERVICE_BASE_URL, PROJECT_SERVICE_AUTH_URL, PROJECT_SERVICE_REALM,
  PROJECT_SERVICE_CLIENT_ID, PROJECT_SERVICE_USERNAME, PROJECT_SERVICE_PASSWORD

and run \`npm run demo\` again. In a stack of yours, set project-service:baseUrl and so on with
\`pulumi config set\`, the password with \`--secret\`: see README.md.`);
}

function say(step: string): void {
  console.error(`• ${step}`);
}

const controller = new AbortController();
process.on("SIGINT", () => controller.abort());
process.on("SIGTERM", () => controller.abort());
main(controller.signal).catch((error: unknown) => {
  if (!controller.signal.aborted && !(error instanceof UpFailed)) {
    console.error(error instanceof Error ? error.message : error);
  }
  process.exitCode = controller.signal.aborted ? 130 : 1;
});
