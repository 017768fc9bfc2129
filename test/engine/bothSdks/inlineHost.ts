import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathTo, type Project, type Workbench } from "../../support/workbench.js";

export type InlineOperation = "up" | "preview";

export interface InlineRun {
  /** The text of the program, which uses `pulumi`, `projectService` and `loadOtherCopy`. */
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

/** A process that runs inline programs, like the server of a user. */
export class InlineHost {
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

  /** Runs a program on a stack. The program waits for nothing. */
  async run(
    { directory: folder, environment }: Project,
    program: string,
    operation: InlineOperation = "up",
  ): Promise<InlineResult> {
    const id = ++this.lastId;
    const result = new Promise<InlineResult>((resolve) => this.waiting.set(id, resolve));
    const run: InlineRun = { program, operation, folder, environment };
    if (this.child.connected) this.child.send({ id, run });
    return Promise.race([result, this.ended]);
  }

  /** Ends the process, and returns what it has printed itself. */
  async close(): Promise<string> {
    this.child.kill();
    await this.ended.catch(() => {});
    return this.printed;
  }
}
