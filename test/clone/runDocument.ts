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

/** Commands that need the network or a clone. */
const notRun = /^(npm|cd|git|npx (vitest|tsc)\S*) /;
/** The password in the documents. Other settings there are those of the sandbox. */
const password = "correct horse";
const documentedPort = "4000";
const startsSandbox = /^npx pulumi-project-service sandbox\b(?!.*--help)/;

/**
 * Runs the commands of a document against the sandbox, as somebody would who has installed the package.
 *
 * - A block with a file name, such as `ts index.ts`, becomes that file.
 * - The commands of a `sh` block must succeed.
 * - A `console` block has commands that start with `$ `, each with its output. A last line `…` cuts the output.
 * - A command that starts the sandbox replaces the one that is running, and the stack gets its settings.
 *
 * @returns the document, with the output that its commands really have.
 */
export async function runDocument(document: string, folder: Folder): Promise<string> {
  const terminal = new Terminal(folder, String(await freePort()));
  try {
    if (/^(\$ )?pulumi /m.test(document)) await terminal.createStack();
    await terminal.startSandbox();
    let result = "";
    let end = 0;
    for (const { language, file, text, start } of codeBlocks(document)) {
      const prose = document.slice(end, start);
      if (file !== undefined) await writeFile(join(folder.directory, file), text);
      if (language === "sh") await runQuietly(text, terminal);
      result += prose + (language === "console" ? await consoleText(text, terminal) : text);
      end = start + text.length;
    }
    return result + document.slice(end);
  } finally {
    await terminal.close();
  }
}

async function consoleText(documented: string, terminal: Terminal): Promise<string> {
  const entries = documented.split(/^(?=\$ )/m).map((entry) => {
    const [command = "", ...output] = entry.trimEnd().split("\n");
    return { command: command.slice("$ ".length), output };
  });
  const results = await terminal.run(entries.map(({ command }) => command));
  return entries
    .map(({ command, output }, index) => {
      const lines = (results[index]?.output ?? "").split("\n");
      const isCut = output.at(-1) === "…";
      const shown = isCut ? [...lines.slice(0, output.length - 1), "…"] : lines;
      return `${[`$ ${command}`, ...shown].join("\n").trimEnd()}\n`;
    })
    .join("");
}

async function runQuietly(text: string, terminal: Terminal): Promise<void> {
  const commands = text
    .split("\n")
    .map((line) => line.replace(/(^|\s+)#.*$/, ""))
    .filter((line) => line !== "" && !notRun.test(line));
  const results = await terminal.run(commands);
  for (const [index, { output, code }] of results.entries()) {
    if (code !== 0) throw new Error(`${commands[index]} ends with ${code}:\n${output}`);
  }
}

/** Stands after the output of each command, with its exit code. */
const marker = "\u001e";

class Terminal {
  private readonly env: NodeJS.ProcessEnv;
  private sandbox: ChildProcess | undefined;
  private readonly sandboxCommand = `npx pulumi-project-service sandbox --port ${documentedPort} --password "${password}"`;

  constructor(
    private readonly folder: Folder,
    /** The port of the sandbox. The one in the documents may not be free. */
    private readonly port: string,
  ) {
    const { directory, pulumi } = folder;
    const address = `http://127.0.0.1:${port}`;
    this.env = {
      ...process.env,
      PATH: `${dirname(pulumi)}:${process.env["PATH"]}`,
      PULUMI_BACKEND_URL: `file://${join(directory, ".state")}`,
      PULUMI_HOME: join(directory, ".home"),
      PULUMI_CONFIG_PASSPHRASE: "test",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_NODEJS_TRANSPILE_ONLY: "true", // A test checks the types of all blocks.
      // What npx runs, without npx itself, which takes longer to start than each command.
      "BASH_FUNC_npx%%": '() { "node_modules/.bin/$1" "${@:2}"; }',
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

  async createStack(): Promise<void> {
    const { directory } = this.folder;
    await mkdir(join(directory, ".state"));
    await writeFile(join(directory, "Pulumi.yaml"), "name: hosting\nruntime: nodejs\n");
    await writeFile(join(directory, "package.json"), `{ "name": "hosting", "private": true }`);
    await this.bash("pulumi stack init dev");
  }

  /** Runs commands one after another. One that starts the sandbox goes to a second terminal. */
  async run(commands: readonly string[]): Promise<{ output: string; code: number }[]> {
    const [first = ""] = commands;
    if (startsSandbox.test(first)) return [{ output: await this.startSandbox(first), code: 0 }];
    const mark = `mark() { local code=$?; printf '${marker}%s${marker}' $code; return $code; }`;
    const text = await this.bash([mark, ...commands.flatMap((each) => [each, "mark"])].join("\n"));
    const parts = text.split(marker);
    return commands.map((_, index) => ({
      output: this.normalized(parts[index * 2] ?? ""),
      code: Number(parts[index * 2 + 1]),
    }));
  }

  /** Starts the sandbox, by default as before, and gives its settings to the stack. Returns what it prints. */
  async startSandbox(command = this.sandboxCommand): Promise<string> {
    await this.close();
    const port = / --port /.test(command) ? "" : ` --port ${documentedPort}`;
    this.sandbox = spawn("bash", ["-c", this.real(command + port)], {
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
    // With the documented port, because `bash` replaces it, also as a part of another one.
    const shown = this.normalized(printed);
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
      const text = `exec 2>&1\n${this.real(script)}`;
      const child = execFile("bash", ["-c", text], options, (_error, stdout) => resolve(stdout));
      child.on("error", reject);
      // For `pulumi config set --secret`, which reads the value. Other commands may end before.
      child.stdin?.on("error", () => {});
      child.stdin?.end(`${password}\n`);
    });
  }

  /** Replaces the addresses of the documents by those of the sandbox. */
  private real(text: string): string {
    return text
      .replace(/https:\/\/(projects|login)\.example\.com/g, `http://127.0.0.1:${this.port}`)
      .replaceAll(documentedPort, this.port);
  }

  /** Leaves out what differs from run to run. */
  private normalized(output: string): string {
    return output
      .replaceAll(this.folder.directory, "/home/you/hosting")
      .replaceAll(`127.0.0.1:${this.port}`, `127.0.0.1:${documentedPort}`)
      .replace(/^(@ |Duration: | . {2}pulumi:pulumi:Stack ).*\n/gm, "")
      .replace(/ \(\d+(\.\d+)?s\)/g, "")
      .replace(/[ \t]+$/gm, "")
      .replace(/^\n+|\s+$/g, "")
      .replace(/\n{3,}/g, "\n\n");
  }
}
