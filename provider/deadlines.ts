interface Deadline {
  readonly atMs: number;
  readonly onExpiry: () => void;
}

/**
 * Deadlines of many requests on one timer, which stands at the earliest of those that were running
 * when it was last set. Most requests end long before: for them nothing is set and nothing cleared.
 */
export class Deadlines {
  private readonly running = new Set<Deadline>();
  private timer: NodeJS.Timeout | undefined;
  private timerAtMs = Infinity;

  /** Calls `onExpiry` in so many ms, unless the function that it returns is called before. */
  start(ms: number, onExpiry: () => void): () => void {
    const deadline = { atMs: performance.now() + ms, onExpiry };
    this.running.add(deadline);
    if (deadline.atMs < this.timerAtMs) this.setTimer(deadline.atMs);
    return () => this.running.delete(deadline);
  }

  private setTimer(atMs: number): void {
    clearTimeout(this.timer);
    this.timerAtMs = atMs;
    // What is under way keeps the program alive, a timer that may have nothing to end must not.
    this.timer = setTimeout(() => this.expire(), Math.ceil(atMs - performance.now())).unref();
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
