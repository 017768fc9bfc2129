import { getProjectService, type ProjectService } from "../../provider/reading/projectService.js";
import type { Project, ProjectSummary } from "../../provider/model/project.js";
import { withoutCredentials } from "../../provider/wire/credentials.js";
import {
  connectionTo,
  type ScriptedServer,
  sendJson,
  startScriptedServer,
} from "./scriptedServer.js";
import { settingsOf } from "./settings.js";

export const apiPath = "/api/project/v5";

interface ApiResponse {
  readonly status?: number;
  readonly body: unknown;
  readonly headers?: Record<string, string | string[]>;
}

/** A project API that responds as a test wants, and that issues the tokens `token-1`, `token-2` and so on. */
export class ProjectApiServer {
  /** The responses by path. Each serves one request, and the last one serves all further requests. */
  responses: Record<string, ApiResponse[]> = {};
  /** A new connection for each test. */
  service: ProjectService;
  private tokens = 0;
  private users = 0;

  private constructor(readonly server: ScriptedServer) {
    this.service = this.connect();
    server.respond = (request, response) => {
      const path = request.url ?? "";
      if (path.startsWith("/auth/")) {
        const token = `token-${++this.tokens}`;
        return sendJson(response, 200, { access_token: token, expires_in: 900 });
      }
      const queue = this.responses[path] ?? [];
      const next = queue.length > 1 ? queue.shift() : queue[0];
      for (const [name, value] of Object.entries(next?.headers ?? {})) {
        response.setHeader(name, value);
      }
      sendJson(response, next?.status ?? (next === undefined ? 404 : 200), next?.body ?? {});
    };
  }

  static async start(): Promise<ProjectApiServer> {
    return new ProjectApiServer(await startScriptedServer());
  }

  /** Forgets all responses, requests and tokens. */
  reset(): void {
    this.responses = {};
    this.tokens = 0;
    this.server.requests.length = 0;
    this.service = this.connect();
  }

  /** Connects as another user than before. */
  private connect(): ProjectService {
    const changes = { username: `user-${++this.users}`, headers: { "X-Key": "k" } };
    return getProjectService(settingsOf(connectionTo(this.server.url, changes)));
  }

  /** Sets the responses to requests for the list. */
  list(...responses: ApiResponse[]): void {
    this.responses[`${apiPath}/projects`] = responses;
  }

  /** Sets the responses to requests for a further page of the list. */
  page(number: number, ...responses: ApiResponse[]): void {
    this.responses[`${apiPath}/projects?page=${number}`] = responses;
  }

  /** Sets the responses to requests for a project. */
  project(projectId: string, ...responses: ApiResponse[]): void {
    this.responses[`${apiPath}/projects/${projectId}`] = responses;
  }

  readList(): Promise<ProjectSummary[]> {
    return this.service.listProjects();
  }

  read(projectId = "p-1"): Promise<Project> {
    return this.service.readProject({ projectId }, withoutCredentials);
  }

  readByName(name: string): Promise<Project> {
    return this.service.readProject({ name }, withoutCredentials);
  }

  /** Returns the paths of the requests to the API, in order. */
  paths(): string[] {
    return this.server.requests.map(({ path }) => path).filter((path) => path.startsWith(apiPath));
  }
}
