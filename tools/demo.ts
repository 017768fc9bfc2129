/*
 * `npm run demo`: a tour of the package with a real Pulumi CLI. It always reads the sandbox, and keeps
 * nothing but the report of the audit.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readFile, rm } from "node:fs/promises";
import { delimiter, dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { type Sandbox, startSandbox } from "../sandbox/index.js";
import { findPulumi } from "./pulumi/pulumiCli.js";

const root = join(__dirname, "../..");
/** Inside the repository, so that the program finds its packages. */
const folder = join(root, ".demo");
const report = join(folder, "audit.html");
const cli = join(root, "dist/command/cli.js");
/** Prints the values that a deploy command gets. */
const deploy = `const { PROJECT_WEBROOT, PROJECT_DATABASE_PASSWORD } = process.env;
  console.log("webroot " + PROJECT_WEBROOT + ", password " + PROJECT_DATABASE_PASSWORD.replace(/./g, "*"));`;

async function main(): Promise<void> {
  const { countSeconds } = (await import(
    pathToFileURL(join(root, "tools/countSeconds.mjs")).href
  )) as { countSeconds: (step: string) => () => void };
  let endStep = () => {};
  const { command } = await findPulumi((step) => {
    endStep();
    endStep = countSeconds(step);
  }).finally(() => endStep());
  await rm(folder, { recursive: true, force: true });
  await cp(join(root, "examples/quickstart"), folder, { recursive: true });
  await mkdir(join(folder, "state"));
  const sandbox = await startSandbox();
  try {
    await tour(sandbox, command);
  } finally {
    await sandbox.close();
    for (const name of [
      "state",
      "home",
      "Pulumi.yaml",
      "Pulumi.demo.yaml",
      "README.md",
      "index.ts",
    ]) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
  }
}

async function tour(sandbox: Sandbox, pulumiPath: string): Promise<void> {
  const others = Object.keys(process.env).filter((name) => name.startsWith("PROJECT_SERVICE_"));
  const env = {
    ...process.env,
    ...Object.fromEntries(others.map((name) => [name, undefined])),
    ...sandbox.envVars,
    PATH: `${dirname(pulumiPath)}${delimiter}${process.env["PATH"]}`,
    PULUMI_BACKEND_URL: pathToFileURL(join(folder, "state")).href,
    PULUMI_HOME: join(folder, "home"),
    PULUMI_STACK: "demo",
    PULUMI_CONFIG_PASSPHRASE: "demo",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    NO_COLOR: "1",
  };
  /** Runs a command in the folder of the demo, and returns what it prints. */
  async function run(code: number, program: string, ...args: string[]) {
    const child = spawn(program, args, { cwd: folder, env });
    let printed = "";
    let errors = "";
    child.stdout.on("data", (chunk) => (printed += String(chunk)));
    child.stderr.on("data", (chunk) => (errors += String(chunk)));
    const [ended] = (await once(child, "close")) as [number];
    if (ended !== code)
      throw new Error(`${args.join(" ")} ended with ${ended}.\n${printed}${errors}`);
    return { printed, errors };
  }
  const pulumi = (...args: string[]) => run(0, pulumiPath, ...args, "--non-interactive");
  const ours = (code: number, ...args: string[]) => run(code, process.execPath, cli, ...args);

  if (others.length > 0)
    show("This tour reads the sandbox, not the service of your PROJECT_SERVICE_* variables.");
  show(
    "The program reads the live environment of a shop, and records all projects:",
    await readFile(join(folder, "index.ts"), "utf8"),
  );
  show("pulumi up: the password in the URL is secret, the webroot is readable (about 10 s).");
  await pulumi("stack", "init", "demo");
  const { printed: updated } = await pulumi("up", "--yes", "--skip-preview");
  print(/^Outputs:[^]*?created/m.exec(updated)?.[0]);

  show(
    "In the service, somebody deploys v2.2.0 to the shop, and no longer guards the branch of the blog.",
  );
  const [shop, blog] = sandbox.projects;
  shop!.projectEnvironments[0]!.projectEnvironmentCode.currentTag = "v2.2.0";
  blog!.projectEnvironments[0]!.projectEnvironmentCode.branch.guarded = false;
  show("drift: what has changed since the update (exit code 7).", (await ours(7, "drift")).printed);

  const audit = await ours(1, "audit", "--output", report);
  const summary = audit.errors
    .trimEnd()
    .split("\n")
    .at(-1)
    ?.replace(report, relative(root, report));
  show("audit: which projects break the built-in rules (exit code 1).", summary);

  const credentials = [
    "--credentials",
    "--database",
    "shop_live",
    "--",
    process.execPath,
    "-e",
    deploy,
  ];
  const deployed = await ours(0, "run", "live", "--project", "shop", ...credentials);
  show("run: a deploy command gets the values. No file is written.", deployed.printed);

  const leaks = sandbox.leaksIn((await pulumi("stack", "export")).printed);
  show(
    `leaksIn: the state of this stack contains ${leaks.length} of the credentials of the service.`,
  );
  show("Your own service: README.md, Connect.");
}

function show(title: string, text?: string): void {
  console.log(`• ${title}`);
  print(text);
}

function print(text = ""): void {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (text !== "") console.log(lines.map((line) => `    ${line}`).join("\n"));
}

// Ctrl-C in a terminal also reaches Pulumi. When it has ended, so does the demo.
process.on("SIGINT", () => {});
main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
