import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "./listen.js";
import { wireProject } from "./project.js";

export interface ScriptedServer {
  readonly url: string;
  /** The requests so far, in order. */
  readonly requests: {
    path: string;
    headers: IncomingMessage["headers"];
    body: string;
  }[];
  /** Responds to every request from now on. */
  respond: (request: IncomingMessage, response: ServerResponse, body: string) => void;
}

/** Starts a real HTTP server on loopback, which responds as a test wants. It is closed after the suite. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      scripted.requests.push({ path: request.url ?? "", headers: request.headers, body });
      scripted.respond(request, response, body);
    });
  });
  const scripted: ScriptedServer = {
    url: `http://127.0.0.1:${await listen(server)}`,
    requests: [],
    respond: (_request, response) => response.writeHead(500).end(),
  };
  return scripted;
}

/** Sends a JSON response. A string is sent unchanged. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

/** Responds as a service: a token, a list with the sandbox's shop, or the shop with the id of the address. */
export function respondCorrectly({ url = "" }: IncomingMessage, response: ServerResponse): void {
  const _id = url.split("/").at(-1);
  if (url.includes("/auth/")) sendJson(response, 200, { access_token: "token" });
  else if (_id !== "projects") sendJson(response, 200, { ...wireProject(), _id });
  else sendJson(response, 200, { _embedded: { projectResources: [wireProject()] } });
}

/** Returns complete settings for a server, with the changes of a test. */
export function connectionTo<T extends object>(url: string, changes?: T) {
  const who = { realm: "r", clientId: "c", username: "u", password: "p" };
  return { baseUrl: url, authUrl: url, ...who, ...(changes as T) };
}
