import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { IdentityProvider, JsonResponse } from "./identityProvider.js";
import { listPage } from "./listPage.js";
import type { Sandbox } from "./sandbox.js";

export interface ListenerOptions {
  /** Its projects are served, its counters are increased. */
  readonly sandbox: Sandbox;
  readonly identityProvider: IdentityProvider;
  readonly pageSize: number | undefined;
  readonly acceptsToken: (accessToken: string) => boolean | Promise<boolean>;
}

const projectsPath = "/api/project/v5/projects";

/** Creates the listener that routes the requests to the token endpoint and to the project API. */
export function createRequestListener(options: ListenerOptions): RequestListener {
  const { sandbox, identityProvider, pageSize, acceptsToken } = options;
  const { counters } = sandbox;
  const realm = encodeURIComponent(sandbox.connection.realm);
  const tokenPath = `/auth/realms/${realm}/protocol/openid-connect/token`;

  async function responseTo(request: IncomingMessage): Promise<JsonResponse> {
    const url = request.url ?? "/";
    const path = url.replace(/\?.*$/, "");
    if (path === tokenPath) return requestToken(request);
    if (path.startsWith("/auth/realms/")) return errorResponse(404, "Realm does not exist");
    if (!path.startsWith(projectsPath)) return errorResponse(404, "Not Found");
    if (request.method !== "GET") return errorResponse(405, "Method Not Allowed");
    if (!(await acceptsToken(bearerToken(request)))) {
      counters.refusedTokens++;
      return errorResponse(401, "Unauthorized");
    }
    const rest = path.slice(projectsPath.length);
    if (rest === "") return listProjects(url);
    return rest.startsWith("/") ? readProject(rest.slice(1)) : errorResponse(404, "Not Found");
  }

  async function requestToken(request: IncomingMessage): Promise<JsonResponse> {
    if (request.method !== "POST") return errorResponse(405, "Method Not Allowed");
    const form = new URLSearchParams(await text(request));
    if (form.get("grant_type") === "password") counters.passwordGrants++;
    if (form.get("grant_type") === "refresh_token") counters.refreshGrants++;
    const response = identityProvider.requestToken(form);
    if (response.status !== 200) counters.rejectedGrants++;
    return response;
  }

  function listProjects(url: string): JsonResponse {
    counters.lists++;
    return { status: 200, body: listPage(sandbox.projects, pageSize, url) };
  }

  function readProject(segment: string): JsonResponse {
    counters.projectReads++;
    const projectId = decodeSegment(segment);
    const project = sandbox.projects.find(({ _id }) => _id === projectId);
    if (project === undefined) return errorResponse(404, "Not Found");
    if (sandbox.forbiddenProjectIds.has(project._id)) return errorResponse(403, "Forbidden");
    return { status: 200, body: project };
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body } = await responseTo(request);
    if (sandbox.latencyMs > 0) await sleep(sandbox.latencyMs);
    const json = JSON.stringify(body);
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(json),
      "cache-control": "no-store",
    });
    response.end(json);
  }

  return (request, response) => {
    respond(request, response).catch(() => response.destroy());
  };
}

function bearerToken(request: IncomingMessage): string {
  return /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function errorResponse(status: number, error: string): JsonResponse {
  return { status, body: { error } };
}
