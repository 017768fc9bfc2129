import { once } from "node:events";
import type { AddressInfo, Server, Socket } from "node:net";
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
