import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { freePort } from "../../tools/freePort.js";
import { codeBlocks } from "../support/markdown.js";

/** Where the commands of a document run. */
export interface Folder {
  /** A folder with nothing but the installed package. */
  readonly directory: string;
  /** The path of the Pulumi CLI. */
  readonly pulumi: string;
}

/** The password and the port in the documents. Other settings there are those of the sandbox. */
const password = "correct horse";
const documentedPort = "4000";
/** Stands for each time in an output. */
const documentedTime = "2027-06-30 09:00 UTC";

const sandboxCommand = `npx --no pulumi-project-service sandbox --port ${documentedPort} --password "${password}"`;
const startsSandbox = /^npx --no pulumi-project-service sandbox\b(?!.*--help)/;

/** Commands that need the network or a clone. */
const needsMore = /^(npm|cd|git) /;

/**
 * Runs the commands of a document against the sandbox, as somebody would who has installed the package.
 *
 * - A block with a file name, such as `ts index.ts`, becomes that file.
 * - The commands of a `sh` block must succeed.
 * - A `console` block has commands that start with `$ `, each with its output. A last line `…` cuts the output.
 * - A block `console demo` shows what the demo prints, and is not run.
 * - A command that starts the sandbox replaces the one that is running, and the stack gets its settings.
 *
 * @returns the document, with the output that its commands really have.
 */
export async function runDocument(document: string, folder: Folder): Promise<string> {
  const terminal = new Terminal(folder, String(await freePort()));
  try {
    if (/^(\$ )?pulumi /m.test(document)) await terminal.createStack();
    await terminal.startSandbox(sandboxCommand);
    let result = "";
    let end = 0;
    for (const { language, file, text, start } of codeBlocks(document)) {
      if (file === "demo") continue;
      if (file !== undefined) await writeFile(join(folder.directory, file), text);
      if (language === "sh") await runShellBlock(text, terminal);
      const shown = language === "console" ? await runConsoleBlock(text, terminal) : text;
      result += document.slice(end, start) + shown;
      end = start + text.length;
    }
    return result + document.slice(end);
  } finally {
    await terminal.close();
  }
}

