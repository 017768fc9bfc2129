import type { IncomingMessage, ServerResponse } from "node:http";
import type { ProjectServiceErrorCode } from "../../../provider/errors/projectServiceError.js";

/** The kind of request that meets a fault. */
export type Target = "token" | "list" | "read";

/** How many requests reach the server, and the code with which the call fails. Without one it succeeds. */
export type Outcome = `${number}` | `${number}: ${ProjectServiceErrorCode}`;

/** A request that meets a fault. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The correct response, as JSON text. */
  readonly correct: string;
  /** The number of earlier requests of the same kind. */
  readonly earlierRequests: number;
}

/** The responses of a server. */
export type Respond = (exchange: Exchange) => void;

export interface Fault {
  readonly name: string;
  readonly outcome: Readonly<Record<Target, Outcome>>;
  readonly respond?: Respond;
  /** For faults below HTTP: the server to which the requests go. */
  readonly address?:
    "refused" | "unknownHost" | "silent" | "expired" | "wrongHost" | "unknownAuthority";
  /** Whether only the deadline ends an attempt. The test then sets a short timeout. */
  readonly stalls?: true;
}

/** The outcomes of a sign-in, of a list and of a single read. Without the third, it is that of the list. */
type Outcomes = readonly [token: Outcome, list: Outcome, read?: Outcome];

/** Returns faults with the same outcomes, each with its name. */
export function faults(
  [token, list, read = list]: Outcomes,
  causes: Record<string, Respond | Omit<Fault, "name" | "outcome">>,
): Fault[] {
  return Object.entries(causes).map(([name, cause]) => ({
    name,
    outcome: { token, list, read },
    ...(typeof cause === "function" ? { respond: cause } : cause),
  }));
}

/** The response cannot be used, and is not requested again. */
export const invalidResponse: Outcomes = ["1: LOGIN_RESPONSE_INVALID", "1: RESPONSE_INVALID"];
export const noConnection: Outcomes = ["1: UNREACHABLE", "3: UNREACHABLE"];
export const timeout: Outcomes = ["1: TIMEOUT", "3: TIMEOUT"];
/** The list is read once more, and is still incomplete. */
export const incompleteList: Outcomes = ["1", "1: LIST_INCOMPLETE", "1"];
export const untrustedCertificate: Outcomes = ["0: TLS_FAILED", "0: TLS_FAILED"];
