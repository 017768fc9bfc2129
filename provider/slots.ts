/**
 * Lets so many tasks run at a time; the others wait their turn, in order. What a task does first,
 * such as starting a deadline or taking a token, thus happens when it is due and not before.
 */
export class Slots {
  private free: number;
  private waiting: { readonly start: () => void; readonly giveUp: (error: Error) => void }[] = [];

  constructor(count: number) {
    this.free = count;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else {
      await new Promise<void>((start, giveUp) => this.waiting.push({ start, giveUp }));
    }
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free++;
      else next.start();
    }
  }

  /** Fails all tasks that wait; those that run go on. */
  failWaiting(error: Error): void {
    const { waiting } = this;
    this.waiting = [];
    for (const { giveUp } of waiting) giveUp(error);
  }
}
