import { codeAndStatus, ProjectServiceError } from "../errors/projectServiceError.js";
import { clock } from "../http/clock.js";
import {
  type Attempt,
  type History,
  historyAfter,
  nextStartMs,
  outageError,
  pauseError,
  slownessOf,
  startedState,
  stateAfter,
  stateAfterFailure,
} from "./policy.js";

/** A read that has a place, and waits for its turn. */
interface Waiting {
  readonly fromMs: number;
  /** It fails at once if it would have to wait until then. */
  readonly endMs: number;
  /** Of its last attempt. */
  readonly error: ProjectServiceError | undefined;
  readonly start: () => void;
  readonly fail: (error: Error) => void;
}

/** Holds reads back: each waits for a place, and each of its attempts for its turn. The policy says when, and when it ends. */
export class Queue {
  private running = 0;
  private queued: Pick<Waiting, "start" | "fail">[] = [];
  private readonly waiting = new Set<Waiting>();
  private timer: NodeJS.Timeout | undefined;
  private state = startedState(0);

  constructor(private readonly concurrency: number) {}

  /** Runs a read in a place of its own. Queued reads start in order. */
  async run<T>(read: () => Promise<T>): Promise<T> {
    if (this.running === 0) this.state = startedState(clock.now());
    if (this.running < this.concurrency) this.running++;
    else await new Promise<void>((start, fail) => this.queued.push({ start, fail }));
    try {
      return await read();
    } catch (error) {
      this.state = stateAfterFailure(this.state, error);
      this.startWaiting();
      throw error;
    } finally {
      const next = this.queued.shift();
      if (next === undefined) this.running--;
      else next.start(); // in the place of this one
    }
  }

  /**
   * Waits until an attempt may start: at `fromMs`, or later. Rejects at once if that is after `endMs`.
   *
   * @param error of the last attempt, with which the read ends if it gets no other one.
   */
  turn(fromMs: number, endMs: number, error?: ProjectServiceError): Promise<void> {
    return new Promise((start, fail) => {
      this.waiting.add({ fromMs, endMs, error, start, fail });
      this.startWaiting();
    });
  }

  record(attempt: Attempt, history: History): History {
    this.state = stateAfter(this.state, attempt, history.attempts + 1, this.concurrency);
    this.startWaiting(); // a success can end a pause
    return historyAfter(history, attempt, this.state, this.concurrency);
  }

  get slowness(): string | undefined {
    return slownessOf(this.state, clock.now());
  }

  private startWaiting(): void {
    const nowMs = clock.now();
    const outage = outageError(this.state, this.concurrency, nowMs);
    if (outage !== undefined) this.failAll(outage);
    let nextMs = Infinity;
    for (const read of this.waiting) {
      const refusal = pauseError(this.state, read.endMs, nowMs);
      const atMs = Math.max(read.fromMs, nextStartMs(this.state));
      if (refusal !== undefined) {
        this.fail(read, unsentError("the service asks to wait", refusal));
      } else if (atMs > nowMs) {
        nextMs = Math.min(nextMs, atMs);
      } else {
        this.waiting.delete(read);
        this.state = { ...this.state, startedMs: nowMs };
        read.start();
      }
    }
    clock.clearTimeout(this.timer);
    if (nextMs < Infinity) this.timer = clock.setTimeout(() => this.startWaiting(), nextMs - nowMs);
  }

  private failAll(cause: ProjectServiceError): void {
    // One object, because Pulumi prints each object once.
    const error = unsentError("earlier reads failed", cause);
    for (const { fail } of this.queued) fail(error);
    this.queued = [];
    for (const read of this.waiting) this.fail(read, error);
  }

  private fail(read: Waiting, unsent: ProjectServiceError): void {
    this.waiting.delete(read);
    read.fail(read.error ?? unsent);
  }
}

/** Does not say which read failed, whose argument may be secret. */
function unsentError(reason: string, error: ProjectServiceError): ProjectServiceError {
  const { code, status } = error;
  const text = `This read was not sent, because ${reason} (${codeAndStatus(error)}).`;
  return new ProjectServiceError(code, text, { status });
}
