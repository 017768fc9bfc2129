/** Random numbers that follow from a seed and the number of a schedule (algorithm: mulberry32). */
export class Random {
  private state: number;

  constructor(seed: number, schedule: number) {
    this.state = scrambled(seed ^ scrambled(schedule + 1));
  }

  /** At least `min`, at most `max`. */
  integer(min: number, max: number): number {
    return min + Math.floor((this.next() / 2 ** 32) * (max - min + 1));
  }

  /** From 0 to 1, in steps that keep sums of times exact. */
  fraction(): number {
    return this.integer(0, 1_023) / 1_024;
  }

  chance(probability: number): boolean {
    return this.next() < probability * 2 ** 32;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.integer(0, values.length - 1)] as T;
  }

  private next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    return scrambled(this.state);
  }
}

/** Spreads neighbouring numbers over all 32 bits. */
function scrambled(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 15), number | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}
