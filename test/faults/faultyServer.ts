import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { createServer as createTlsServer } from "node:https";
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Server,
  type Socket,
} from "node:net";
import { closedPort } from "../support/scriptedServer.js";
import { createAuthority, createCertificate } from "../support/certificates.js";
import type { Fault, Target } from "./faults.js";

/** A server that answers one kind of request with a fault, and the others as a sound one would. */
export interface FaultyServer {
  /** Where a sound server is. */
  readonly url: string;
  /** Trusts the authority of the TLS servers. */
  readonly caCertificate: string;
  /** Where the server with a faulty address is, for faults that have one. */
  addressOf(fault: Fault): string;
  /** Misbehaves from now on, and counts anew. */
  use(target: Target, fault: Fault, answers: Readonly<Record<Target, string>>): void;
  /** Requests of the kind that meets the fault. */
  requests(): number;
  close(): void;
}

export async function startFaultyServer(): Promise<FaultyServer> {
  const sockets = new Set<Socket>();
  const servers: Server[] = [];
  let current: { target: Target; fault: Fault; answers: Readonly<Record<Target, string>> };
  let count = 0;

  async function listen(server: Server): Promise<number> {
    servers.push(server);
    server.on("connection", (socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  }

  const listener: RequestListener = (request: IncomingMessage, response: ServerResponse) => {
    request.resume().on("end", () => {
      const target = targetOf(request.url ?? "");
      const good = current.answers[target];
      if (target === current.target && current.fault.answer !== undefined) {
        return current.fault.answer({ request, response, good, earlier: count++ });
      }
      if (target === current.target) count++;
      response.writeHead(200, { "content-type": "application/json" }).end(good);
    });
  };

  const authority = createAuthority("A private authority");
  const stranger = createAuthority("An authority that nobody trusts");
  const port = await listen(createServer(listener));
  const tls = async (certificate: { cert: string; key: string }) =>
    `https://localhost:${await listen(createTlsServer(certificate, listener))}`;
  const addresses = {
    refused: await closedPort(),
    unknownHost: "https://no-such-host.invalid",
    mute: `https://127.0.0.1:${await listen(createSocketServer(() => {}))}`,
    expired: await tls(createCertificate(authority, "localhost", { expired: true })),
    wrongHost: await tls(createCertificate(authority, "elsewhere.example.com")),
    unknownCa: await tls(createCertificate(stranger, "localhost")),
  };

  return {
    url: `http://127.0.0.1:${port}`,
    caCertificate: authority.cert,
    addressOf: ({ address }) =>
      address === undefined ? `http://127.0.0.1:${port}` : addresses[address],
    use: (target, fault, answers) => {
      current = { target, fault, answers };
      count = 0;
    },
    requests: () => count,
    close: () => {
      for (const server of servers) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function targetOf(path: string): Target {
  if (path.includes("/protocol/openid-connect/token")) return "token";
  return path.endsWith("/projects") ? "list" : "read";
}
