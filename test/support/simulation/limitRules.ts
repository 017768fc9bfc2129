import type { Attempt, Operation } from "./events.js";
import type { Rules } from "./rule.js";

const maxAttempts = 3;
const maxRetriesInOutage = 35;
const maxRetryAfterSeconds = 30;

/** Rules about the traffic that the client causes, and about its time limits. */
export const limitRules: Rules = {
  "a request gets at most three attempts, and each of them at most one repeat, after a 401": (
    _world,
    violated,
  ) => {
    return (event) => {
      if (event.type === "attempt started") {
        const { number, operation } = event.attempt;
        const allowed = operation.kind === "run" ? maxAttempts : 1;
        if (number > allowed) violated(`request ${operation.number} gets attempt ${number}`);
      }
      if (event.type === "request sent") {
        const { attempt, kind, path } = event.request;
        if (attempt === undefined) return violated(`${path} is no part of an attempt`);
        const [first, ...repeats] = attempt.requests;
        if (first === undefined) return;
        if (kind !== "read" || first.status !== 401 || repeats.length > 0) {
          violated(`${path} is sent again in the same attempt`);
        }
      }
    };
  },

  "an outage causes at most 35 retries of each client": ({ plan }, violated) => {
    // Each success ends an outage. A retry is decided on between the end of the attempt before it and
    // its own start, and counts for the first outage of this time that allows it.
    const allowed = maxRetriesInOutage * plan.clients;
    let outage = 0;
    const outageOf = new Map<Operation, number>();
    const retriesIn = new Map<number, number>();
    return (event) => {
      if (event.type === "attempt ended") {
        const { operation, failure } = event.attempt;
        if (failure === undefined && operation.kind === "run") outage++;
        outageOf.set(operation, outage);
      }
      if (event.type === "attempt started" && event.attempt.number > 1) {
        let decidedIn = outageOf.get(event.attempt.operation) as number;
        const retries = (): number => retriesIn.get(decidedIn) ?? 0;
        while (decidedIn < outage && retries() >= allowed) decidedIn++;
        retriesIn.set(decidedIn, retries() + 1);
        if (retries() > allowed) violated(`${retries()} retries without a success`);
      }
    };
  },

  "a retry waits as long as the service asks, and there is none after more than 30 s": (
    { clock },
    violated,
  ) => {
    const allowedFromMs = new Map<Operation, number>();
    return (event) => {
      if (event.type !== "attempt started" && event.type !== "attempt ended") return;
      const { operation } = event.attempt;
      if (event.type === "attempt ended") {
        const seconds = event.attempt.requests.at(-1)?.retryAfterSeconds ?? 0;
        const waitMs = seconds > maxRetryAfterSeconds ? Infinity : seconds * 1_000;
        allowedFromMs.set(operation, clock.monotonicMs() + waitMs);
      } else {
        const earlyMs = (allowedFromMs.get(operation) ?? 0) - clock.monotonicMs();
        if (earlyMs > 0) violated(`request ${operation.number} is retried ${earlyMs} ms too early`);
      }
    };
  },

  "an attempt, a request and a list end within their limits, not counting the first wait for a token":
    ({ clock, limits }, violated) => {
      /** By the limit of the list. */
      const listEnds = new Map<object, number>();
      const check = (what: string, endMs: number): void => {
        const lateMs = clock.monotonicMs() - endMs;
        if (lateMs > 0) violated(`${what}, ${lateMs} ms after its limit`);
      };
      const endOf = ({ startMs, limit, operation }: Attempt): number =>
        Math.min(
          startMs + limits.attemptMs,
          operation.startMs + limits.totalMs,
          listEnds.get(operation.outer ?? {}) ?? Infinity,
          limit.endMs,
        );
      return (event) => {
        switch (event.type) {
          case "attempt started": {
            const { outer, startMs } = event.attempt.operation;
            if (outer !== undefined && !listEnds.has(outer)) {
              listEnds.set(outer, startMs + limits.listMs);
            }
            return check("an attempt starts", endOf(event.attempt));
          }
          case "request sent":
            if (event.request.attempt === undefined) return;
            return check("a request is sent", endOf(event.request.attempt));
          case "attempt ended":
            return check("an attempt ends", endOf(event.attempt));
          case "operation ended":
            return check(
              "a request with its retries ends",
              event.operation.startMs + limits.totalMs,
            );
          case "call succeeded":
          case "call failed":
            if (event.call.projectId === "list") {
              const ends = [...listEnds.values()];
              check("the list ends", ends.length === 0 ? Infinity : Math.max(...ends));
            }
        }
      };
    },

  "at most maxConcurrency reads run at the same time": ({ plan }, violated) => {
    let running = 0;
    return (event) => {
      if (event.type !== "request sent" && event.type !== "request ended") return;
      if (event.request.kind !== "read") return;
      running += event.type === "request sent" ? 1 : -1;
      if (running > plan.maxConcurrency * plan.clients) violated(`${running} run at the same time`);
    };
  },
};
