import { mapProject, mapSummary, type Sealer } from "./mapping.js";
import { Paging, totalElements, Unfinished } from "./paging.js";
import { parseJson } from "./parseJson.js";
import type { CodeRepository, Database, Project, ProjectSummary } from "./project.js";
import { checkProjectId } from "./projectId.js";
import { Reader } from "./reader.js";
import type { Retry } from "./retry.js";
import { type Clock, systemClock } from "./clock.js";
import type { Settings } from "./resolveSettings.js";
import { limitFrom, type TimeLimit, type TimeLimits } from "./timeLimits.js";
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
  private readonly projects = new SharedReads<Buffer>();
  private readonly lists = new SharedReads<readonly ProjectSummary[]>();

  constructor(
    private readonly settings: Settings,
    tokens: TokenCache,
    retry: Retry,
    transport: Transport,
    private readonly limits: TimeLimits,
    private readonly clock: Clock = systemClock,
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
    const body = await this.projects.read(projectId, (onSend) =>
      this.reader.get(undertaking, onSend),
    );
    return used(body, undertaking, (answer) => {
      const wire = validateProject(answer);
      if (wire._id !== projectId) throw new InvalidAnswer("_id is another project's");
      return mapProject(wire, sealer);
    });
  }

  private async readList(onSend: () => void): Promise<ProjectSummary[]> {
    let limit: TimeLimit | undefined;
    const listLimit = () =>
      (limit ??= limitFrom("list", this.clock.monotonicMs(), this.limits.listMs));
    // Projects that come or go between two pages make the count disagree: it is read once more.
    const first = await this.readPages(onSend, listLimit);
    if (first.isComplete) return first.projects;
    const second = await this.readPages(onSend, listLimit);
    if (second.isComplete) return second.projects;
    const { projects, total } = second;
    throw translateError(
      new Unfinished(`it shows ${projects.length} projects and counts ${total}`),
      this.listing(),
    );
  }

  private async readPages(onSend: () => void, listLimit: () => TimeLimit) {
    const projects = new Map<string, ProjectSummary>();
    const paging = new Paging();
    let total: number | undefined;
    let url: string | undefined = this.listing().url;
    while (url !== undefined) {
      const undertaking: Undertaking = { ...this.listing(), url };
      const body = await this.reader.get(undertaking, onSend, listLimit);
      url = used(body, undertaking, (answer) => {
        const page = validateProjectList(answer);
        total = totalElements(page) ?? total;
        if (page._embedded === undefined && total !== 0) {
          throw new InvalidAnswer("_embedded is missing");
        }
        const sizeBefore = projects.size;
        for (const project of page._embedded?.projectResources ?? []) {
          projects.set(project._id, mapSummary(project));
        }
        return paging.next(page, undertaking.url, projects.size > sizeBefore);
      });
    }
    return {
      projects: [...projects.values()],
      total,
      isComplete: total === undefined || total === projects.size,
    };
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
