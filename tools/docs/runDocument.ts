import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { startSandbox, type Sandbox } from "../../sandbox/index.js";
import { codeBlocks, type CodeBlock } from "./markdown.js";
import { freePort } from "../freePort.js";
import { SecondTerminal } from "./secondTerminal.js";

const repository = join(__dirname, "../../..");

/** Whether the commands of a document need the Pulumi CLI. */
export function needsPulumi(document: string): boolean {
  return commandBlocks(document).some(({ text }) => /^(\$ )?(\w+=\S* )*pulumi /m.test(text));
}

/** Whether a document has commands that {@link runDocument} runs. */
export function hasCommands(document: string): boolean {
  return commandBlocks(document).length > 0;
}

function commandBlocks(document: string): CodeBlock[] {
  return codeBlocks(document).filter(({ language }) => ["console", "sh"].includes(language));
}

/** Changes the sandbox where a document has the comment `<!-- In the service: deploymentOfShop -->`. */
function deployShop({ projects }: Sandbox): void {
  const live = projects[0]?.projectEnvironments[0];
  if (live === undefined) throw new Error("The sandbox has no shop");
  live.projectEnvironmentCode.currentTag = "v2.2.0";
  live.projectEnvironmentCode.webroot = "/var/www/shop/live/current/pub";
  for (const database of live.projectEnvironmentDatabases.databases) {
    database.password = `rotated-${database.password}`;
  }
}

/**
 * Runs the commands of a document against a sandbox, in an empty folder, and returns the document
 * with the output that the commands really have.
 *
 * - A block with a file name, such as `ts index.ts`, becomes that file.
 * - A `console` block has commands that start with `$ `, each with its output. If the documented
 *   output ends with a line `…`, the output is cut at that line.
 * - The commands of a `sh` block must succeed. Their output does not count.
 * - The command of a `console` block after the comment `<!-- In a second terminal -->` runs until the
 *   document ends. The comment `<!-- The second terminal prints: text -->` waits for a text. The comment
 *   `<!-- Run the commands that the second terminal printed -->` sets the config that the sandbox prints.
 *
 * @param pulumi path of the Pulumi CLI, for documents that need it.
 */
