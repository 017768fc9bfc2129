import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export interface TerminalOptions {
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  /** Runs before the command, for instance to define a function. */
  readonly prologue: string;
}

/** The sandbox of a document with a second terminal. It runs until the document ends. */
export class SecondTerminal {
  private child: ChildProcess | undefined;
  private printed = "";
  /** What the command printed until it ran. */
  startOutput = "";

  constructor(private readonly options: TerminalOptions) {}

  /** Starts the command. Returns what it prints until it runs. */
  async run(command: string): Promise<string> {
    const { directory, env, prologue } = this.options;
    this.child = spawn("bash", ["-c", `exec 2>&1\n${prologue}\n${command}`], {
      cwd: directory,
      env,
      stdio: ["ignore", "pipe", "inherit"],
      // Puts the shell and its commands into a process group, which `close` ends as a whole.
      detached: true,
    });
    this.child.stdout?.on("data", (chunk) => (this.printed += String(chunk)));
    this.startOutput = await this.waitFor("Press Ctrl-C to stop it.\n");
    return this.startOutput;
  }

  /** Waits until the command prints the text. Returns what it printed since the last wait. */
  async waitFor(text: string): Promise<string> {
    const { child } = this;
    if (child?.stdout === undefined || child.stdout === null) {
      throw new Error("No command runs in the second terminal");
    }
    const signal = AbortSignal.timeout(60_000);
    while (!this.printed.includes(text)) {
      if (child.exitCode !== null || signal.aborted) {
        throw new Error(`The second terminal does not print "${text}". It prints: ${this.printed}`);
      }
      await Promise.race([
        once(child.stdout, "data", { signal }),
        once(child, "exit", { signal }),
      ]).catch(() => {}); // the time is over
    }
    const output = this.printed;
    this.printed = "";
    return output;
  }

  async close(): Promise<void> {
    const { child } = this;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid);
    await once(child, "exit");
  }
}
