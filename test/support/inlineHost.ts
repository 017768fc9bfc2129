import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathTo, type Project, type Workbench } from "./workbench.js";

export type InlineOperation = "up" | "preview" | "refresh" | "destroy";

export interface InlineRun {
  /** A program of everyFunction.ts. */
  readonly program: string;
  readonly operation: InlineOperation;
  /** The folder of the Pulumi project. */
  readonly folder: string;
  readonly environment: Record<string, string>;
}

export interface InlineResult {
  readonly failed: boolean;
  readonly printed: string;
  /** The listeners for unhandled errors that are left in the process. */
  readonly leftListeners: number;
}

/**
 * Runs inline programs in a process, like the server of a user. The next run after `close` has a new one.
 */
export class InlineHost {
  private running: HostProcess | undefined;

  constructor(private readonly workbench: Workbench) {}

  /** Runs a program of everyFunction.ts on a stack. */
  run(
    { directory: folder, environment }: Project,
    program: string,
    operation: InlineOperation = "up",
  ): Promise<InlineResult> {
    this.running ??= new HostProcess(this.workbench);
    return this.running.run({ program, operation, folder, environment });
  }

  /** Ends the process, and returns what it has printed itself. */
  async close(): Promise<string> {
    const { running } = this;
    this.running = undefined;
    return (await running?.close()) ?? "";
  }
}

class HostProcess {
  private readonly child: ChildProcess;
  private readonly ended: Promise<never>;
  private readonly waiting = new Map<number, (result: InlineResult) => void>();
  private lastId = 0;
  private printed = "";

  constructor({ directory, pulumi }: Workbench) {
    this.child = fork(join(__dirname, "inlineHostProcess.js"), {
      cwd: directory,
      env: { ...process.env, PATH: pathTo(pulumi) },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      execArgv: [],
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on("data", (text) => (this.printed += String(text)));
    }
    this.child.on("message", ({ id, result }: { id: number; result: InlineResult }) =>
      this.waiting.get(id)?.(result),
    );
    this.ended = once(this.child, "close").then(() => {
      throw new Error(`The host of the inline programs has ended:\n${this.printed}`);
    });
    this.ended.catch(() => {});
  }

  run(run: InlineRun): Promise<InlineResult> {
    const id = ++this.lastId;
    const result = new Promise<InlineResult>((resolve) => this.waiting.set(id, resolve));
    if (this.child.connected) this.child.send({ id, run });
    return Promise.race([result, this.ended]);
  }

  async close(): Promise<string> {
    this.child.kill();
    await this.ended.catch(() => {});
    return this.printed;
  }
}
