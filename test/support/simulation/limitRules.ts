import type { Attempt, Operation } from "./events.js";
import type { Rules } from "./world.js";

const maxAttempts = 3;
const maxRetriesInOutage = 35;
const maxRetryAfterSeconds = 30;

interface RetriesOfClient {
  outage: number;
  lastRetryMs: number;
  readonly retriesIn: Map<number, number>;
}

const newRetries = (): RetriesOfClient => ({
  outage: 0,
  lastRetryMs: -Infinity,
  retriesIn: new Map(),
});

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
        const isProbe = kind === "read" && attempt.operation.kind === "once";
        if (isProbe && repeats.length === 0) return;
        if (kind !== "read" || first.status !== 401 || repeats.length > 0) {
          violated(`${path} is sent again in the same attempt`);
        }
      }
    };
  },

  "an outage causes at most 35 retries of each client": ({ clock }, violated) => {
    // Each success ends an outage, and so does a minute without a decision for a retry. A retry is
    // decided on between the end of the attempt before it and its own start, at most 30 s before. It
    // counts for the first outage of this time that allows it.
    const clients = new Map<object, RetriesOfClient>();
    const outageOf = new Map<Operation, number>();
    return (event) => {
      if (event.type !== "attempt started" && event.type !== "attempt ended") return;
      const { operation, number } = event.attempt;
      const state = clients.get(operation.client) ?? newRetries();
      clients.set(operation.client, state);
      if (event.type === "attempt ended") {
        if (event.attempt.failure === undefined && operation.kind === "run") state.outage++;
        outageOf.set(operation, state.outage);
      } else if (number > 1) {
        const nowMs = clock.monotonicMs();
        if (nowMs - state.lastRetryMs >= 30_000) state.outage++;
        state.lastRetryMs = nowMs;
        let decidedIn = outageOf.get(operation) as number;
        const retries = (): number => state.retriesIn.get(decidedIn) ?? 0;
        while (decidedIn < state.outage && retries() >= maxRetriesInOutage) decidedIn++;
        state.retriesIn.set(decidedIn, retries() + 1);
        if (retries() > maxRetriesInOutage) violated(`${retries()} retries without a success`);
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
