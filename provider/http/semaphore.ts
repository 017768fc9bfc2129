/**
 * Limits how many tasks run at the same time. Waiting tasks start in order.
 *
 * A task takes its token and starts its limit of time when it runs, not while it waits.
 */
export class Semaphore {
  private free: number;
  private waiting: { readonly start: () => void; readonly fail: (error: Error) => void }[] = [];

  constructor(count: number) {
    this.free = count;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else {
      await new Promise<void>((start, fail) => this.waiting.push({ start, fail }));
    }
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free++;
      else next.start();
    }
  }

  /** Fails all waiting tasks. Running tasks continue. */
  failWaiting(error: Error): void {
    const { waiting } = this;
    this.waiting = [];
    for (const { fail } of waiting) fail(error);
  }
}
