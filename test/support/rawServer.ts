import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** One thing that a raw server does on a connection. */
export type Action =
  | { readonly write: Buffer }
  | { readonly waitMs: number }
  | { readonly close: "half" | "whole" | "reset" };

/** What a raw server does in response to one request; after it the connection stays as it is. */
export type Script = readonly Action[];

/** The head of a request, and its body. */
export interface RawRequest {
  readonly method: string;
  /** Path, or of a CONNECT the host and port. */
  readonly target: string;
}

export interface RawServer {
  readonly port: number;
  close(): void;
}

/**
 * A TCP server that reads HTTP requests and responds with bytes.
 *
 * @param respond gives the script of a request, or `"tunnel"`: then the rest of the connection is
 *   served as if the client had opened it to the server itself.
 */
export async function startRawServer(
  respond: (request: RawRequest) => Script | "tunnel",
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  // Half-open: what the client closes is not closed here, unless a script does it.
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
    // The client has left.
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
