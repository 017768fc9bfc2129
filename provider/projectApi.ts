import { type ApiClient, createApiClient } from "./apiClient.js";
import { ProjectServiceError, type ProjectServiceErrorCode } from "./errors.js";
import { mapProject, mapSummary, type Sealer } from "./mapping.js";
import { Paging, totalElements, Unfinished } from "./paging.js";
import { parseJson } from "./parseJson.js";
import type { CodeRepository, Database, Project, ProjectSummary } from "./project.js";
import { checkProjectId } from "./projectId.js";
import { isTransientStatus, type Retry, retryAfterMs, Transient } from "./retry.js";
import type { Settings } from "./settings.js";
import { shown } from "./shown.js";
import { Slots } from "./slots.js";
import type { TokenCache } from "./tokenCache.js";
import { isTransientFault, type Transport } from "./transport.js";
import { errorOfStatus, translateError, type Undertaking } from "./translateError.js";
import { InvalidAnswer, validateProject, validateProjectList } from "./validate.js";

/** The read endpoints of the project API: a token attached, the answers checked and mapped. */
export class ProjectApi {
  private readonly http: ApiClient;
  private readonly slots: Slots;
  /** Answers of the service, of whatever kind but an outage's. */
  private answers = 0;

  constructor(
    private readonly settings: Settings,
    private readonly tokens: TokenCache,
    private readonly retry: Retry,
    transport: Transport,
  ) {
    this.http = createApiClient(transport, settings.apiProxy);
    this.slots = new Slots(settings.maxConcurrency);
  }

  /**
   * All projects, each once, complete or not at all.
   *
   * Source: `GET {baseUrl}/api/project/v5/projects`, every page of it.
   */
  async listProjects(): Promise<ProjectSummary[]> {
    // Projects that come or go between two pages make the count disagree: it is read once more.
    const first = await this.readPages();
    if (first.isComplete) return first.projects;
    const second = await this.readPages();
    if (second.isComplete) return second.projects;
    throw incomplete(
      this.listing(),
      `it shows ${second.projects.length} projects and counts ${second.total}`,
    );
  }

  /** Source: `GET {baseUrl}/api/project/v5/projects/{projectId}`. */
  async readProject<R extends CodeRepository, D extends Database>(
    projectId: string,
    sealer: Sealer<R, D>,
  ): Promise<Project<R, D>> {
    checkProjectId(projectId);
    const undertaking = this.undertaking(
      `Reading project ${shown(projectId)}`,
      `${this.settings.apiUrl}/projects/${encodeURIComponent(projectId)}`,
      projectId,
    );
    return this.get(undertaking, (answer) => {
      const wire = validateProject(answer);
      if (wire._id !== projectId) throw new InvalidAnswer("_id is another project's");
      return mapProject(wire, sealer);
    });
  }

  private async readPages() {
    const undertaking = this.listing();
    const projects = new Map<string, ProjectSummary>();
    const paging = new Paging();
    let total: number | undefined;
    let url: string | undefined = undertaking.url;
    while (url !== undefined) {
      const address: string = url;
      url = await this.get({ ...undertaking, url: address }, (answer) => {
        const page = validateProjectList(answer);
        total = totalElements(page) ?? total;
        if (page._embedded === undefined && total !== 0) {
          throw new InvalidAnswer("_embedded is missing");
        }
        const sizeBefore = projects.size;
        for (const project of page._embedded?.projectResources ?? []) {
          projects.set(project._id, mapSummary(project));
        }
        return nextPage(paging, page, address, projects.size > sizeBefore, undertaking);
      });
    }
    return {
      projects: [...projects.values()],
      total,
      isComplete: total === undefined || total === projects.size,
    };
  }

  private get<T>(undertaking: Undertaking, use: (answer: unknown) => T): Promise<T> {
    return this.slots.run(async () => {
      const answersBefore = this.answers;
      try {
        return await this.getWithRetries(undertaking, use);
      } catch (error) {
        // All attempts of this read failed, and nobody else had an answer meanwhile: those that
        // wait would only fail the same way, one after the other.
        if (isOutage(error) && this.answers === answersBefore) this.slots.failWaiting(error);
        throw error;
      }
    });
  }

  private getWithRetries<T>(undertaking: Undertaking, use: (answer: unknown) => T): Promise<T> {
    return this.retry.run(async (remainingMs) => {
      try {
        return use(parseJson(await this.getOnce(undertaking, remainingMs)));
      } catch (error) {
        if (error instanceof Transient) throw error;
        const translated = translateError(error, undertaking);
        throw isTransientFault(error) ? new Transient(translated) : translated;
      }
    });
  }

  private async getOnce(undertaking: Undertaking, remainingMs: number): Promise<Buffer> {
    const { url } = undertaking;
    const token = await this.tokens.accessToken();
    let answer = await this.getWith(token, url, remainingMs);
    if (answer.status === 401) {
      answer = await this.getWith(await this.tokens.accessTokenAfter(token), url, remainingMs);
    }
    if (answer.status < 500) this.answers++;
    if (answer.status === 200) return answer.data;
    const error = errorOfStatus(answer.status, undertaking);
    if (!isTransientStatus(answer.status)) throw error;
    throw new Transient(error, retryAfterMs(answer.headers["retry-after"] as string | undefined));
  }

  private getWith(token: string, url: string, timeout: number) {
    return this.http.get<Buffer>(url, { headers: { Authorization: `Bearer ${token}` }, timeout });
  }

  private listing(): Undertaking {
    return this.undertaking("Listing the projects", `${this.settings.apiUrl}/projects`);
  }

  private undertaking(doing: string, url: string, projectId?: string): Undertaking {
    const { timeoutSeconds } = this.settings;
    return { doing, url, addressKey: "baseUrl", projectId, timeoutSeconds };
  }
}

/** An error that is the service's state rather than this request's. */
function isOutage(error: unknown): error is ProjectServiceError {
  return error instanceof ProjectServiceError && outageCodes.has(error.code);
}

const outageCodes = new Set<ProjectServiceErrorCode>([
  "LOGIN_UNAVAILABLE",
  "LOGIN_RESPONSE_INVALID",
  "SERVICE_UNAVAILABLE",
  "UNREACHABLE",
  "TLS_FAILED",
  "TIMEOUT",
]);

function nextPage(
  paging: Paging,
  page: Parameters<Paging["next"]>[0],
  address: string,
  hasNews: boolean,
  undertaking: Undertaking,
): string | undefined {
  try {
    return paging.next(page, address, hasNews);
  } catch (error) {
    throw error instanceof Unfinished ? incomplete(undertaking, error.message) : error;
  }
}

function incomplete({ doing, url }: Undertaking, reason: string): ProjectServiceError {
  return new ProjectServiceError(
    "LIST_INCOMPLETE",
    `${doing} failed: the list cannot be read to its end, ${reason}. Check baseUrl, and a proxy on the way; try again if projects are just being created.`,
    { url },
  );
}
