import { createHash } from "node:crypto";
import { displayList } from "../errors/displayText.js";
import { ProjectServiceError, withoutDetails } from "../errors/projectServiceError.js";
import type { RequestContext } from "../errors/requestFailure.js";
import type { Project, ProjectKey, ProjectSummary } from "../model/project.js";
import {
  appliesToListForm,
  compileFilters,
  decide,
  FilterValues,
  type ProjectFilter,
} from "../model/projectFilter.js";
import { checkProjectId } from "../model/projectId.js";
import type { Settings } from "../settings/resolveSettings.js";
import { ResultCache } from "../settings/resultCache.js";
import { type CredentialMapper, withoutCredentials } from "../wire/credentials.js";
import { Client } from "./client.js";
import { policy } from "./policy.js";
import { readList } from "./list.js";
import { findByName, selectListed } from "./listedProjects.js";
import { type MappedProject, toProject } from "./projectResponse.js";
import { readEach, type ReadEachOptions } from "./readEach.js";

export interface ReadProjectsOptions extends Omit<ReadEachOptions, "concurrency"> {
  /** A project that matches one of these filters is left out. */
  readonly excluded?: readonly ProjectFilter[];
}

/** A Project Service, read as one user. */
export class ProjectService {
  constructor(
    private readonly settings: Settings,
    private readonly client = new Client(settings),
    /** Whether debug lines and warnings must not name arguments. Errors do, and `hideArguments` replaces them. */
    readonly hasSecretArguments = false,
  ) {}

  /** Returns the service for a call whose arguments may be secret. */
  forArguments(areSecret: boolean): ProjectService {
    return areSecret ? new ProjectService(this.settings, this.client, true) : this;
  }

  /** Runs a read of such a call, for instance of `getProject`. If an argument is secret, its error names none. */
  async hideArguments<T>(what: string, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      const isOurs = this.hasSecretArguments && error instanceof ProjectServiceError;
      throw isOurs ? withoutDetails(what, error) : error;
    }
  }

  /** Lists texts for a warning, after a colon. Returns nothing if they could show a secret argument. */
  namesAfterColon(texts: readonly string[]): string {
    return this.hasSecretArguments ? "" : `: ${displayList(texts)}`;
  }

  /** Signs in, if there is no usable token yet. The other methods do so themselves. */
  async signIn(): Promise<void> {
    await this.client.token();
  }

  /**
   * Lists the projects that match the filters, in list form. The filters have keys of the list form.
   *
   * @throws ProjectServiceError also `ARGUMENT_INVALID` if a value of a filter differs only in case from one that exists, and
   *   `RESPONSE_INVALID` if the list has no value for a filter, so that it cannot decide.
   */
  async listProjects(filters: readonly ProjectFilter[] = []) {
    const values = new FilterValues(filters);
    const listed = await this.list();
    for (const project of listed) values.add(project);
    values.checkSpelling();
    // Concurrent callers may share the list, so each gets copies.
    return selectListed(listed, filters).map((each) => ({ ...each }));
  }

  async readProject({ projectId, name }: ProjectKey, mapper: CredentialMapper): Promise<Project> {
    if (projectId !== undefined) return (await this.readResponse(projectId))(mapper).project;
    const listed = findByName(name, await this.list());
    return (await this.readResponse(listed.projectId))(mapper).project;
  }

  /** Reads a project without credentials, on a connection of its own, which may lead to another server. */
  async readFresh(projectId: string): Promise<MappedProject> {
    return (await this.readResponse(projectId, true))(withoutCredentials);
  }

  /** Of the project API. */
  get address(): string {
    return this.settings.apiUrl;
  }

  /** A short hash of what decides which projects are visible. */
  get account(): string {
    const { apiUrl, issuer, clientId, scope, username } = this.settings;
    const who = JSON.stringify([apiUrl, issuer, clientId, scope, username]);
    return createHash("sha256").update(who).digest("hex").slice(0, 16);
  }

  get concurrency(): number {
    return this.settings.maxConcurrency;
  }

  get slowness(): string | undefined {
    return this.client.slowness;
  }

  /**
   * Reads the projects that match the filters, in full form and in the order of the list. Projects that do not match in
   * list form are not read.
   *
   * @returns also `listed`, all listed projects, and `selected`, how many of them were read.
   * @throws ProjectServiceError like {@link listProjects}, and the error of the first project if none can be read.
   */
  async readProjects(
    filters: readonly ProjectFilter[],
    mapper: CredentialMapper,
    options: ReadProjectsOptions,
  ) {
    const { excluded = [] } = options;
    const values = new FilterValues([...filters, ...excluded]);
    const excluding = compileFilters(excluded);
    const isKept = (project: object) => !excluding.some(({ matches }) => matches(project));
    const compiled = compileFilters(filters);
    const inList = compiled.filter(appliesToListForm);
    const listed = await this.list();
    for (const project of listed) values.add(project);
    const selected = listed
      .filter((project) => decide(project, inList) !== "not selected" && isKept(project))
      .map(({ projectId }) => projectId);
    const result = await readEach(
      selected,
      async (projectId) => {
        const map = await this.readResponse(projectId);
        return () => {
          const { project, isSelected } = map(mapper);
          values.add(project);
          // A project may have changed since it was listed, so its full form decides.
          return isSelected(compiled) && isKept(project) ? project : undefined;
        };
      },
      { ...options, concurrency: this.concurrency },
    );
    values.checkSpelling();
    return { ...result, listed, selected: selected.length };
  }

  /** Lists the projects as the service has them. Callers may share the result. */
  list(): Promise<readonly Readonly<ProjectSummary>[]> {
    const { apiUrl, timeoutSeconds } = this.settings;
    const url = `${apiUrl}/projects`;
    const context = { operation: "Listing the projects", url, urlSetting: "baseUrl" } as const;
    const limitMs = Math.max(policy.listMs, timeoutSeconds * 1_000);
    return this.client.read(context, (get) => readList(url, get), { limitMs });
  }

  /** Reads a project. Callers may share the response, and each makes its project from it with the function returned. */
  private async readResponse(projectId: string, isFresh = false) {
    checkProjectId(projectId);
    const context: RequestContext = {
      operation: "Reading project",
      url: `${this.settings.apiUrl}/projects/${encodeURIComponent(projectId)}`,
      urlSetting: "baseUrl",
      projectId,
      isSecret: this.hasSecretArguments,
    };
    const { body } = await this.client.read(context, (get) => get(context.url), { isFresh });
    return (mapper: CredentialMapper) => toProject(body, context, mapper);
  }
}

const services = new ResultCache<ProjectService>();

/** Returns the service for these settings. Calls with equal settings share its connections, limits and requests. */
export function getProjectService(settings: Settings): ProjectService {
  return services.get(settings, () => new ProjectService(settings));
}
