import {
  ProjectServiceError,
  type ProjectServiceErrorCode,
} from "../../../provider/errors/projectServiceError.js";
import type { Observer } from "./events.js";
import { troublesOf } from "./troubles.js";
import type { ObservedWorld } from "./world.js";

const errorCodes: readonly ProjectServiceErrorCode[] = [
  "LOGIN_REJECTED",
  "LOGIN_UNAVAILABLE",
  "TOKEN_REFUSED",
  "FORBIDDEN",
  "NOT_FOUND",
  "RATE_LIMITED",
  "SERVICE_UNAVAILABLE",
  "UNREACHABLE",
  "TLS_FAILED",
  "TIMEOUT",
  "LIST_INCOMPLETE",
];

const budgetedRetries = 35;

/** Kinds of events that must be frequent. Otherwise the rules are hardly tested. */
export const expectedCounts: readonly string[] = [
  ...Object.entries(troublesOf).flatMap(([kind, troubles]) =>
    Object.keys(troubles).map((trouble) => `${kind}, ${trouble}`),
  ),
  "read, 200",
  "read, 401",
  "repeat after a 401",
  "password, 200",
  "password, 400",
  "refresh, 200",
  "refresh, 400",
  "wall clock jumps",
  "machine sleeps",
  "access tokens are revoked",
  "refresh tokens are revoked",
  "password is changed",
  "password is set back",
  "project",
  "list",
  ...errorCodes,
  "waiting reads fail together",
  "rejection is remembered",
  "outage uses up all retries",
  "renewal goes on after the last call",
];

/** Counts the events of all schedules by their kinds. */
export class Tally {
  private readonly counts = new Map<string, number>();

  count(what: string): number {
    return this.counts.get(what) ?? 0;
  }

  watch({ clock }: ObservedWorld): Observer {
    let tokenRequests = 0;
    let retries = 0;
    const rejectedAtMs = new Map<ProjectServiceError, number>();
    const addError = (startMs: number, error: ProjectServiceError): void => {
      this.add(error.code);
      if (error.message.startsWith("This read was not sent, because earlier reads failed")) {
        this.add("waiting reads fail together");
      }
      if (error.code !== "LOGIN_REJECTED") return;
      const rejectedMs = rejectedAtMs.get(error);
      if (rejectedMs === undefined) rejectedAtMs.set(error, clock.monotonicMs());
      else if (startMs > rejectedMs) this.add("rejection is remembered");
    };
    return (event) => {
      switch (event.type) {
        case "call started":
          return this.add("calls");
        case "call succeeded":
          return this.add(event.call.projectId === "list" ? "list" : "project");
        case "call failed":
          if (!(event.error instanceof ProjectServiceError)) return;
          return addError(event.call.startMs, event.error);
        case "attempt started":
          if (event.attempt.number > 1 && ++retries === budgetedRetries) {
            this.add("outage uses up all retries");
          }
          return;
        case "attempt ended":
          if (event.attempt.failure === undefined) retries = 0;
          return;
        case "request sent":
          this.add("requests");
          if ((event.request.attempt?.requests.length ?? 0) > 0) this.add("repeat after a 401");
          return;
        case "request ended": {
          const { kind, trouble, status } = event.request;
          return this.add(`${kind}, ${trouble ?? status ?? "too late"}`);
        }
        case "token request started":
          return void tokenRequests++;
        case "token request ended":
          return void tokenRequests--;
        case "disturbance":
          return this.add(event.disturbance.name);
        case "all calls settled":
          if (tokenRequests > 0) this.add("renewal goes on after the last call");
      }
    };
  }

  private add(what: string): void {
    this.counts.set(what, this.count(what) + 1);
  }
}
