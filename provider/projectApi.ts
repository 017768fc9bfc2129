import type { AxiosInstance } from "axios";
import { createApiClient } from "./apiClient.js";
import { ProjectServiceError } from "./errors.js";
import { mapProject, mapSummary, type Sealer } from "./mapping.js";
import type { CodeRepository, Database, Project, ProjectSummary } from "./project.js";
import { parseJson } from "./parseJson.js";
import { checkProjectId } from "./projectId.js";
import type { Settings } from "./settings.js";
import type { TokenCache } from "./tokenCache.js";
import { errorOfStatus, translateError, type Undertaking } from "./translateError.js";
import type { Transport } from "./transport.js";
import { InvalidAnswer, validateProject, validateProjectList } from "./validate.js";

const maxPages = 10_000;

/** The read endpoints of the project API: a token attached, the answers checked and mapped. */
export class ProjectApi {
  private readonly http: AxiosInstance;

  constructor(
    private readonly settings: Settings,
    private readonly tokens: TokenCache,
    transport: Transport,
  ) {
    this.http = createApiClient(transport);
  }

  /** Source: `GET {baseUrl}/api/project/v5/projects`, every page of it. */
  async listProjects(): Promise<ProjectSummary[]> {
    const undertaking = this.undertaking(
      "Listing the projects",
      `${this.settings.apiUrl}/projects`,
    );
    const projects: ProjectSummary[] = [];
    const seen = new Set<string>();
    let url: string | undefined = undertaking.url;
    while (url !== undefined) {
      seen.add(url);
      const page = await this.get({ ...undertaking, url }, validateProjectList);
      if (page._embedded === undefined && page.page?.totalElements !== 0) {
        throw translateError(new InvalidAnswer("_embedded is missing"), undertaking);
      }
      for (const project of page._embedded?.projectResources ?? []) {
        projects.push(mapSummary(project));
      }
      url = this.nextPage(page._links?.next?.href, url, seen, undertaking);
    }
    return projects;
  }

  /** Source: `GET {baseUrl}/api/project/v5/projects/{projectId}`. */
  async readProject<R extends CodeRepository, D extends Database>(
    projectId: string,
    sealer: Sealer<R, D>,
  ): Promise<Project<R, D>> {
    checkProjectId(projectId);
    const undertaking = this.undertaking(
      `Reading project ${projectId}`,
      `${this.settings.apiUrl}/projects/${encodeURIComponent(projectId)}`,
      projectId,
    );
    return this.get(undertaking, (answer) => {
      const wire = validateProject(answer);
      if (wire._id !== projectId) throw new InvalidAnswer("_id is another project's");
      return mapProject(wire, sealer);
    });
  }

  private async get<T>(undertaking: Undertaking, use: (answer: unknown) => T): Promise<T> {
    try {
      const token = await this.tokens.accessToken();
      let answer = await this.getWith(token, undertaking.url);
      if (answer.status === 401) {
        answer = await this.getWith(await this.tokens.accessTokenAfter(token), undertaking.url);
      }
      if (answer.status !== 200) throw errorOfStatus(answer.status, undertaking);
      return use(parseJson(answer.data));
    } catch (error) {
      throw translateError(error, undertaking);
    }
  }

  private getWith(token: string, url: string) {
    return this.http.get<Buffer>(url, { headers: { Authorization: `Bearer ${token}` } });
  }

  private nextPage(
    href: string | undefined,
    current: string,
    seen: Set<string>,
    undertaking: Undertaking,
  ): string | undefined {
    if (href === undefined) return undefined;
    const next = URL.canParse(href, current) ? new URL(href, current) : undefined;
    if (next?.origin !== new URL(current).origin) {
      throw incomplete(undertaking, "its next page is on another server");
    }
    if (seen.has(next.href)) throw incomplete(undertaking, "its pages go in a circle");
    if (seen.size >= maxPages) throw incomplete(undertaking, `it has over ${maxPages} pages`);
    return next.href;
  }

  private undertaking(doing: string, url: string, projectId?: string): Undertaking {
    const { timeoutSeconds } = this.settings;
    return { doing, url, addressKey: "baseUrl", projectId, timeoutSeconds };
  }
}

function incomplete({ doing, url }: Undertaking, reason: string): ProjectServiceError {
  return new ProjectServiceError(
    "LIST_INCOMPLETE",
    `${doing} failed: the list cannot be read to its end, ${reason}. Check baseUrl, and a proxy on the way.`,
    { url },
  );
}
