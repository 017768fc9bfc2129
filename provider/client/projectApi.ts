import { isDeepStrictEqual } from "node:util";
import type { AuthenticatedClient, SendListener } from "./authenticatedClient.js";
import { displayText } from "../errors/displayText.js";
import { IncompleteListError, InvalidResponseError } from "../errors/internalErrors.js";
import { type RequestContext, translateError } from "../errors/requestErrors.js";
import type { HttpResponse } from "../http/httpRequest.js";
import { maxListBytes } from "../http/limits.js";
import type { CodeRepository, Database, Project, ProjectSummary } from "../model/project.js";
import { checkProjectId } from "../model/projectId.js";
import { type CredentialMapper, mapProject, mapSummary } from "../wire/mapping.js";
import { isEmptyList, Page, Paging } from "../wire/paging.js";
import { parseJson, validateProject, validateProjectList } from "../wire/validate.js";

type GetPage = (context: RequestContext) => Promise<HttpResponse>;

/** The endpoints of the project API. Their responses are validated and mapped. */
export class ProjectApi {
  /** Shares responses, not results: each caller gets objects and secrets of its own. */
  private readonly projectReads = new RequestDeduplicator<HttpResponse>();
  private readonly listReads = new RequestDeduplicator<readonly ProjectSummary[]>();

  /** @param listMs limit of all pages of the list, without getting the first token. */
  constructor(
    private readonly client: AuthenticatedClient,
    private readonly apiUrl: string,
    private readonly listMs: number,
  ) {}

  /**
   * Lists all projects, each once. The list is complete, or the call fails. Callers may share it.
   *
   * Source: `GET {baseUrl}/api/project/v5/projects`, all pages.
   */
  listProjects(): Promise<readonly Readonly<ProjectSummary>[]> {
    return this.listReads.read("", (onSend) =>
      this.client.getPages(this.listMs, (get) => this.readList(get), onSend),
    );
  }

  /**
   * Source: `GET {baseUrl}/api/project/v5/projects/{projectId}`.
   *
   * @param isSecret whether errors must not contain the id.
   */
  async readProject<R extends CodeRepository, D extends Database>(
    projectId: string,
    mapper: CredentialMapper<R, D>,
    isSecret = false,
  ): Promise<Project<R, D>> {
    checkProjectId(projectId);
    const context: RequestContext = {
      operation: isSecret ? "Reading the project" : `Reading project ${displayText(projectId)}`,
      url: `${this.apiUrl}/projects/${encodeURIComponent(projectId)}`,
      urlSetting: "baseUrl",
      projectId,
      isSecret,
    };
    // Reads that share a request also share its error.
    const key = isSecret ? `secret ${projectId}` : projectId;
    const { body: bytes } = await this.projectReads.read(key, (onSend: SendListener) =>
      this.client.get(context, onSend),
    );
    return processed(bytes, context, (body) => {
      const wire = validateProject(body);
      if (wire._id !== projectId) {
        throw new InvalidResponseError("_id is the id of another project");
      }
      return mapProject(wire, mapper);
    });
  }

  private async readList(get: GetPage): Promise<ProjectSummary[]> {
    // If projects are created, deleted or changed meanwhile, the pages contradict each other. Then the
    // list is read once more.
    const first = await this.readPages(get);
    if (first.problem === undefined) return first.projects;
    const { problem, projects } = await this.readPages(get);
    if (problem === undefined) return projects;
    throw translateError(new IncompleteListError(problem), this.listContext());
  }

  /** Returns the projects of all pages, and the reason if that is not the complete list. */
  private async readPages(
    get: GetPage,
  ): Promise<{ projects: ProjectSummary[]; problem: string | undefined }> {
    const projects = new Map<string, ProjectSummary>();
    const paging = new Paging();
    let contradiction: string | undefined;
    let repeated: string | undefined;
    let bytes = 0;
    let address: string | undefined = this.listContext().url;
    while (address !== undefined) {
      const url: string = address;
      const context: RequestContext = { ...this.listContext(), url };
      const { body, headers } = await get(context);
      bytes += body.length;
      address = processed(body, context, (json) => {
        if (bytes > maxListBytes) throw new IncompleteListError("it is larger than 256 MiB");
        const page = new Page(
          validateProjectList(json),
          url,
          (name) => headers[name] as string | undefined,
        );
        const { _embedded: embedded } = page.body;
        if (embedded === undefined && !isEmptyList(page)) {
          throw new InvalidResponseError("_embedded is missing");
        }
        const sizeBefore = projects.size;
        for (const wire of embedded?.projectResources ?? []) {
          const project = mapSummary(wire);
          const earlier = projects.get(project.projectId);
          if (earlier !== undefined && !isDeepStrictEqual(earlier, project)) {
            contradiction = `it has project ${displayText(project.projectId)} twice, with different fields`;
          }
          if (earlier !== undefined) repeated ??= project.projectId;
          projects.set(project.projectId, project);
        }
        return paging.next(page, projects.size > sizeBefore);
      });
    }
    const problem =
      contradiction ??
      paging.problem(projects.size) ??
      // Its pages have moved between the requests, and another project can be missing.
      (repeated !== undefined && !paging.hasExactTotal
        ? `it has project ${displayText(repeated)} twice, and no total count`
        : undefined);
    return { projects: [...projects.values()], problem };
  }

  private listContext(): RequestContext {
    return {
      operation: "Listing the projects",
      url: `${this.apiUrl}/projects`,
      urlSetting: "baseUrl",
    };
  }
}

/** Parses the body of a response, and returns what `process` makes from it. */
function processed<T>(body: Buffer, context: RequestContext, process: (json: unknown) => T): T {
  try {
    return process(parseJson(body));
  } catch (error) {
    throw translateError(error, context);
  }
}

/**
 * Shares one request among equal reads, until it is sent.
 *
 * A read that starts after the request was sent starts a new one, so no response is older than the
 * call that returns it.
 */
export class RequestDeduplicator<T> {
  private readonly unsent = new Map<string, Promise<T>>();

  /** @param start starts a request, and calls `onSend` when it is sent. */
  read(key: string, start: (onSend: () => void) => Promise<T>): Promise<T> {
    const existing = this.unsent.get(key);
    if (existing !== undefined) return existing;
    let isUnsent = true;
    const close = (): void => {
      if (isUnsent) this.unsent.delete(key);
      isUnsent = false;
    };
    const started = start(close);
    if (isUnsent) this.unsent.set(key, started);
    // A request can end before it is sent.
    started.then(close, close);
    return started;
  }
}
