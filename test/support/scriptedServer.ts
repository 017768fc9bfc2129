import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { after } from "mocha";

export interface ScriptedServer {
  readonly url: string;
  /** What was asked, in order. */
  readonly requests: {
    method: string;
    path: string;
    headers: IncomingMessage["headers"];
    body: string;
  }[];
  connections: number;
  /** Answers every request from now on. */
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void;
}

/** A real HTTP server on loopback that answers what a test wants. Closed after the suite. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      scripted.requests.push({
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        body,
      });
      scripted.answer(request, response, body);
    });
  });
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    scripted.connections++;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const scripted: ScriptedServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    connections: 0,
    answer: (_request, response) => response.writeHead(500).end(),
  };
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return scripted;
}

/** Answers with JSON; a string is sent as it is. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** An address where nothing listens. */
export async function closedPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
