/**
 * Runs a task so that a failure reaches the caller as a plain rejection, not as an exception that
 * passes through the promises that wait for the task.
 *
 * Pulumi enables V8's debugger, to serialize closures. With it, V8 follows every promise that waits for
 * a throwing function, to find out whether anybody catches the exception. Outputs that are combined,
 * for instance by `pulumi.interpolate`, form a graph in which that search takes exponential time, and
 * the program never ends. The search stops at a handler of a rejection, such as the one here.
 *
 * @param translate returns the error that the caller gets.
 */
export function plainPromise<T>(
  task: () => T | Promise<T>,
  translate: (error: Error) => Error = (error) => error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    Promise.resolve()
      .then(task)
      .then(resolve, (error: Error) => reject(translate(error)));
  });
}

/** The errors of failed reads. */
const errors = new WeakSet<object>();
let isListening = false;

/**
 * Prevents Node's warning about a rejection that is handled late.
 *
 * Pulumi waits for the outputs of a stack when it has loaded the program. A read can fail before, for
 * instance while the program awaits something else. Pulumi has then reported the error already.
 */
export function avoidWarning(error: object): void {
  errors.add(error);
  if (isListening) return;
  isListening = true;
  process.on("rejectionHandled", (promise) => {
    promise.catch((reason: unknown) => {
      const isOurs = typeof reason === "object" && reason !== null && errors.has(reason);
      // Node prints the warning only if nobody listens.
      if (isOurs || process.listenerCount("rejectionHandled") > 1) return;
      process.emitWarning(
        "Promise rejection was handled asynchronously",
        "PromiseRejectionHandledWarning",
      );
    });
  });
}
