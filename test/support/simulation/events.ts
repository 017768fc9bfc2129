/*
 * The events of a schedule. The rules, the tally and the trace observe them. Times are on the
 * monotonic clock.
 */
import type { TimeLimit } from "../../../provider/http/limits.js";
import type { TokenSet } from "../../../provider/auth/tokenCache.js";
import type { Disturbance } from "./schedulePlan.js";
import type { RequestKind } from "./troubles.js";

/** A caller's call of the client. */
export interface Call {
  /** "list" for the list of all projects. */
  readonly projectId: string;
  readonly startMs: number;
}

/** A request of the client with all its attempts. */
export interface Operation {
  /** Identifies the client. */
  readonly client: object;
  readonly number: number;
  readonly kind: "run" | "once";
  readonly startMs: number;
  /** The limit of a whole list. */
  readonly outer: TimeLimit | undefined;
  attempts: number;
}

export interface Attempt {
  readonly operation: Operation;
  /** From 1. */
  readonly number: number;
  readonly startMs: number;
  readonly limit: TimeLimit;
  readonly requests: SentRequest[];
  /** Undefined while the attempt runs, and after a success. */
  failure?: unknown;
}

/** A request on the network. An attempt that gets a 401 sends two. */
export interface SentRequest {
  readonly kind: RequestKind;
  readonly path: string;
  /** The access token of a read, the refresh token of a refresh. */
  readonly token: string;
  /** Undefined for a request that is sent without a time limit of an attempt. */
  readonly attempt: Attempt | undefined;
  readonly limit: TimeLimit;
  readonly trouble: string | undefined;
  /** Undefined while the request is running, and if no response arrives. */
  status?: number;
  retryAfterSeconds?: number | undefined;
}

/** A sign-in or a refresh that the token cache starts, with its retries. */
export interface TokenRequest {
  readonly kind: "password" | "refresh";
  /** Undefined while the request is running, and after a failure. */
  tokenSet?: TokenSet;
}

export type SimulationEvent =
  | { readonly type: "call started"; readonly call: Call }
  | { readonly type: "call succeeded"; readonly call: Call; readonly value: unknown }
  | { readonly type: "call failed"; readonly call: Call; readonly error: unknown }
  | { readonly type: "attempt started" | "attempt ended"; readonly attempt: Attempt }
  | { readonly type: "operation ended"; readonly operation: Operation }
  | { readonly type: "request sent" | "request ended"; readonly request: SentRequest }
  | {
      readonly type: "token request started" | "token request ended";
      readonly request: TokenRequest;
    }
  | { readonly type: "unhandled rejection"; readonly error: unknown }
  | { readonly type: "disturbance"; readonly disturbance: Disturbance }
  /** The client has done everything that it can do at this time. */
  | { readonly type: "client idle" }
  | { readonly type: "all calls settled" }
  /** Nothing is scheduled any more. */
  | { readonly type: "end"; readonly pending: readonly string[] };

export type Observer = (event: SimulationEvent) => void;
