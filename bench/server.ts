/*
 * `server.js <number of projects> <latency in ms>`: a Project Service in a process of its own. It prepares all
 * responses at the start, so that it is never the slowest part.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sampleProjects } from "../sandbox/index.js";

const [count = 0, latencyMs = 0] = process.argv.slice(2).map(Number);
const [sample] = sampleProjects();
const ids = Array.from({ length: count }, (_, index) => `p-${index}`);
const bodies = new Map(
  ids.map((id) => [`/${id}`, Buffer.from(JSON.stringify({ ...sample, _id: id }))]),
);
const list = ids.map((_id) => ({ _id, name: sample?.name }));
bodies.set("/projects", Buffer.from(JSON.stringify({ _embedded: { projectResources: list } })));
bodies.set("/token", Buffer.from(JSON.stringify({ access_token: "bench", token_type: "bearer" })));

/** Calls back at a time. A timer alone fires up to 2 ms late. */
function callAt(timeMs: number, callback: () => void): void {
  const restMs = timeMs - performance.now();
  if (restMs <= 0) callback();
  else if (restMs > 2) setTimeout(() => callAt(timeMs, callback), restMs - 2);
  else setImmediate(() => callAt(timeMs, callback));
}

const server = createServer((request, response) => {
  request.resume();
  const path = request.url ?? "";
  const body = bodies.get(path.slice(path.lastIndexOf("/"))) as Buffer;
  callAt(latencyMs === 0 ? 0 : performance.now() + latencyMs, () => {
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": body.byteLength,
    });
    response.end(body);
  });
});
server.listen(0, "127.0.0.1", () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on("disconnect", () => process.exit());
