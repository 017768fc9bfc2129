/*
 * `npm run demo`: runs a real `pulumi up` of examples/quickstart, which prints its outputs. Reads the
 * service that the PROJECT_SERVICE_* variables name. Without them it reads the sandbox.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { startSandbox } from "../sandbox/index.js";
import { findPulumi } from "./pulumi/pulumiCli.js";

const example = join(__dirname, "../../examples/quickstart");
/**
 * Inside the repository, so that the program finds its packages. A separate folder, so that the demo
 * touches no file of the user.
 */
const folder = join(__dirname, "../../.demo");

async function main(): Promise<void> {
  const say = (step: string) => console.error(`• ${step}`);
  const { command } = await findPulumi(say);
  const sandbox = process.env["PROJECT_SERVICE_BASE_URL"] ? undefined : await startSandbox();
  const service = sandbox?.connection.baseUrl ?? process.env["PROJECT_SERVICE_BASE_URL"];
  say(`Reading ${sandbox === undefined ? "the service" : "the sandbox"} at ${service}`);
  try {
    await rm(folder, { recursive: true, force: true });
    await cp(example, folder, { recursive: true });
    await mkdir(join(folder, "state"));
    const env = {
      ...process.env,
      PATH: `${dirname(command)}:${process.env["PATH"]}`,
      PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
      PULUMI_HOME: join(folder, "home"),
      PULUMI_STACK: "demo",
      PULUMI_CONFIG_PASSPHRASE: "demo",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      ...sandbox?.environment,
    };
    const pulumi = async (...args: string[]) => {
      const child = spawn(command, args, { cwd: folder, env, stdio: "inherit" });
      const [code] = (await once(child, "close")) as [number];
      if (code !== 0) throw new Error(`pulumi ${args[0]} ended with ${code}.`);
    };
    await pulumi("stack", "init", "demo");
    say("Running `pulumi up` (about 10 s)");
    await pulumi("up", "--yes", "--skip-preview", "--non-interactive");
    if (sandbox !== undefined) console.log(`\n${nextSteps}`);
  } finally {
    await sandbox?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const nextSteps = `The demo read the sandbox. docs/settings.md lists the variables, such as PROJECT_SERVICE_BASE_URL, with which
\`npm run demo\` reads your own Project Service, and how to set them in your own stack.`;

// Ctrl-C on a terminal also reaches Pulumi. When it has ended, so does the demo.
process.on("SIGINT", () => {});
main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
