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
