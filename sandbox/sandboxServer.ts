import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { listFields, serviceFields } from "../provider/model/projectFields.js";
import { IdentityProvider, type JsonResponse } from "./identityProvider.js";
import { findCredentials, findLeaks, type SandboxLeak } from "./leaks.js";
import { type RequestPaths, PlannedFailures } from "./plannedFailures.js";
import { checkSandboxProjects, sampleProjects, type SandboxProject } from "./projects.js";
import type { Sandbox, SandboxFailure, SandboxOptions } from "./publicTypes.js";

/** The service that `startSandbox` starts. The command `sandbox` and the tests of this package derive others from it. */
export class SandboxServer implements Sandbox {
  private served: SandboxProject[] = [];
  connection!: Sandbox["connection"];
  readonly counters = {
    passwordGrants: 0,
    refreshGrants: 0,
    rejectedGrants: 0,
    lists: 0,
    projectReads: 0,
    refusedTokens: 0,
    connections: 0,
  };
  protected readonly identityProvider: IdentityProvider;
  protected readonly settings: Omit<Sandbox["connection"], "baseUrl" | "authUrl">;
  private readonly paths: RequestPaths;
  private readonly plannedFailures: PlannedFailures;
  private readonly server: Server;

  constructor(options: SandboxOptions) {
    const { clientSecret, realm = "hosting" } = options;
    this.projects = options.projects ?? sampleProjects();
    this.settings = {
      realm,
      clientId: options.clientId ?? "pulumi",
      ...(clientSecret === undefined ? {} : { clientSecret }),
      username: options.username ?? "reader",
      password: options.password ?? randomBytes(16).toString("hex"),
    };
    this.identityProvider = new IdentityProvider(this.settings);
    this.paths = {
      projects: "/api/project/v5/projects",
      token: `/auth/realms/${encodeURIComponent(realm)}/protocol/openid-connect/token`,
    };
    this.plannedFailures = new PlannedFailures(this.paths);
    this.server = createServer((request, response) => {
      this.respond(request, response).catch(() => response.destroy());
    });
  }

  get projects(): SandboxProject[] {
    return this.served;
  }

  set projects(projects: SandboxProject[]) {
    this.served = checkSandboxProjects(projects);
  }

  async listen(port = 0): Promise<void> {
    this.server.listen(port, "127.0.0.1").unref();
    this.server.on("connection", (socket) => {
      socket.unref();
      this.counters.connections++;
    });
    await once(this.server, "listening");
    const url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    this.connection = { baseUrl: url, authUrl: url, ...this.settings };
  }

  get envVars(): Record<string, string> {
    return Object.fromEntries(
      Object.entries(this.connection).map(([key, value]) => [
        `PROJECT_SERVICE_${key.replace(/[A-Z]/g, "_$&").toUpperCase()}`,
        value,
      ]),
    );
  }

  failNext(failure: SandboxFailure): void {
    this.plannedFailures.add(failure);
  }

  leaksIn(text: string | Uint8Array): SandboxLeak[] {
    const { username: _, ...connection } = this.settings; // no secret
    const { issuedTokens: tokens } = this.identityProvider;
    return findLeaks(findCredentials({ connection, projects: this.projects, tokens }), text);
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body } = await this.responseTo(request);
    response.statusCode = status;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(body));
  }

  protected acceptsToken(accessToken: string): boolean | Promise<boolean> {
    return this.identityProvider.accepts(accessToken);
  }

  protected async responseTo(request: IncomingMessage): Promise<JsonResponse> {
    const { counters, paths, plannedFailures } = this;
    const path = (request.url ?? "/").replace(/\?.*$/, "");
    if (path === paths.token) return this.requestToken(request);
    const isList = path === paths.projects;
    if (!isList && !path.startsWith(`${paths.projects}/`)) return errorResponse(404);
    const plannedStatus = plannedFailures.take(path);
    if (plannedStatus === undefined && !(await this.acceptsToken(bearerToken(request)))) {
      counters.refusedTokens++;
      return errorResponse(401);
    }
    if (isList) counters.lists++;
    else counters.projectReads++;
    if (plannedStatus !== undefined) return errorResponse(plannedStatus);
    if (isList) return { status: 200, body: listResponse(this.projects, path) };
    const projectId = decodeURIComponent(path.slice(paths.projects.length + 1));
    const project = this.projects.find(({ _id }) => _id === projectId);
    return project === undefined ? errorResponse(404) : { status: 200, body: project };
  }

  private async requestToken(request: IncomingMessage): Promise<JsonResponse> {
    const form = new URLSearchParams(await text(request));
    if (form.get("grant_type") === "password") this.counters.passwordGrants++;
    if (form.get("grant_type") === "refresh_token") this.counters.refreshGrants++;
    const plannedStatus = this.plannedFailures.take(this.paths.token);
    const response =
      plannedStatus === undefined
        ? this.identityProvider.requestToken(form)
        : errorResponse(plannedStatus);
    if (response.status !== 200) this.counters.rejectedGrants++;
    return response;
  }
}

/** Returns the response with the list, which has some fields of each project. */
function listResponse(projects: readonly SandboxProject[], href: string): object {
  const names = serviceFields(listFields).map(([path]) => path[0] as keyof SandboxProject);
  const projectResources = projects.map((project) =>
    Object.fromEntries(names.map((name) => [name, project[name]])),
  );
  return { _embedded: { projectResources }, _links: { self: { href } } };
}

function bearerToken(request: IncomingMessage): string {
  return /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
}

function errorResponse(status: number): JsonResponse {
  return { status, body: { error: STATUS_CODES[status] ?? "Error" } };
}
