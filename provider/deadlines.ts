interface Deadline {
  readonly atMs: number;
  readonly onExpiry: () => void;
}

/**
 * Deadlines of many requests. All share one timer, which is set to the earliest deadline that was
 * running at the time. Most requests end long before: they neither set nor clear a timer.
 *
 * A running deadline keeps the process alive. Otherwise a request whose connection vanishes without
 * an event would let the process end in silence, with its promise pending and exit code 0.
 */
export class Deadlines {
  private readonly running = new Set<Deadline>();
  private timer: NodeJS.Timeout | undefined;
  private timerAtMs = Infinity;

  /**
   * Calls `onExpiry` at a time, unless the function that it returns is called before.
   *
   * @param atMs on the clock of `performance.now()`.
   */
  start(atMs: number, onExpiry: () => void): () => void {
    const deadline = { atMs, onExpiry };
    if (this.running.size === 0) this.timer?.ref();
    this.running.add(deadline);
    if (atMs < this.timerAtMs) this.setTimer(atMs);
    return () => this.stop(deadline);
  }

  private stop(deadline: Deadline): void {
    if (this.running.delete(deadline) && this.running.size === 0) this.timer?.unref();
  }

  private setTimer(atMs: number): void {
    clearTimeout(this.timer);
    this.timerAtMs = atMs;
    this.timer = setTimeout(() => this.expire(), Math.ceil(atMs - performance.now()));
  }

  private expire(): void {
    this.timerAtMs = Infinity;
    const nowMs = performance.now();
    const due = [...this.running].filter(({ atMs }) => atMs <= nowMs);
    for (const deadline of due) {
      this.running.delete(deadline);
      deadline.onExpiry();
    }
    const nextMs = Math.min(...[...this.running].map(({ atMs }) => atMs));
    if (nextMs < this.timerAtMs) this.setTimer(nextMs);
  }
}
