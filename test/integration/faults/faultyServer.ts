import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createSocketServer } from "node:net";
import { createAuthority, createCertificate } from "../../support/certificates.js";
import { closedPort } from "../../support/closedPort.js";
import { listen } from "../../support/listen.js";
import type { Fault, Target } from "./fault.js";

interface RunningCase {
  readonly target: Target;
  readonly fault: Fault;
  readonly responses: Readonly<Record<Target, string>>;
  /** How many requests met the fault. */
  requests: number;
}

export type FaultyServer = Awaited<ReturnType<typeof startFaultyServer>>;

/** Starts a server for many cases at the same time. */
export async function startFaultyServer() {
  const cases: RunningCase[] = [];

  const listener: RequestListener = (request, response) => {
    request.resume().on("end", () => {
      const path = request.url ?? "";
      const current = cases[Number(/^\/case-(\d+)\//.exec(path)?.[1])] as RunningCase;
      const target = targetOf(path);
      const correct = current.responses[target];
      if (target === current.target) {
        const earlierRequests = current.requests++;
        const { respond } = current.fault;
        if (respond !== undefined) return respond({ request, response, correct, earlierRequests });
      }
      response.writeHead(200, { "content-type": "application/json" }).end(correct);
    });
  };

  const authority = createAuthority("A private authority");
  const unknownAuthority = createAuthority("An unknown authority");
  const url = `http://127.0.0.1:${await listen(createServer(listener))}`;
  const tls = async (certificate: { cert: string; key: string }) =>
    `https://localhost:${await listen(createTlsServer(certificate, listener))}`;
  const addresses = {
    refused: await closedPort(),
    unknownHost: "https://no-such-host.invalid",
    silent: `https://127.0.0.1:${await listen(createSocketServer(() => {}))}`,
    expired: await tls(createCertificate(authority, "localhost", { expired: true })),
    wrongHost: await tls(createCertificate(authority, "elsewhere.example.com")),
    unknownAuthority: await tls(createCertificate(unknownAuthority, "localhost")),
  };

  return {
    /** The certificate authority of the servers with TLS. */
    caCertificate: authority.cert,

    /**
     * Adds a fault that one kind of request meets. All other requests of the case get correct responses.
     *
     * @param responses the correct responses, as JSON text.
     * @returns the address for the kind of request that meets the fault, the one for all others, and the case.
     */
    addCase(target: Target, fault: Fault, responses: RunningCase["responses"]) {
      const added: RunningCase = { target, fault, responses, requests: 0 };
      const path = `/case-${cases.push(added) - 1}`;
      const { address } = fault;
      const faultyUrl = (address === undefined ? url : addresses[address]) + path;
      return { faultyUrl, correctUrl: url + path, added };
    },
  };
}

function targetOf(path: string): Target {
  if (path.includes("/protocol/openid-connect/token")) return "token";
  return path.endsWith("/projects") ? "list" : "read";
}
