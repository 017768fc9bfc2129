/*
 * The command line runs a program in a process of its own, which ends when nothing is left to do. An
 * inline program of the Automation API shares its process. It ends when its function has ended and no
 * RPC of the SDK is under way. It does not wait for reads (https://github.com/pulumi/pulumi/issues/20114),
 * so the engine would delete what the program makes from their results. It would also delete after an
 * unhandled error, because the SDK looks for errors only when the engine has finished: `run` in
 * automation/server.js of @pulumi/pulumi 3.270.0, after `disconnect` of runtime/settings.js. The same
 * holds for a component of a component provider: `construct` in provider/server.js.
 *
 * So each read counts as an RPC of its program, which fails if the program has logged an error.
 */
import type { AsyncLocalStorage } from "node:async_hooks";
import * as pulumi from "@pulumi/pulumi";
import { clock, sleep } from "../../provider/http/clock.js";

/** Marks a program whose Outputs must not settle any more. All copies of this package know it. */
const hasEnded = Symbol.for("pulumi-project-service.hasEnded");

/** Marks a program that fails when its RPCs have ended. */
const isFailing = Symbol.for("pulumi-project-service.isFailing");

/** What the SDK keeps of a program that shares its process. */
interface Program {
  readonly settings: {
    /** Settles when all RPCs have ended. The SDK waits for it before it ends a program. */
    rpcDone: Promise<unknown>;
  };
  /** Whether the engine has ended, for instance after a resource failed. */
  readonly terminated?: boolean;
  [hasEnded]?: true;
  [isFailing]?: true;
}

function currentProgram(): Program | undefined {
  // Every copy of the SDK in a process finds its programs here. A program of the command line is not here.
  const { asyncLocalStorage } = globalThis as { asyncLocalStorage?: AsyncLocalStorage<Program> };
  return asyncLocalStorage?.getStore();
}

/** Whether this is an inline program, and not a component of a component provider. */
export function isInlineProgram(): boolean {
  return currentProgram() !== undefined && pulumi.runtime.getStackResource() !== undefined;
}

/** Lets an inline program wait for a read, or for what may start one, and for the callbacks of its result. */
export function waitFor(read: Promise<unknown>): void {
  const program = currentProgram();
  if (program === undefined) return;
  let isPending = true;
  const end = () => void (isPending = false);
  read.then(end, end);
  const { settings } = program;
  settings.rpcDone = settings.rpcDone.then(() => endRead(program, () => isPending));
}

/** An Output with promises that the types of the SDK do not contain. */
export type OutputPromises = pulumi.Output<unknown> & {
  readonly isKnown: Promise<boolean>;
  readonly isSecret: Promise<boolean>;
  promise(): Promise<unknown>;
};

/** Lets an inline program wait for an Output, whose read may have to wait for other Outputs. */
export function waitForOutput(output: pulumi.Output<unknown>): void {
  waitFor((output as OutputPromises).isKnown);
}

async function endRead(program: Program, isPending: () => boolean): Promise<void> {
  const hasFailed = () => program.terminated === true || pulumi.log.hasErrors();
  // Before it runs an immediate or a timer, Node reports the rejections that nobody handles.
  await new Promise((resolve) => clock.setImmediate(resolve));
  // An Output of a failed resource can stay pending forever, without any event.
  while (isPending() && !hasFailed()) await sleep(20);
  if (!hasFailed()) return;
  const outputs = pulumi.runtime.getStackResource()?.outputs as OutputPromises | undefined;
  const functionHasThrown = await outputs?.promise().then(
    () => false,
    () => true,
  );
  const failsAnyway = functionHasThrown || program.terminated === true;
  // The SDK sends messages one after another: when this one has arrived, the errors have too.
  if (!failsAnyway) await pulumi.log.debug("A read has ended after an error.");
  if (program[isFailing]) return;
  program[isFailing] = true;
  endAfterRpcs(program, outputs !== undefined, failsAnyway);
}

/** The engine drops the connection of an RPC that is under way when the program fails, which would end the host. */
function endAfterRpcs(program: Program, isWhole: boolean, failsAnyway: boolean): void {
  const { settings } = program;
  const own = settings.rpcDone.then(() => {
    // Other RPCs have started since. That of a resource can wait for a read.
    if (settings.rpcDone !== own) return endAfterRpcs(program, isWhole, failsAnyway);
    // The SDK will no longer listen for errors: a rejection would end the host.
    if (isWhole) program[hasEnded] = true;
    if (failsAnyway) return;
    // The SDK waits for the RPCs again, to clean up after the failure, and must not fail there.
    if (isWhole) settings.rpcDone = Promise.resolve();
    throw new Error("The program failed: see the errors above.");
  });
  own.catch(() => {});
  settings.rpcDone = own;
}

/** To be awaited before a read settles. Stays pending if the inline program has failed. */
export async function whileProgramRuns(): Promise<void> {
  if (currentProgram()?.[hasEnded]) await new Promise(() => {});
}
