import { Retry } from "../../../provider/http/retry.js";
import type { TimeLimit } from "../../../provider/http/limits.js";
import type { Attempt, Observer, Operation } from "./events.js";

/** Retries as the provider does, and reports each attempt to an observer. */
export class ObservedRetry extends Retry {
  private operations = 0;
  /** Each attempt gets a limit object of its own, which identifies its requests. */
  private readonly attempts = new WeakMap<TimeLimit, Attempt>();

  constructor(
    private readonly nowMs: () => number,
    private readonly observer: Observer,
    ...args: ConstructorParameters<typeof Retry>
  ) {
    super(...args);
  }

  attemptOf(limit: TimeLimit): Attempt | undefined {
    return this.attempts.get(limit);
  }

  override run<T>(
    attempt: (limit: TimeLimit) => Promise<T>,
    outer?: TimeLimit,
    mayRetry?: (limit: TimeLimit) => Promise<boolean>,
  ): Promise<T> {
    const operation = this.begin("run", outer);
    return this.finish(operation, super.run(this.observed(operation, attempt), outer, mayRetry));
  }

  override once<T>(attempt: (limit: TimeLimit) => Promise<T>): Promise<T> {
    const operation = this.begin("once");
    return this.finish(operation, super.once(this.observed(operation, attempt)));
  }

  private begin(kind: Operation["kind"], outer?: TimeLimit): Operation {
    const number = ++this.operations;
    return { client: this, number, kind, startMs: this.nowMs(), outer, attempts: 0 };
  }

  private observed<T>(
    operation: Operation,
    run: (limit: TimeLimit) => Promise<T>,
  ): (limit: TimeLimit) => Promise<T> {
    return async (sharedLimit) => {
      const limit = { ...sharedLimit };
      const number = ++operation.attempts;
      const attempt: Attempt = { operation, number, startMs: this.nowMs(), limit, requests: [] };
      this.attempts.set(limit, attempt);
      this.observer({ type: "attempt started", attempt });
      try {
        return await run(limit);
      } catch (error) {
        attempt.failure = error;
        throw error;
      } finally {
        this.observer({ type: "attempt ended", attempt });
      }
    };
  }

  private async finish<T>(operation: Operation, result: Promise<T>): Promise<T> {
    try {
      return await result;
    } finally {
      this.observer({ type: "operation ended", operation });
    }
  }
}
