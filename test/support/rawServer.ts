import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** One action of a raw server on a connection. */
export type Action =
  | { readonly write: Buffer }
  | { readonly waitMs: number }
  | { readonly close: "half" | "whole" | "reset" };

/** The actions of a raw server after one request. After the last one, the connection stays as it is. */
export type Script = readonly Action[];

/** The request line of a request. */
export interface RawRequest {
  readonly method: string;
  /** The path, or the host and port of a CONNECT. */
  readonly target: string;
}

export interface RawServer {
  readonly port: number;
  close(): void;
}

/**
 * Starts a TCP server that reads HTTP requests and responds with bytes.
 *
 * @param respond returns the script for a request, or `"tunnel"`. After `"tunnel"`, the server treats the
 *   rest of the connection as a direct connection.
 */
export async function startRawServer(
  respond: (request: RawRequest) => Script | "tunnel",
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  // Half-open: if the client closes its end, only a script closes the other end.
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    void serve(socket, respond);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function serve(
  socket: Socket,
  respond: (request: RawRequest) => Script | "tunnel",
): Promise<void> {
  let received = Buffer.alloc(0);
  try {
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk as Buffer]);
      for (;;) {
        const end = received.indexOf("\r\n\r\n");
        if (end === -1) break;
        const head = received.toString("latin1", 0, end);
        const bodyLength = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
        if (received.length < end + 4 + bodyLength) break;
        received = received.subarray(end + 4 + bodyLength);
        const [method = "", target = ""] = head.split(" ");
        const script = respond({ method, target });
        if (script === "tunnel") socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        else await perform(script, socket);
      }
    }
    socket.end();
  } catch {
    // The client closed the connection.
  }
}

async function perform(script: Script, socket: Socket): Promise<void> {
  for (const action of script) {
    if (socket.destroyed) return;
    if ("write" in action) socket.write(action.write);
    else if ("waitMs" in action) await sleep(action.waitMs);
    else if (action.close === "half") socket.end();
    else if (action.close === "whole") socket.destroy();
    else socket.resetAndDestroy();
  }
}
