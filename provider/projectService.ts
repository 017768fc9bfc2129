import { createHash } from "node:crypto";
import { ProjectServiceError } from "./errors.js";
import type { Sealer } from "./mapping.js";
import type {
  CodeRepository,
  Database,
  InaccessibleProject,
  Project,
  ProjectSummary,
} from "./project.js";
import { ProjectApi } from "./projectApi.js";
import { isOfListForm, type ProjectFilter, testOf } from "./projectFilter.js";
import type { ProjectListKey } from "./projectKeys.js";
import { readEach, type ReadEachOptions } from "./readEach.js";
import { Retry, type WaitListener } from "./retry.js";
import type { Settings } from "./resolveSettings.js";
import { listed, shown } from "./shown.js";
import { createGrants } from "./signIn.js";
import { type TimeLimits, timeLimitsOf } from "./timeLimits.js";
import { TokenCache } from "./tokenCache.js";
import { createTransport } from "./transport.js";
import { userAgent } from "./userAgent.js";

/** Which project: by its id, or by its name if that is unique. */
export type ProjectReference =
  | { readonly projectId: string; readonly name?: undefined }
  | { readonly name: string; readonly projectId?: undefined };

/** One Project Service, read as one user: the sign-in, the connections, the reads. */
export class ProjectService {
  private readonly api: ProjectApi;

  constructor(
    private readonly settings: Settings,
    onWait: WaitListener,
    limits: TimeLimits = timeLimitsOf(settings),
  ) {
    const transport = createTransport({
      maxConnections: settings.maxConcurrency,
      caCertificates: settings.caCertificates,
      headers: { "user-agent": userAgent, ...settings.headers },
    });
    const retry = new Retry(limits, onWait);
    const tokens = new TokenCache(createGrants(settings, transport, retry));
    this.api = new ProjectApi(settings, tokens, retry, transport, limits);
  }

  /** The projects that pass the filters, in list form. */
  async listProjects(
    filters: readonly ProjectFilter<ProjectListKey>[] = [],
  ): Promise<ProjectSummary[]> {
    const projects = await this.api.listProjects();
    // The list may be shared with concurrent callers; each may do with its own what it likes.
    return projects.filter(testOf(filters)).map((project) => ({ ...project }));
  }

  async readProject<R extends CodeRepository, D extends Database>(
    { projectId, name }: ProjectReference,
    sealer: Sealer<R, D>,
  ): Promise<Project<R, D>> {
    return this.api.readProject(projectId ?? (await this.idOf(name)), sealer);
  }

  /**
   * The projects that pass the filters, in full, in the order of the list. Those that do not pass a
   * filter of the list form are not read.
   */
  async readProjects<R extends CodeRepository, D extends Database>(
    filters: readonly ProjectFilter[],
    sealer: Sealer<R, D>,
    options: Omit<ReadEachOptions, "concurrency">,
  ): Promise<{ projects: Project<R, D>[]; inaccessible: InaccessibleProject[] }> {
    const isListed = testOf(filters.filter(isOfListForm));
    const isWanted = testOf(filters.filter((filter) => !isOfListForm(filter)));
    const listed = (await this.api.listProjects()).filter(isListed);
    return readEach(
      listed.map(({ projectId }) => projectId),
      async (projectId) => {
        const project = await this.api.readProject(projectId, sealer);
        return isWanted(project) ? project : undefined;
      },
      { ...options, concurrency: this.settings.maxConcurrency },
    );
  }

  private async idOf(name: string): Promise<string> {
    const projects = await this.api.listProjects();
    const [match, ...others] = projects.filter((project) => project.name === name);
    if (match === undefined) throw unknownName(name, projects);
    if (others.length > 0) throw ambiguousName(name, [match, ...others]);
    return match.projectId;
  }
}

const maxServices = 32;
const servicesByListener = new WeakMap<WaitListener, Map<string, ProjectService>>();

/**
 * The service for these settings. Calls with equal settings and the same listener share its token
 * and its connections; of many settings in one process, those used longest ago are forgotten.
 *
 * @param onWait told of long waits. Pass the same function each time.
 */
export function connect(settings: Settings, onWait: WaitListener): ProjectService {
  const services = servicesByListener.get(onWait) ?? new Map<string, ProjectService>();
  servicesByListener.set(onWait, services);
  const key = createHash("sha256").update(JSON.stringify(settings)).digest("hex");
  const service = services.get(key) ?? new ProjectService(settings, onWait);
  services.delete(key);
  services.set(key, service);
  for (const oldest of services.keys()) {
    if (services.size <= maxServices) break;
    services.delete(oldest);
  }
  return service;
}

function unknownName(name: string, projects: readonly ProjectSummary[]): ProjectServiceError {
  return new ProjectServiceError(
    "NOT_FOUND",
    `There is no project named "${shown(name)}". ` +
      (projects.length === 0
        ? "The user set in username sees no project at all."
        : `Those that the user set in username sees: ${listed(projects.map(idAndName))}.`),
  );
}

function ambiguousName(name: string, projects: ProjectSummary[]): ProjectServiceError {
  return new ProjectServiceError(
    "AMBIGUOUS_NAME",
    `${projects.length} projects are named "${shown(name)}": ${listed(projects.map(idAndName))}. Pass projectId in place of name.`,
  );
}

function idAndName({ projectId, name }: ProjectSummary): string {
  return `${projectId} (${name})`;
}