export async function runDocument(document: string, pulumi?: string): Promise<string> {
  const sandbox = await startSandbox();
  // In the repository: there a program finds this package by its name.
  const directory = await mkdtemp(join(repository, "dist/docs-"));
  const env = environmentFor(directory, sandbox, pulumi);
  const terminal = new SecondTerminal({ directory, env, prologue: npxFunction });
  try {
    await mkdir(stateFolder(directory));
    const context = { directory, sandbox, env, port: String(await freePort()) };
    const run = createShell(context);
    const runInSecondTerminal = createSecondShell(context, terminal);
    if (pulumi !== undefined) await createProject(directory, run);
    const parts: string[] = [];
    let end = 0;
    for (const block of codeBlocks(document)) {
      const prose = document.slice(end, block.start);
      for (const [, name] of prose.matchAll(/<!-- In the service: (\w+) -->/g)) {
        if (name !== "deploymentOfShop") throw new Error(`There is no change ${name}`);
        deployShop(sandbox);
      }
      await waitForOutput(prose, terminal);
      await runPrintedCommands(prose, normalized(terminal.startOutput, context), run);
      parts.push(prose);
      const isInSecondTerminal = prose.includes("<!-- In a second terminal -->");
      parts.push(await resultOf(block, directory, isInSecondTerminal ? runInSecondTerminal : run));
      end = block.start + block.text.length;
    }
    return parts.join("") + document.slice(end);
  } finally {
    await terminal.close();
    await sandbox.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function waitForOutput(prose: string, terminal: SecondTerminal): Promise<void> {
  for (const [, text = ""] of prose.matchAll(/<!-- The second terminal prints: (.+) -->/g)) {
    await terminal.waitFor(text);
  }
}

async function runPrintedCommands(prose: string, printed: string, run: Shell): Promise<void> {
  if (!prose.includes("<!-- Run the commands that the second terminal printed -->")) return;
  const commands = printed.match(/^ *pulumi config set .*$/gm) ?? [];
  const { outputs, codes } = await run(commands);
  if (commands.length === 0 || codes.some((code) => code !== 0)) {
    throw new Error(`The commands of the second terminal fail:\n${outputs.join("\n") || printed}`);
  }
}

type Shell = (commands: readonly string[]) => Promise<{ outputs: string[]; codes: number[] }>;

async function resultOf(block: CodeBlock, directory: string, run: Shell): Promise<string> {
  if (block.file !== undefined) await writeFile(join(directory, block.file), block.text);
  if (block.language === "console") return consoleText(block.text, run);
  if (block.language === "sh") await runQuietly(block.text, directory, run);
  return block.text;
}

async function consoleText(documented: string, run: Shell): Promise<string> {
  const entries = documented.split(/^(?=\$ )/m).map((entry) => {
    const [command = "", ...output] = entry.trimEnd().split("\n");
    return { command, output };
  });
  const { outputs } = await run(entries.map(({ command }) => command.slice("$ ".length)));
  return entries
    .map(({ command, output }, index) => {
      const lines = (outputs[index] ?? "").split("\n");
      const isCut = output.at(-1) === "…";
      const shown = isCut ? [...lines.slice(0, output.length - 1), "…"] : lines;
      return `${[command, ...shown].join("\n").trimEnd()}\n`;
    })
    .join("");
}

/** Commands that need the network, or the whole repository. Another test pins that the scripts exist. */
const notRun = /^(npm|cd|git) /;

async function runQuietly(text: string, directory: string, run: Shell): Promise<void> {
  const lines = text.replaceAll("\\\n", " ").split("\n");
  const commands = lines
    .map((line) => line.replace(/\s+#.*$/, ""))
    .filter((line) => line !== "" && !line.startsWith("#") && !notRun.test(line));
  if (commands.length === 0) return;
  const config = join(directory, "Pulumi.dev.yaml");
  if (existsSync(config)) await cp(config, `${config}.kept`);
  const { outputs, codes } = await run(commands);
  if (existsSync(config)) await cp(`${config}.kept`, config);
  for (const [index, command] of commands.entries()) {
    // 1 is what an audit with findings ends with.
    const maxCode = command.includes("pulumi-project-service audit") ? 1 : 0;
    if ((codes[index] ?? Infinity) > maxCode) {
      throw new Error(`${command} ends with ${codes[index]}:\n${outputs[index]}`);
    }
  }
}

const marker = "\u001e";

const npxFunction = `npx() { shift; node "${repository}/dist/command/cli.js" "$@"; }`;

function environmentFor(
  directory: string,
  sandbox: Sandbox,
  pulumi: string | undefined,
): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...sandbox.environment,
    PULUMI_BACKEND_URL: `file://${stateFolder(directory)}`,
    PULUMI_HOME: join(directory, ".home"),
    PULUMI_CONFIG_PASSPHRASE: "correct horse battery staple",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    // Another test checks the types, and the programs start in half the time.
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    NO_COLOR: "1",
  };
  delete env["FORCE_COLOR"];
  if (pulumi !== undefined) env["PATH"] = `${dirname(pulumi)}:${env["PATH"]}`;
  return env;
}

function stateFolder(directory: string): string {
  return join(directory, ".state");
}

interface ShellContext {
  readonly directory: string;
  readonly sandbox: Sandbox;
  readonly env: NodeJS.ProcessEnv;
  /** The port that commands use instead of {@link documentedPort}, which may not be free. */
  readonly port: string;
}

/** The port of a sandbox in a second terminal. */
const documentedPort = "4000";

function createShell(context: ShellContext): Shell {
  const { directory, env, port } = context;
  return async (commands) => {
    const script = [
      // Keeps the exit code of the command before it, for `echo $?`.
      `mark() { local code=$?; printf '${marker}%s\\n' $code; return $code; }`,
      npxFunction,
      ...commands.flatMap((command) => [command.replaceAll(documentedPort, port), "mark"]),
    ].join("\n");
    const text = await new Promise<string>((resolve, reject) => {
      const child = execFile(
        "bash",
        ["-c", `exec 2>&1\n${script}`],
        { cwd: directory, env, maxBuffer: 64 * 1024 * 1024 },
        (_error, stdout) => resolve(stdout), // the exit code of the last command is in the text
      );
      child.on("error", reject);
      // For `pulumi config set --secret`, which reads the value. Other commands may end before it is
      // written.
      child.stdin?.on("error", () => {});
      child.stdin?.end("correct horse\n".repeat(10));
    });
    const results = text.split(new RegExp(`${marker}(\\d+)\n`));
    return {
      outputs: commands.map((_, index) => normalized(results[index * 2] ?? "", context)),
      codes: commands.map((_, index) => Number(results[index * 2 + 1])),
    };
  };
}

function createSecondShell(context: ShellContext, terminal: SecondTerminal): Shell {
  return async ([command = ""]) => {
    const output = await terminal.run(command.replaceAll(documentedPort, context.port));
    return { outputs: [normalized(output, context)], codes: [0] };
  };
}

async function createProject(directory: string, run: Shell): Promise<void> {
  // Only for documents that need Pulumi: in the folder of a Pulumi project, the audit asks the Pulumi
  // CLI for its config.
  await writeFile(join(directory, "Pulumi.yaml"), pulumiProject);
  await cp(join(repository, "examples/quickstart/tsconfig.json"), join(directory, "tsconfig.json"));
  await run(["pulumi stack init dev"]);
}

const pulumiProject = "name: hosting\nruntime: nodejs\nmain: index.ts\n";

/**
 * Leaves out what differs from run to run: the folder, the addresses of the sandboxes, the progress of the stack, and
 * how long something took.
 */
function normalized(output: string, { directory, sandbox, port }: ShellContext): string {
  const { connection } = sandbox;
  return output
    .replaceAll(directory, "/home/you/hosting")
    .replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${documentedPort}`)
    .replaceAll(connection.baseUrl, "https://projects.example.com")
    .replaceAll(connection.password, "correct horse")
    .replace(/^(@ |Duration: | . {2}pulumi:pulumi:Stack ).*\n/gm, "")
    .replace(/ \(\d+(\.\d+)?s\)/g, "")
    .replace(/[ \t]+$/gm, "")
    .replace(/^\n+|\s+$/g, "")
    .replace(/\n{3,}/g, "\n\n");
}
