import type { IncomingMessage, ServerResponse } from "node:http";
import type { ProjectServiceErrorCode } from "../../../provider/errors/projectServiceError.js";

/** The kind of request that meets a fault. */
export type Target = "token" | "list" | "read";

/** The outcome of a call. Without `code`, it succeeds. */
export interface Outcome {
  /** The number of requests that reach the server. */
  readonly requests: number;
  readonly code?: ProjectServiceErrorCode;
}

/** A request that meets a fault. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The correct response, as JSON text. */
  readonly correct: string;
  /** The number of earlier requests of the same kind. */
  readonly earlierRequests: number;
}

export interface Fault {
  readonly name: string;
  /** For faults below HTTP: the server to which the requests go. */
  readonly address?:
    "refused" | "unknownHost" | "silent" | "expired" | "wrongHost" | "unknownAuthority";
  readonly respond?: (exchange: Exchange) => void;
  /** Whether only the deadline ends an attempt. The test then sets a short timeout. */
  readonly stalls?: true;
  readonly outcome: Readonly<Record<Target, Outcome>>;
}

export const ok = (requests: number): Outcome => ({ requests });
export const fails = (requests: number, code: ProjectServiceErrorCode): Outcome => ({
  requests,
  code,
});

/** The list and the single read have the same outcome. */
export function outcomes(token: Outcome, api: Outcome): Fault["outcome"] {
  return { token, list: api, read: api };
}

/** The response cannot be used, and is not requested again. */
export const invalidResponse = outcomes(
  fails(1, "LOGIN_RESPONSE_INVALID"),
  fails(1, "RESPONSE_INVALID"),
);
export const noConnection = outcomes(fails(1, "UNREACHABLE"), fails(3, "UNREACHABLE"));
export const timeout = outcomes(fails(1, "TIMEOUT"), fails(3, "TIMEOUT"));
/** The list is read once more, and is still incomplete. */
export const incompleteList = { token: ok(1), list: fails(2, "LIST_INCOMPLETE"), read: ok(1) };
export const untrustedCertificate = outcomes(fails(0, "TLS_FAILED"), fails(0, "TLS_FAILED"));
