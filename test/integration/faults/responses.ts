/* The ways in which the faulty server responds. */
import type { Exchange } from "./fault.js";

export function status(code: number, headers: Record<string, string> = {}, body = "{}") {
  return ({ response }: Exchange) => {
    response.writeHead(code, { "content-type": "application/json", ...headers }).end(body);
  };
}

export function body(
  content: string | ((correct: string) => string | Buffer),
  headers: Record<string, string> = {},
) {
  return ({ response, correct }: Exchange) => {
    response.writeHead(200, { "content-type": "application/json", ...headers });
    response.end(typeof content === "string" ? content : content(correct));
  };
}

/** Writes bytes to the socket, without Node's HTTP. */
export function raw(make: (correct: string) => string) {
  return ({ response, correct }: Exchange) => {
    response.socket?.end(make(correct));
  };
}

/** Returns a correct response as bytes. */
export function correctBytes(correct: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(correct)}\r\n\r\n${correct}`;
}

/** Only the first request meets the fault. */
export function once(respond: (exchange: Exchange) => void) {
  return (exchange: Exchange) =>
    exchange.earlierRequests === 0 ? respond(exchange) : respondCorrectly(exchange);
}

export function respondCorrectly({
  response,
  correct,
}: Pick<Exchange, "response" | "correct">): void {
  response.writeHead(200, { "content-type": "application/json" }).end(correct);
}

/** Changes the JSON of the correct response. */
export function change(edit: (response: WireResponse) => void) {
  return body((correct) => {
    const response = JSON.parse(correct) as WireResponse;
    edit(response);
    return JSON.stringify(response);
  });
}

/** Changes the first environment of a single read. */
export function changeEnvironment(edit: (environment: WireEnvironment) => void) {
  return change(({ projectEnvironments: [environment] = [] }) => {
    if (environment !== undefined) edit(environment);
  });
}

/** The fields that faults change, of all kinds of responses. */
interface WireResponse {
  access_token?: unknown;
  expires_in?: unknown;
  _id?: unknown;
  domain?: unknown;
  _embedded?: { projectResources: { name: unknown; domain: unknown }[] };
  projectEnvironments?: WireEnvironment[];
}

interface WireEnvironment {
  order: unknown;
  projectEnvironmentCode: { initialized: unknown };
}
