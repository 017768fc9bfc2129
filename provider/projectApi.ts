import { isDeepStrictEqual } from "node:util";
import type { ApiResponse } from "./apiClient.js";
import { mapProject, mapSummary, type Sealer } from "./mapping.js";
import { type Page, Paging, signOfMore, totalElements, Unfinished } from "./paging.js";
import { parseJson } from "./parseJson.js";
import type { CodeRepository, Database, Project, ProjectSummary } from "./project.js";
import { checkProjectId } from "./projectId.js";
import { Reader } from "./reader.js";
import type { Retry } from "./retry.js";
import { type Clock, systemClock } from "./clock.js";
import type { Settings } from "./resolveSettings.js";
import type { TimeLimits } from "./timeLimits.js";
import { SharedReads } from "./sharedReads.js";
import { shown } from "./shown.js";
import type { TokenCache } from "./tokenCache.js";
import type { Transport } from "./transport.js";
import { translateError, type Undertaking } from "./translateError.js";
import { InvalidAnswer, validateProject, validateProjectList } from "./validate.js";

/** The read endpoints of the project API, their answers checked and mapped. */
export class ProjectApi {
  private readonly reader: Reader;
  /** What is shared is bytes: each caller's result is its own, with its own secrets. */
  private readonly projects = new SharedReads<ApiResponse>();
  private readonly lists = new SharedReads<readonly ProjectSummary[]>();

  constructor(
    private readonly settings: Settings,
    tokens: TokenCache,
    retry: Retry,
    transport: Transport,
    private readonly limits: TimeLimits,
    clock: Clock = systemClock,
  ) {
    this.reader = new Reader(settings, tokens, retry, transport, clock);
  }

  /**
   * All projects, each once, complete or not at all. Callers at one time get the same list.
   *
   * Source: `GET {baseUrl}/api/project/v5/projects`, every page of it.
   */
  listProjects(): Promise<readonly Readonly<ProjectSummary>[]> {
    return this.lists.read("", (onSend) => this.readList(onSend));
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
    const { data } = await this.projects.read(projectId, (onSend) =>
      this.reader.get(undertaking, onSend),
    );
    return used(data, undertaking, (answer) => {
      const wire = validateProject(answer);
      if (wire._id !== projectId) throw new InvalidAnswer("_id is another project's");
      return mapProject(wire, sealer);
    });
  }

  private async readList(onSend: () => void): Promise<ProjectSummary[]> {
    return this.reader.getMany(
      this.limits.listMs,
      async (get) => {
        // Projects that come, go or change between two pages make the pages disagree: they are read
        // once more.
        const first = await this.readPages(get);
        if (first.problem === undefined) return first.projects;
        const { problem, projects } = await this.readPages(get);
        if (problem === undefined) return projects;
        throw translateError(new Unfinished(problem), this.listing());
      },
      onSend,
    );
  }

  /** What all pages show, and why that is not the whole list, if something says so. */
  private async readPages(
    get: (undertaking: Undertaking) => Promise<ApiResponse>,
  ): Promise<{ projects: ProjectSummary[]; problem: string | undefined }> {
    const projects = new Map<string, ProjectSummary>();
    const paging = new Paging();
    let total: number | undefined;
    let problem: string | undefined;
    let url: string | undefined = this.listing().url;
    while (url !== undefined) {
      const undertaking: Undertaking = { ...this.listing(), url };
      const { data, headers } = await get(undertaking);
      url = used(data, undertaking, (answer) => {
        const body = validateProjectList(answer);
        const page: Page = { body, header: (name) => headers[name] as string | undefined };
        total = totalElements(page) ?? total;
        if (body._embedded === undefined && total !== 0) {
          throw new InvalidAnswer("_embedded is missing");
        }
        const sizeBefore = projects.size;
        for (const wire of body._embedded?.projectResources ?? []) {
          const project = mapSummary(wire);
          const before = projects.get(project.projectId);
          if (before !== undefined && !isDeepStrictEqual(before, project)) {
            problem = `it shows project ${shown(project.projectId)} twice, with different fields`;
          }
          projects.set(project.projectId, project);
        }
        const next = paging.next(page, undertaking.url, projects.size > sizeBefore);
        if (next === undefined) problem ??= signOfMore(page, projects.size);
        return next;
      });
    }
    if (total !== undefined && total !== projects.size) {
      problem ??= `it shows ${projects.size} projects and counts ${total}`;
    }
    return { projects: [...projects.values()], problem };
  }

  private listing(): Undertaking {
    return this.undertaking("Listing the projects", `${this.settings.apiUrl}/projects`);
  }

  private undertaking(doing: string, url: string, projectId?: string): Undertaking {
    return { doing, url, addressKey: "baseUrl", projectId };
  }
}

/** What `use` makes of an answer that has to be JSON. */
function used<T>(body: Buffer, undertaking: Undertaking, use: (answer: unknown) => T): T {
  try {
    return use(parseJson(body));
  } catch (error) {
    throw translateError(error, undertaking);
  }
}
