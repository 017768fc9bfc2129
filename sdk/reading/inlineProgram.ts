/*
 * The command line runs a program in a process of its own, which ends when nothing is left to do. An
 * inline program of the Automation API shares its process. It ends when its function has ended and no
 * RPC of the SDK is under way. It does not wait for reads (https://github.com/pulumi/pulumi/issues/20114),
 * so the engine would delete what the program makes from their results. It would also delete after an
 * unhandled error, because the SDK looks for errors only when the engine has finished: `run` in
 * automation/server.js of @pulumi/pulumi 3.270.0, after `disconnect` of runtime/settings.js. The same
 * holds for a component of a component provider: `construct` in provider/server.js.
 *
 * A read therefore counts as an RPC of its program. If the program has logged an error when the reads
 * have ended, this RPC fails. The program then fails before the engine deletes anything.
 */
import type { AsyncLocalStorage } from "node:async_hooks";
import * as pulumi from "@pulumi/pulumi";

/** What the SDK keeps of a program that shares its process. */
interface Program {
  readonly settings: {
    /** Settles when all RPCs have ended. The SDK waits for it before it ends a program. */
    rpcDone: Promise<unknown>;
  };
  /** Whether the engine has ended, for instance after a resource failed. */
  readonly terminated?: boolean;
}

function currentProgram(): Program | undefined {
  // Every copy of the SDK in a process finds its programs here. A program of the command line is not here.
  const { asyncLocalStorage } = globalThis as { asyncLocalStorage?: AsyncLocalStorage<Program> };
  return asyncLocalStorage?.getStore();
}

/** Shared between copies of this package, so that a program has only one hold. */
const holds: WeakMap<Program, ProgramHold> = ((globalThis as Record<symbol, unknown>)[
  Symbol.for("pulumi-project-service.holds")
] ??= new WeakMap<Program, ProgramHold>()) as WeakMap<Program, ProgramHold>;

/** Lets an inline program wait for a read, and for the callbacks of its result. */
export function waitForRead(read: Promise<unknown>): void {
  holdOfProgram()?.count("reads", read);
}

/** Lets an inline program wait for an Output, whose read may have to wait for other Outputs. */
export function waitForOutput(output: pulumi.Output<unknown>): void {
  holdOfProgram()?.count("outputs", (output as OutputPromises).isKnown);
}

/**
 * Whether the inline program has failed. The SDK then no longer listens for errors, so an Output must
 * not reject: it would end the host.
 */
export function hasProgramFailed(): boolean {
  const program = currentProgram();
  return program !== undefined && holds.get(program)?.hasFailed === true;
}

/** An Output with promises that the types of the SDK do not contain. */
export type OutputPromises = pulumi.Output<unknown> & {
  readonly isKnown: Promise<boolean>;
  readonly isSecret: Promise<boolean>;
  promise(): Promise<unknown>;
};

function holdOfProgram(): ProgramHold | undefined {
  const program = currentProgram();
  if (program === undefined) return undefined;
  const existing = holds.get(program);
  if (existing !== undefined && (existing.isOpen || existing.hasFailed)) return existing;
  const hold = new ProgramHold(program);
  holds.set(program, hold);
  return hold;
}

/** Keeps a program from its end until its reads have ended. */
class ProgramHold {
  isOpen = true;
  hasFailed = false;
  private readonly pending = { reads: 0, outputs: 0 };
  private readonly endRpc: (failure?: Promise<never>) => void;
  private readonly stackOutputs: OutputPromises | undefined;
  /** Whether the program's function still runs. Only then can it throw the error itself. */
  private isProgramRunning: boolean;
  private hasProgramThrown = false;
  /** Whether the RPCs before this one are under way. The SDK looks at this one when they have ended. */
  private areOthersRunning = true;
  private areMessagesSent: boolean | undefined;
  /** An Output of a failed resource can stay pending for ever, without any event. */
  private readonly timer = setInterval(() => this.check(), 100).unref();

  constructor(private readonly program: Program) {
    const others = program.settings.rpcDone;
    this.endRpc = pulumi.runtime.rpcKeepAlive();
    this.stackOutputs = pulumi.runtime.getStackResource()?.outputs as OutputPromises | undefined;
    this.isProgramRunning = this.stackOutputs !== undefined;
    this.stackOutputs?.promise().then(
      () => this.update(() => (this.isProgramRunning = false)),
      () => this.update(() => (this.hasProgramThrown = true)),
    );
    const end = () => this.update(() => (this.areOthersRunning = false));
    others.then(end, end);
  }

  count(kind: "reads" | "outputs", promise: Promise<unknown>): void {
    this.pending[kind]++;
    const end = () => this.update(() => this.pending[kind]--);
    promise.then(end, end);
  }

  /** Changes the state after the callbacks of a promise have run, and Node has reported its rejection. */
  private update(change: () => void): void {
    setImmediate(() => {
      change();
      this.check();
    });
  }

  private check(): void {
    if (!this.isOpen) return;
    if (this.program.terminated === true) return this.close();
    if (this.pending.reads > 0) return;
    if (this.hasProgramThrown) {
      this.hasFailed = true;
      return this.close();
    }
    if (!pulumi.log.hasErrors()) return this.pending.outputs > 0 ? undefined : this.close();
    this.sendMessages();
    if (!this.isProgramRunning && !this.areOthersRunning && this.areMessagesSent) this.fail();
  }

  private close(failure?: Promise<never>): void {
    this.isOpen = false;
    clearInterval(this.timer);
    this.endRpc(failure);
  }

  private fail(): void {
    this.hasFailed = true;
    const failure = Promise.reject<never>(programFailed());
    failure.catch(() => {});
    this.close(failure);
    const { settings } = this.program;
    settings.rpcDone.catch(() => {});
    // The SDK waits for the RPCs again, to clean up after the failure, and must not fail there.
    if (this.stackOutputs !== undefined) settings.rpcDone = Promise.resolve();
  }

  /** The SDK sends messages one after another. When the last one has arrived, the errors have too. */
  private sendMessages(): void {
    if (this.areMessagesSent !== undefined) return;
    this.areMessagesSent = false;
    void pulumi.log
      .debug("The reads of this program have ended.")
      .then(() => this.update(() => (this.areMessagesSent = true)));
  }
}

/** The SDK would attach a promise to the error, which leads to the config of the stack with its secrets. */
function programFailed(): Error {
  const error = new Error("The program failed: see the errors above.");
  return Object.defineProperty(error, "promise", { get: () => undefined, set: () => {} });
}
