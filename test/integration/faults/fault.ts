import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { ProjectServiceErrorCode } from "../../../provider/errors/projectServiceError.js";

/** The kind of request that meets a fault. */
export type Target = "signIn" | "list" | "read";

/** How many requests reach the server, and how the call ends. */
export type Outcome = `${number}: ${"success" | ProjectServiceErrorCode}`;

/** The outcomes of a fault. `reads` stands for those of a list and of a single read. */
export type Outcomes =
  | { readonly signIn: Outcome; readonly reads: Outcome }
  | { readonly signIn: Outcome; readonly list: Outcome; readonly read: Outcome };

export interface Fault {
  readonly name: string;
  readonly outcome: Outcomes;
  /** Responds to a request that meets the fault. Without it, the fault is at the address. */
  readonly respond?: Respond;
  /** Starts the server to which the requests that meet the fault go, and returns its address. */
  readonly start?: (listener: RequestListener) => Promise<string>;
  /** Whether only the deadline ends an attempt. The test then sets a short timeout. */
  readonly stalls?: true;
}

export type Respond = (exchange: Exchange) => void;

/** A request that meets a fault. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The correct response, as JSON text. */
  readonly correct: string;
  /** The number of earlier requests of the same kind. */
  readonly earlierRequests: number;
}

/** Returns faults: what happens, how the server responds to it or where it starts, and how the calls end. */
export function faultsOf(
  rows: readonly (readonly [
    name: string,
    act: Respond | Omit<Fault, "name" | "outcome">,
    outcome: Outcomes,
  ])[],
): Fault[] {
  return rows.map(([name, act, outcome]) => ({
    ...(typeof act === "function" ? { respond: act } : act),
    ...{ name, outcome },
  }));
}

/** Returns the outcomes of a sign-in, and of a list and a single read. */
export function ends(signIn: Outcome, reads: Outcome): Outcomes {
  return { signIn, reads };
}

export const accepted = ends("1: success", "1: success");

/** The response cannot be used, and is not requested again. */
export const invalidResponse = ends("1: LOGIN_RESPONSE_INVALID", "1: RESPONSE_INVALID");

/** Returns the outcome of a fault that this kind of request meets. */
export function outcomeOf({ outcome }: Fault, target: Target): Outcome {
  if (target === "signIn") return outcome.signIn;
  return "reads" in outcome ? outcome.reads : outcome[target];
}
