import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import { createAuthority, createCertificate } from "../../support/certificates.js";
import { listen } from "../../support/listen.js";
import type { Fault, Target } from "./fault.js";
import { respondCorrectly } from "./responses.js";

/** The authority that a client of these services trusts. */
export const authority = createAuthority("A private authority");

/**
 * Starts a service with a fault that one kind of request meets. All other requests get correct responses.
 *
 * @param responses the correct responses, as JSON text.
 */
export async function startFaultyService(
  { respond = respondCorrectly, start }: Fault,
  target: Target,
  responses: Readonly<Record<Target, string>>,
) {
  let requests = 0;
  const listener: RequestListener = (request, response) => {
    request.resume().on("end", () => {
      const requested = targetOf(request.url ?? "");
      const correct = responses[requested];
      if (requested === target)
        respond({ request, response, correct, earlierRequests: requests++ });
      else respondCorrectly({ response, correct });
    });
  };
  const correctUrl = `http://127.0.0.1:${await listen(createServer(listener))}`;
  const faultyUrl = (await start?.(listener)) ?? correctUrl;
  return {
    baseUrl: target === "signIn" ? correctUrl : faultyUrl,
    authUrl: target === "signIn" ? faultyUrl : correctUrl,
    /** Returns how many requests met the fault. */
    requests: () => requests,
  };
}

/** Returns the start of a server at localhost whose certificate has something wrong. */
export function withCertificate(
  host: string,
  { issuer = authority, expired = false, scheme = "https" } = {},
  options: ServerOptions = {},
): (listener: RequestListener) => Promise<string> {
  return async (listener) => {
    const certificate = createCertificate(issuer, host, { expired });
    const server = createTlsServer({ ...certificate, ...options }, listener);
    return `${scheme}://localhost:${await listen(server)}`;
  };
}

function targetOf(path: string): Target {
  if (path.includes("/protocol/openid-connect/token")) return "signIn";
  return path.endsWith("/projects") ? "list" : "read";
}
