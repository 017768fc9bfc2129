const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/** Lets signals end the process only when the present task has ended: a handler runs between two tasks. */
export function deferSignals(): void {
  for (const signal of endingSignals) {
    if (process.listenerCount(signal) > 0) continue;
    process.once(signal, () => process.kill(process.pid, signal));
  }
}
