import { displayText } from "../errors/displayText.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import {
  InvalidResponseError,
  type RequestContext,
  requestError,
} from "../errors/requestFailure.js";
import type { Project, ProjectKey, ProjectSummary } from "../model/project.js";
import {
  appliesToListForm,
  compileFilters,
  FilterValues,
  type ProjectFilter,
} from "../model/projectFilter.js";
import { checkProjectId } from "../model/projectId.js";
import type { Settings } from "../settings/resolveSettings.js";
import { ResultCache } from "../settings/resultCache.js";
import type { CredentialMapper } from "../wire/credentials.js";
import { mapProject } from "../wire/mapping.js";
import { pulumiSafeJson } from "../wire/pulumiSafeJson.js";
import { parseJson, validateProject, type WireProject } from "../wire/validate.js";
import { Client } from "./client.js";
import { findByName, readList } from "./list.js";
import { BrokenProjectError, readEach, type ReadEachOptions } from "./readEach.js";

export interface ReadProjectsOptions extends Omit<ReadEachOptions, "concurrency"> {
  /** Default false. */
  readonly isSecret?: boolean;
}

/** A Project Service, read as one user. */
export class ProjectService {
  private readonly client: Client;

  constructor(private readonly settings: Settings) {
    this.client = new Client(settings);
  }

  /** Signs in, if there is no usable token yet. The other methods do so themselves. */
  async signIn(): Promise<void> {
    await this.client.token();
  }

  /**
   * Lists the projects that match the filters, in list form. The filters have keys of the list form.
   *
   * @param isSecret whether messages must contain no value of a filter, and no text of the service.
   * @returns also `existing`, which makes a sentence with values that exist, for filters that match nothing.
   * @throws ProjectServiceError also `ARGUMENT_INVALID` if a value of a filter exists in other letters only.
   */
  async listProjects(filters: readonly ProjectFilter[] = [], isSecret = false) {
    const values = new FilterValues(filters, isSecret);
    const listed = await this.list();
    for (const project of listed) values.add(project);
    values.checkSpelling();
    const projects = listed.filter(compileFilters(filters));
    for (const project of projects) this.checkListed(project, isSecret);
    // Concurrent callers may share the list, so each gets copies.
    return { projects: projects.map((each) => ({ ...each })), existing: () => values.existing() };
  }

  /** @param isSecret whether id or name are secret, so that no error may contain them. */
  async readProject<P extends Project>(
    { projectId, name }: ProjectKey,
    mapper: CredentialMapper<P>,
    isSecret = false,
  ): Promise<P> {
    if (projectId !== undefined) return (await this.read(projectId, isSecret))(mapper);
    const listed = findByName(name, await this.list(), isSecret);
    const project = (await this.read(listed.projectId, isSecret))(mapper);
    if (project.name === name) return project;
    throw new ProjectServiceError(
      "NOT_FOUND",
      "The project was renamed while it was read. Try again.",
    );
  }

  /** The address of the project API, for instance `https://api.example.com/api/project/v5`. */
  get address(): string {
    return this.settings.apiUrl;
  }

  /**
   * Reads the projects that match the filters, in full form and in the order of the list.
   *
   * Filters by keys of the list form are applied first. Projects that do not match them are not read.
   *
   * @param isSecret as in {@link listProjects}.
   * @returns also `listedIds`, the ids of all listed projects, `selected`, how many of them were read, and `existing`.
   * @throws ProjectServiceError like {@link listProjects}, and the error of the first project if none can be read.
   */
  async readProjects<P extends Project>(
    filters: readonly ProjectFilter[],
    mapper: CredentialMapper<P>,
    { onInaccessible, onProgress, isSecret = false }: ReadProjectsOptions,
  ) {
    const hasSecretIds = isSecret && filters.some(({ key }) => key === "projectId");
    const values = new FilterValues(filters, isSecret);
    const matchesInList = compileFilters(filters.filter(appliesToListForm));
    // A project may have changed since it was listed, so its full form decides.
    const matchesInFull = compileFilters(filters);
    const listed = await this.list();
    for (const project of listed) values.add(project);
    const selected = listed.filter(matchesInList).map(({ projectId }) => projectId);
    const result = await readEach(
      selected,
      async (projectId) => {
        const projectOf = await this.read(projectId, hasSecretIds);
        return () => {
          const project = projectOf(mapper);
          values.add(project);
          return matchesInFull(project) ? project : undefined;
        };
      },
      { onInaccessible, onProgress, concurrency: this.settings.maxConcurrency },
    );
    values.checkSpelling();
    return {
      ...result,
      listedIds: listed.map(({ projectId }) => projectId),
      selected: selected.length,
      existing: () => values.existing(),
    };
  }

  /** Source: `GET {baseUrl}/api/project/v5/projects`, all pages. Callers may share the result. */
  private list(): Promise<readonly Readonly<ProjectSummary>[]> {
    const context = this.listContext();
    // For all pages, with all readings.
    const limitMs = Math.max(300_000, this.settings.timeoutSeconds * 1_000);
    return this.client.read("list", context, (get) => readList(context.url, get), limitMs);
  }

  private listContext(): RequestContext {
    const url = `${this.settings.apiUrl}/projects`;
    return { operation: "Listing the projects", url, urlSetting: "baseUrl" };
  }

  /** Refuses a project in list form with a text that Pulumi does not carry. */
  private checkListed(project: ProjectSummary, isSecret: boolean): void {
    try {
      pulumiSafeJson(project, isSecret ? "a project" : `project ${displayText(project.projectId)}`);
    } catch (error) {
      const advice = "Correct the project in the service.";
      const broken = new InvalidResponseError((error as Error).message, advice);
      throw requestError(broken, this.listContext());
    }
  }

  /**
   * Reads a project. Callers may share the response. Each gets objects and secrets of its own.
   *
   * Source: `GET {baseUrl}/api/project/v5/projects/{projectId}`.
   *
   * @returns the function that makes the project from the response.
   */
  private async read(projectId: string, isSecret = false) {
    checkProjectId(projectId);
    const context: RequestContext = {
      operation: isSecret ? "Reading the project" : "Reading project",
      url: `${this.settings.apiUrl}/projects/${encodeURIComponent(projectId)}`,
      urlSetting: "baseUrl",
      projectId,
      isSecret,
    };
    // Reads that share a response also share its error.
    const key = `${isSecret ? "secret" : "plain"} project ${projectId}`;
    const { body } = await this.client.read(key, context, (get) => get(context.url));
    return <P extends Project>(mapper: CredentialMapper<P>) => toProject(body, context, mapper);
  }
}

function toProject<P extends Project>(
  body: Buffer,
  context: RequestContext,
  mapper: CredentialMapper<P>,
): P {
  let isProject = false;
  try {
    const json = parseJson(body);
    isProject = (json as Partial<WireProject> | null)?._id === context.projectId;
    const wire = validateProject(json);
    if (!isProject) throw new InvalidResponseError("_id is the id of another project");
    return mapProject(wire, mapper);
  } catch (error) {
    const isBroken = isProject && error instanceof InvalidResponseError && !error.advice;
    if (!isBroken) throw requestError(error, context);
    const broken = new InvalidResponseError(error.message, "Correct the project in the service.");
    const { code, message, ...details } = requestError(broken, context);
    throw new BrokenProjectError(code, message, details);
  }
}

const services = new ResultCache<ProjectService>(10_000);

/** Returns the service for these settings. Calls with equal settings share its connections, limits and requests. */
export function getProjectService(settings: Settings): ProjectService {
  return services.get(settings, () => new ProjectService(settings));
}
