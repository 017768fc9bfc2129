import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { after } from "mocha";

/** Makes a server listen on loopback until the end of the suite. Returns its port. */
export async function listen(server: Server, host = "127.0.0.1"): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket.on("error", () => {}));
    socket.on("close", () => sockets.delete(socket));
  });
  await once(server.listen(0, host), "listening");
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/**
 * Returns an address at which nothing listens. A connected socket occupies the port until the end of the
 * suite, so that no other process can listen there.
 */
export async function closedPort(): Promise<string> {
  const server = createServer();
  const socket = connect(await listen(server), "127.0.0.1");
  const [accepted] = (await once(server, "connection")) as [Socket];
  server.close();
  after(() => void socket.destroy());
  return `http://127.0.0.1:${accepted.remotePort}`;
}
