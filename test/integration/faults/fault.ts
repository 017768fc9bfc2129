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

export const accepted: Outcomes = { signIn: "1: success", reads: "1: success" };

/** The response cannot be used, and is not requested again. */
export const invalidResponse: Outcomes = {
  signIn: "1: LOGIN_RESPONSE_INVALID",
  reads: "1: RESPONSE_INVALID",
};

/** Returns the outcome of a fault that this kind of request meets. */
export function outcomeOf({ outcome }: Fault, target: Target): Outcome {
  if (target === "signIn") return outcome.signIn;
  return "reads" in outcome ? outcome.reads : outcome[target];
}