async function runShellBlock(text: string, terminal: Terminal): Promise<void> {
  const lines = text.split("\n").map((line) => line.replace(/(^|\s+)#.*$/, ""));
  const commands = lines.filter((line) => line !== "" && !needsMore.test(line));
  for (const { command, output, code } of await terminal.run(commands)) {
    if (code !== 0) throw new Error(`${command} ends with ${code}:\n${output}`);
  }
}

/** Returns the text of the block, with the real output of its commands. */
async function runConsoleBlock(text: string, terminal: Terminal): Promise<string> {
  const entries = text.split(/^(?=\$ )/m).map((entry) => {
    const [command = "", ...documented] = entry.trimEnd().split("\n");
    return { command: command.slice("$ ".length), documented };
  });
  const results = await terminal.run(entries.map(({ command }) => command));
  const shown = entries.map(({ command, documented }, index) => {
    const lines = results[index]!.output.split("\n");
    // Of a cut output, as many lines as the document shows before `…`.
    const isCut = documented.at(-1) === "…";
    const visible = isCut ? [...lines.slice(0, documented.length - 1), "…"] : lines;
    return `${[`$ ${command}`, ...visible].join("\n").trimEnd()}\n`;
  });
  return shown.join("");
}

/** Stands after the output of each command, and after its exit code, as in `out1␞0␞out2␞1␞`. */
const marker = "\u001e";

/** Runs commands as they are in a document, and returns output as it could be there. */
class Terminal {
  private readonly env: NodeJS.ProcessEnv;
  private sandbox: ChildProcess | undefined;

  constructor(
    private readonly folder: Folder,
    /** The port of the sandbox. The one in the documents may not be free. */
    private readonly port: string,
  ) {
    this.env = environmentOf(folder, `http://127.0.0.1:${port}`);
  }

  async createStack(): Promise<void> {
    const { directory } = this.folder;
    await mkdir(join(directory, ".state"));
    await writeFile(join(directory, "Pulumi.yaml"), "name: hosting\nruntime: nodejs\n");
    await writeFile(join(directory, "package.json"), `{ "name": "hosting", "private": true }`);
    await this.bash("pulumi stack init dev");
  }

  /** Runs commands one after another in one shell. One that starts the sandbox is alone in its block. */
  async run(commands: readonly string[]) {
    const [first = ""] = commands;
    if (startsSandbox.test(first)) {
      return [{ command: first, output: await this.startSandbox(first), code: 0 }];
    }
    const mark = `mark() { local code=$?; printf '${marker}%s${marker}' $code; return $code; }`;
    const text = await this.bash([mark, ...commands.flatMap((each) => [each, "mark"])].join("\n"));
    const parts = text.split(marker);
    return commands.map((command, index) => ({
      command,
      output: this.asDocumented(parts[index * 2] ?? ""),
      code: Number(parts[index * 2 + 1]),
    }));
  }

  /** Starts a sandbox in place of the one before, and gives its settings to the stack. Returns what it prints. */
  async startSandbox(command: string): Promise<string> {
    await this.close();
    const port = / --port /.test(command) ? "" : ` --port ${documentedPort}`;
    this.sandbox = spawn("bash", ["-c", this.withRealAddresses(command + port)], {
      cwd: this.folder.directory,
      env: this.env,
      stdio: ["ignore", "pipe", "inherit"],
      detached: true, // so that `close` ends the whole group of processes
    });
    let printed = "";
    this.sandbox.stdout?.on("data", (chunk) => (printed += String(chunk)));
    while (!printed.includes("Ctrl-C")) {
      await Promise.race([once(this.sandbox.stdout!, "data"), once(this.sandbox, "exit")]);
      if (this.sandbox.exitCode !== null) throw new Error(`${command} ends:\n${printed}`);
    }
    // The text goes in as documented, because `bash` replaces every 4000, and a real port such as 34000 contains it.
    const shown = this.asDocumented(printed);
    const hasStack = existsSync(join(this.folder.directory, "Pulumi.yaml"));
    if (hasStack) await this.bash((shown.match(/^ *pulumi config set .*$/gm) ?? []).join("\n"));
    return shown;
  }

  async close(): Promise<void> {
    if (this.sandbox?.pid === undefined || this.sandbox.exitCode !== null) return;
    process.kill(-this.sandbox.pid);
    await once(this.sandbox, "close"); // and with it the processes that it started
  }

  private bash(script: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const options = { cwd: this.folder.directory, env: this.env, maxBuffer: 2 ** 26 };
      const text = `exec 2>&1\n${this.withRealAddresses(script)}`;
      const child = execFile("bash", ["-c", text], options, (_error, stdout) => resolve(stdout));
      child.on("error", reject);
      // For `pulumi config set --secret`, which reads the value. Other commands may end before.
      child.stdin?.on("error", () => {});
      child.stdin?.end(`${password}\n`);
    });
  }

  private withRealAddresses(text: string): string {
    return text
      .replaceAll(documentedPort, this.port)
      .replace(/https:\/\/(projects|login)\.example\.com/g, `http://127.0.0.1:${this.port}`);
  }

  /** Puts documented addresses and folders into the output, and leaves out what differs from run to run. */
  private asDocumented(output: string): string {
    return output
      .replaceAll(this.folder.directory, "/home/you/hosting")
      .replaceAll(`127.0.0.1:${this.port}`, `127.0.0.1:${documentedPort}`)
      .replace(/^(@ |Duration: | . {2}pulumi:pulumi:Stack ).*\n/gm, "")
      .replace(/ \(\d+(\.\d+)?s\)/g, "")
      .replace(/\b\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, documentedTime)
      .replace(/[ \t]+$/gm, "")
      .replace(/^\n+|\s+$/g, "")
      .replace(/\n{3,}/g, "\n\n");
  }
}

/** Returns the environment variables of somebody who has a stack and a Project Service at an address. */
function environmentOf({ directory, pulumi }: Folder, address: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: `${dirname(pulumi)}:${process.env["PATH"]}`,
    PULUMI_BACKEND_URL: `file://${join(directory, ".state")}`,
    PULUMI_HOME: join(directory, ".home"),
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_NODEJS_TRANSPILE_ONLY: "true", // A test checks the types of all blocks.
    // What `npx --no` runs, without npx itself, which takes longer to start than each command.
    "BASH_FUNC_npx%%": '() { [ "$1" = --no ] && "node_modules/.bin/$2" "${@:3}"; }',
    NO_COLOR: "1",
    FORCE_COLOR: undefined,
    PROJECT_SERVICE_BASE_URL: address,
    PROJECT_SERVICE_AUTH_URL: address,
    PROJECT_SERVICE_REALM: "hosting",
    PROJECT_SERVICE_CLIENT_ID: "pulumi",
    PROJECT_SERVICE_USERNAME: "reader",
    PROJECT_SERVICE_PASSWORD: password,
  };
}
