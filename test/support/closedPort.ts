import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { after } from "mocha";

/**
 * Returns an address at which nothing listens. A connected socket occupies the port until the end of the
 * suite, so that no other process can listen there.
 */
export async function closedPort(): Promise<string> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [accepted] = (await once(server, "connection")) as [Socket];
  server.close();
  after(() => {
    socket.destroy();
    accepted.destroy();
  });
  return `http://127.0.0.1:${accepted.remotePort}`;
}
