/*
 * `npm run demo`: runs a real `pulumi up` of examples/quickstart and prints its outputs. Reads the
 * service that the PROJECT_SERVICE_* variables name. Without them it reads the sandbox.
 */
import { randomBytes } from "node:crypto";
import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  CommandError,
  LocalWorkspace,
  type PulumiCommand,
  type Stack,
} from "@pulumi/pulumi/automation/index.js";
import { type Sandbox, startSandbox } from "../sandbox/index.js";
import { formatOutputs, readMaskedOutputs } from "./demoOutputs.js";
import { findPulumi } from "./external/pulumiCli.js";

const example = join(__dirname, "../../examples/quickstart");
/**
 * Inside the repository, so that the program finds its packages. A separate folder, so that the demo
 * touches no file of the user.
 */
const demoFolder = join(__dirname, "../../.demo");
const stackName = "demo";

/** `pulumi up` failed and has already printed its errors. */
class UpFailedError extends Error {}

async function main(signal: AbortSignal): Promise<void> {
  const pulumi = await findPulumi(printStep, signal);
  const hasOwnService = Boolean(process.env["PROJECT_SERVICE_BASE_URL"]);
  const sandbox = hasOwnService ? undefined : await startSandbox();
  try {
    printStep(
      sandbox === undefined
        ? "Reading the service that PROJECT_SERVICE_BASE_URL names"
        : `Reading the sandbox, a Project Service at ${sandbox.connection.baseUrl}`,
    );
    await deleteDemoFolder();
    await copyProgram();
    const environment = await createBackend();
    const stack = await createStack(pulumi, environment, sandbox);
    signal.throwIfAborted();
    printStep("Running `pulumi up` (about 10 s)");
    await up(stack, signal);
    signal.throwIfAborted();
    const outputs = await readMaskedOutputs(pulumi.command, demoFolder, stackName, environment);
    console.log(`\n${formatOutputs(outputs)}`);
    if (sandbox !== undefined) console.log(nextSteps);
  } finally {
    await sandbox?.close();
    await deleteDemoFolder();
  }
}

async function up(stack: Stack, signal: AbortSignal): Promise<void> {
  try {
    await stack.up({
      color: process.stdout.isTTY ? "always" : "never",
      onOutput: (text) => process.stdout.write(text),
      signal: abortAfterGrace(signal),
      suppressOutputs: true,
    });
  } catch (error) {
    // The message of a CommandError repeats everything that was printed.
    throw error instanceof CommandError ? new UpFailedError() : error;
  }
}

const graceMs = 3_000;

/**
 * Returns a signal that aborts some time after `signal`. Ctrl-C on a terminal also reaches Pulumi,
 * which then ends by itself. A second interrupt would make Pulumi stop at once, without cleaning up.
 */
function abortAfterGrace(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  signal.addEventListener("abort", () => {
    setTimeout(() => controller.abort(), graceMs).unref();
  });
  return controller.signal;
}

/** The state is of no use after the demo: its passphrase is random and is not saved. */
async function deleteDemoFolder(): Promise<void> {
  await rm(demoFolder, { recursive: true, force: true });
}

async function copyProgram(): Promise<void> {
  await cp(example, demoFolder, { recursive: true });
}

/** Creates a local backend. Returns the environment variables that select it. */
async function createBackend(): Promise<Record<string, string>> {
  const state = join(demoFolder, "state");
  await mkdir(state, { recursive: true });
  return {
    PULUMI_BACKEND_URL: `file://${state}`,
    PULUMI_HOME: join(demoFolder, "home"),
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
    { stackName, workDir: demoFolder },
    { pulumiCommand, envVars },
  );
  for (const [key, value] of Object.entries(sandbox?.connection ?? {})) {
    await stack.setConfig(`project-service:${key}`, { value, secret: key === "password" });
  }
  return stack;
}

const nextSteps = `
The demo read the sandbox. To read your own Project Service, set these variables and run
\`npm run demo\` again:

  PROJECT_SERVICE_BASE_URL, PROJECT_SERVICE_AUTH_URL, PROJECT_SERVICE_REALM,
  PROJECT_SERVICE_CLIENT_ID, PROJECT_SERVICE_USERNAME, PROJECT_SERVICE_PASSWORD

In your own stack, set project-service:baseUrl and the other settings with \`pulumi config set\`.
Set the password with \`--secret\`. docs/settings.md lists all settings.`;

function printStep(step: string): void {
  console.error(`• ${step}`);
}

const controller = new AbortController();
process.on("SIGINT", () => controller.abort());
process.on("SIGTERM", () => controller.abort());
main(controller.signal).catch((error: unknown) => {
  if (!controller.signal.aborted && !(error instanceof UpFailedError)) {
    console.error(error instanceof Error ? error.message : error);
  }
  process.exitCode = controller.signal.aborted ? 130 : 1;
});
