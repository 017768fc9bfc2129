import {
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { IdentityProvider, JsonResponse } from "./identityProvider.js";
import { listPage } from "./listPage.js";
import { decoded, type Paths, type PlannedFailures } from "./plannedFailures.js";
import type { Sandbox } from "./sandbox.js";

export interface ListenerOptions {
  /** Its projects are served, its counters are increased. */
  readonly sandbox: Sandbox;
  readonly identityProvider: IdentityProvider;
  readonly plannedFailures: PlannedFailures;
  readonly paths: Paths;
  readonly pageSize: number | undefined;
  readonly acceptsToken: (accessToken: string) => boolean | Promise<boolean>;
}

/** Returns the paths of a sandbox with this realm. */
export function pathsOf(realm: string): Paths {
  return {
    projects: "/api/project/v5/projects",
    token: `/auth/realms/${encodeURIComponent(realm)}/protocol/openid-connect/token`,
  };
}

/** Creates the listener that routes the requests to the token endpoint and to the project API. */
export function createRequestListener(options: ListenerOptions): RequestListener {
  const { sandbox, identityProvider, plannedFailures, paths, pageSize, acceptsToken } = options;
  const { counters } = sandbox;

  async function responseTo(request: IncomingMessage): Promise<JsonResponse> {
    const url = request.url ?? "/";
    const path = url.replace(/\?.*$/, "");
    if (path === paths.token) return requestToken(request);
    if (path.startsWith("/auth/realms/")) return errorResponse(404, "Realm does not exist");
    const isList = path === paths.projects;
    if (!isList && !path.startsWith(`${paths.projects}/`)) return errorResponse(404, "Not Found");
    if (request.method !== "GET") return errorResponse(405, "Method Not Allowed");
    const plannedStatus = plannedFailures.take(path);
    if (plannedStatus === undefined && !(await acceptsToken(bearerToken(request)))) {
      counters.refusedTokens++;
      return errorResponse(401, "Unauthorized");
    }
    if (isList) counters.lists++;
    else counters.projectReads++;
    if (plannedStatus !== undefined) return plannedResponse(plannedStatus);
    return isList ? listProjects(url) : readProject(path.slice(paths.projects.length + 1));
  }

  async function requestToken(request: IncomingMessage): Promise<JsonResponse> {
    if (request.method !== "POST") return errorResponse(405, "Method Not Allowed");
    const form = new URLSearchParams(await text(request));
    if (form.get("grant_type") === "password") counters.passwordGrants++;
    if (form.get("grant_type") === "refresh_token") counters.refreshGrants++;
    const plannedStatus = plannedFailures.take(paths.token);
    const response =
      plannedStatus === undefined
        ? identityProvider.requestToken(form)
        : plannedResponse(plannedStatus);
    if (response.status !== 200) counters.rejectedGrants++;
    return response;
  }

  function listProjects(url: string): JsonResponse {
    return { status: 200, body: listPage(sandbox.projects, pageSize, url) };
  }

  function readProject(segment: string): JsonResponse {
    const projectId = decoded(segment);
    const project = sandbox.projects.find(({ _id }) => _id === projectId);
    if (project === undefined) return errorResponse(404, "Not Found");
    if (sandbox.forbiddenProjectIds.has(project._id)) return errorResponse(403, "Forbidden");
    return { status: 200, body: project };
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body } = await responseTo(request);
    if (sandbox.latencyMs > 0) await sleep(sandbox.latencyMs, undefined, { ref: false });
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

function plannedResponse(status: number): JsonResponse {
  return errorResponse(status, STATUS_CODES[status] ?? "Error");
}

function errorResponse(status: number, error: string): JsonResponse {
  return { status, body: { error } };
}
