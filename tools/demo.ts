/*
 * `npm run demo`: runs a real `pulumi up` of examples/quickstart and prints its outputs. Reads the
 * service that the PROJECT_SERVICE_* variables name. Without them it reads the sandbox.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { startSandbox } from "../sandbox/index.js";
import { findPulumi } from "./pulumi/pulumiCli.js";

const example = join(__dirname, "../../examples/quickstart");
/**
 * Inside the repository, so that the program finds its packages. A separate folder, so that the demo
 * touches no file of the user.
 */
const folder = join(__dirname, "../../.demo");

/** The outputs of the example. */
interface Outputs {
  readonly name: string;
  readonly repository: string;
  readonly environments: readonly {
    readonly environmentId: string;
    readonly branch?: { readonly name: string };
    readonly currentTag?: string;
    readonly webroot?: string;
    readonly databases: readonly Record<"name" | "username" | "password", string>[];
  }[];
}

/** Formats the outputs as a table with one row for each database. */
function formatOutputs({ name, repository, environments }: Outputs): string {
  const rows = [["environment", "branch", "tag", "webroot", "database", "user", "password"]];
  for (const { environmentId, branch, currentTag, webroot, databases } of environments) {
    const fields = [environmentId, branch?.name ?? "", currentTag ?? "", webroot ?? ""];
    for (const [index, { name, username, password }] of databases.entries()) {
      // Only the first row names the environment.
      rows.push([...(index === 0 ? fields : ["", "", "", ""]), name, username, password]);
    }
  }
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column]!)));
  const table = lines.map((cells) => `  ${cells.join("  ")}`.trimEnd()).join("\n");
  return `Project ${name}, ${repository}\n\n${table}`;
}

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
    const pulumi = async (...args: string[]) =>
      (await promisify(execFile)(command, args, { cwd: folder, env })).stdout;
    await pulumi("stack", "init", "demo");
    say("Running `pulumi up` (about 10 s)");
    const up = ["up", "--yes", "--skip-preview", "--suppress-outputs", "--non-interactive"];
    const [code] = (await once(
      spawn(command, up, { cwd: folder, env, stdio: "inherit" }),
      "close",
    )) as [number];
    process.exitCode = code;
    if (code !== 0) return;
    const outputs = JSON.parse(await pulumi("stack", "output", "--json")) as Outputs;
    console.log(`\n${formatOutputs(outputs)}`);
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
