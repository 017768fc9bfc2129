/*
 * `npm run demo`: runs a real `pulumi up` of examples/quickstart and prints its outputs. Reads the
 * service that the PROJECT_SERVICE_* variables name. Without them it reads the sandbox.
 */
import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { cp, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { startSandbox } from "../sandbox/index.js";
import { type DemoOutputs, formatOutputs } from "./demoOutputs.js";
import { findPulumi } from "./pulumi/pulumiCli.js";

const example = join(__dirname, "../../examples/quickstart");
/**
 * Inside the repository, so that the program finds its packages. A separate folder, so that the demo
 * touches no file of the user.
 */
const demoFolder = join(__dirname, "../../.demo");

/** `pulumi up` failed and has already printed its errors. */
class UpFailedError extends Error {}

async function main(signal: AbortSignal): Promise<void> {
  const { command } = await findPulumi(printStep, signal);
  const hasOwnService = Boolean(process.env["PROJECT_SERVICE_BASE_URL"]);
  const sandbox = hasOwnService ? undefined : await startSandbox();
  try {
    printStep(
      sandbox === undefined
        ? "Reading the service that PROJECT_SERVICE_BASE_URL names"
        : `Reading the sandbox, a Project Service at ${sandbox.connection.baseUrl}`,
    );
    await deleteDemoFolder();
    await cp(example, demoFolder, { recursive: true });
    await mkdir(join(demoFolder, "state"));
    const env = {
      ...process.env,
      PATH: `${dirname(command)}:${process.env["PATH"]}`,
      PULUMI_BACKEND_URL: `file://${join(demoFolder, "state")}`,
      PULUMI_HOME: join(demoFolder, "home"),
      PULUMI_STACK: "demo",
      PULUMI_CONFIG_PASSPHRASE: randomBytes(24).toString("base64url"),
      PULUMI_SKIP_UPDATE_CHECK: "true",
      ...sandbox?.environment,
    };
    const pulumi = async (...args: string[]) =>
      (await promisify(execFile)(command, args, { cwd: demoFolder, env })).stdout;
    await pulumi("stack", "init", "demo");
    signal.throwIfAborted();
    printStep("Running `pulumi up` (about 10 s)");
    await up(command, env, signal);
    signal.throwIfAborted();
    const outputs = JSON.parse(await pulumi("stack", "output", "--json")) as DemoOutputs;
    console.log(`\n${formatOutputs(outputs)}`);
    if (sandbox !== undefined) console.log(nextSteps);
  } finally {
    await sandbox?.close();
    await deleteDemoFolder();
  }
}

const graceMs = 3_000;

/**
 * Runs `pulumi up` on this terminal. Ctrl-C on a terminal also reaches Pulumi, which then ends by
 * itself. A second interrupt would make Pulumi stop at once, without cleaning up. So it gets the
 * interrupt from here only if it is still running some time later.
 */
async function up(command: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  const args = ["up", "--yes", "--skip-preview", "--suppress-outputs", "--non-interactive"];
  const child = spawn(command, args, { cwd: demoFolder, env, stdio: "inherit" });
  signal.addEventListener("abort", () => {
    setTimeout(() => child.kill("SIGINT"), graceMs).unref();
  });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new UpFailedError();
}

/** The state is of no use after the demo: its passphrase is random and is not saved. */
async function deleteDemoFolder(): Promise<void> {
  await rm(demoFolder, { recursive: true, force: true });
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
