/*
 * `server.js <number of projects> <latency in ms>`: a Project Service in a separate process, so that
 * the measured process does not run it. It prepares all responses at the start, so that it is never
 * the slowest part.
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { sampleProjects } from "../../sandbox/index.js";
import type { RequestCounts } from "./serverProcess.js";

const [projectCount, latencyMs] = process.argv.slice(2).map(Number) as [number, number];
const [sample] = sampleProjects();
const project = JSON.stringify(sample).split('"p-1"');
const bodies = Array.from({ length: projectCount }, (_, index) =>
  Buffer.from(project.join(`"p-${index}"`)),
);
const list = Buffer.from(
  JSON.stringify({
    _embedded: {
      projectResources: bodies.map((_, index) => {
        const { name, type, status, domain } = sample as NonNullable<typeof sample>;
        return { _id: `p-${index}`, name, type, status, domain };
      }),
    },
  }),
);
const token = Buffer.from(
  JSON.stringify({ access_token: "bench", expires_in: 900, token_type: "bearer" }),
);
const counters: RequestCounts = { tokenRequests: 0, connections: 0, reads: 0 };

function send(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": body.byteLength,
  });
  response.end(body);
}

function respond(path: string, response: ServerResponse): void {
  if (path.startsWith("/auth/")) {
    counters.tokenRequests++;
    return send(response, token);
  }
  if (path.endsWith("/projects")) return send(response, list);
  counters.reads++;
  send(response, bodies[Number(path.slice(path.lastIndexOf("-") + 1))] as Buffer);
}

/** Calls back at a time, with an error below 1 ms. A timer alone fires up to 2 ms late. */
function callAt(timeMs: number, callback: () => void): void {
  const restMs = timeMs - performance.now();
  if (restMs <= 0) callback();
  else if (restMs > 2) setTimeout(() => callAt(timeMs, callback), restMs - 2);
  else setImmediate(() => callAt(timeMs, callback));
}

const server = createServer((request, response) => {
  request.resume();
  const path = request.url ?? "";
  if (latencyMs === 0) respond(path, response);
  else callAt(performance.now() + latencyMs, () => respond(path, response));
});
server.on("connection", () => counters.connections++);
server.listen(0, "127.0.0.1", () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on("message", () => {
  process.send?.({ ...counters });
  Object.assign(counters, { tokenRequests: 0, connections: 0, reads: 0 });
});
process.on("disconnect", () => process.exit());
