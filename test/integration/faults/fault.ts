import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

/** The kind of request that meets a fault. */
export type Target = "signIn" | "list" | "read";

export interface Fault {
  readonly name: string;
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

/** Returns faults by their names: how the server responds to a request, or where it starts. */
export function faultsOf(faults: Readonly<Record<string, Respond | Omit<Fault, "name">>>): Fault[] {
  return Object.entries(faults).map(([name, act]) => ({
    ...(typeof act === "function" ? { respond: act } : act),
    name,
  }));
}
