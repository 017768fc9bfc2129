/*
 * What the two resources record of the service, for the program and for `pulumi refresh`.
 *
 * A ProjectsSnapshot records texts. The engine carries JSON texts several times cheaper than the same data as nested
 * values, and `pulumi preview --diff` decodes them. A text for each environment keeps that diff short.
 */
import { displayCount, displayText } from "../errors/displayText.js";
import { argumentInvalid, ProjectServiceError } from "../errors/projectServiceError.js";
import type {
  InaccessibleProject,
  Project,
  ProjectKey,
  ProjectCredentials,
} from "../model/project.js";
import { compareValues, withSortedKeys } from "../model/compareValues.js";
import { type ProjectFieldKey, pickRecorded, recordedPaths } from "../model/selectedFields.js";
import type { ProjectFilter } from "../model/projectFilter.js";
import type { ProjectService } from "../reading/projectService.js";
import { keepCredentials, requireLogin, withoutCredentials } from "../wire/credentials.js";

/** Which projects are recorded, and how. */
export interface RecordScope {
  readonly filters?: readonly ProjectFilter[] | undefined;
  readonly fields?: readonly ProjectFieldKey[] | undefined;
  readonly onInaccessible?: "fail" | "keep" | undefined;
  readonly includeCredentials?: boolean | undefined;
}

/** The recorded properties that the provider uses. */
export interface RecordedProperties extends RecordScope {
  readonly maxRemovals?: number | undefined;
  /** Of a ProjectSnapshot. */
  readonly projectId?: string | undefined;
  readonly name?: string | undefined;
  /** Of a ProjectsSnapshot. */
  readonly projects?: Readonly<Record<string, unknown>> | undefined;
  readonly inaccessible?: readonly InaccessibleProject[] | undefined;
  readonly service?: string | undefined;
  readonly account?: string | undefined;
  readonly connection?: string | undefined;
  /** Whether the program passed a secret argument. Then no message may name one. */
  readonly hasSecretArguments?: boolean | undefined;
  readonly credentials?: unknown;
}

const mapperFor = (includeCredentials: boolean) =>
  includeCredentials ? keepCredentials : withoutCredentials;

/** Reads a project, and returns its record: the fields, the address of the service, and the credentials. */
export async function recordProject(
  service: ProjectService,
  key: ProjectKey,
  { includeCredentials = false, fields }: Pick<RecordScope, "includeCredentials" | "fields">,
) {
  const mapper = mapperFor(includeCredentials);
  const project = await service.readProject(key, mapper);
  return {
    ...(pickRecorded(project, recordedPaths(fields, includeCredentials)) as Project),
    service: service.address,
    account: service.account,
    credentials: includeCredentials ? credentialsOf(project) : undefined,
  };
}

/**
 * Reads the projects in a scope, and returns their record, in which each project has its id as key. The credentials
 * of all projects are one JSON text.
 *
 * @throws ProjectServiceError also `NOT_FOUND` if there is no project to record.
 */
export async function recordProjects(
  service: ProjectService,
  { filters = [], fields, onInaccessible, includeCredentials = false }: RecordScope,
  onProgress?: (read: number, total: number) => void,
) {
  const { projects, inaccessible } = await service.readProjects(
    filters,
    mapperFor(includeCredentials),
    {
      onProgress,
      onInaccessible: onInaccessible === "keep" ? "skip" : "fail",
      advice:
        'To keep the records of such projects, pass onInaccessible: "keep", and run pulumi up: drift and refresh use it afterwards.',
    },
  );
  if (projects.length + inaccessible.length === 0) {
    throw new ProjectServiceError(
      "NOT_FOUND",
      "The service lists no project that matches, so nothing is recorded or removed. Check the filters, and that the user in the setting username has access.",
    );
  }
  const paths = recordedPaths(fields, includeCredentials);
  const byId = <T>(valueOf: (project: Project) => T) =>
    Object.fromEntries(projects.map((project) => [project.projectId, valueOf(project)]));
  return {
    projects: byId((project) => writeRecord(project, paths)),
    inaccessible: inaccessible.sort((a, b) => compareValues(a.projectId, b.projectId)),
    service: service.address,
    account: service.account,
    // Sorted, because the order of environments is no change of a credential.
    credentials: includeCredentials
      ? JSON.stringify(withSortedKeys(byId(credentialsOf)))
      : undefined,
  };
}

/** Says which projects a ProjectsSnapshot with `onInaccessible: "keep"` could not read. */
export function inaccessibleText(
  inaccessible: readonly InaccessibleProject[],
  service: ProjectService,
): string {
  const names = inaccessible.map(({ projectId, code }) => `${projectId} (${code})`);
  return `${displayCount(names.length, "project")} cannot be read${service.namesAfterColon(names)}. The recorded ones among them keep their record, unless the snapshot is replaced.`;
}

/**
 * Returns the credentials of a project that was read with them.
 *
 * @throws ProjectServiceError `RESPONSE_INVALID` if a database has no user name or no password.
 */
export function credentialsOf(project: Project): ProjectCredentials {
  const { projectId, environments, missingFields } = project;
  const codeRepository = project.codeRepository as { importRepository?: unknown } | undefined;
  const databases = environments.map((environment) => [
    environment.environmentId,
    environment.databases.map((database) => {
      const { associationId, name } = database;
      return { associationId, name, ...requireLogin(database, projectId) };
    }),
  ]);
  // A repository without this field may have nothing to import.
  const isMissing = missingFields?.includes("codeRepository.importRepository");
  return {
    projectId,
    databases: Object.fromEntries(databases) as ProjectCredentials["databases"],
    importRepository: isMissing ? undefined : codeRepository?.importRepository,
  };
}

export interface ProjectRecord {
  /** JSON of the fields of the project, without its environments. */
  readonly project: string;
  /** JSON of each environment, by its id. Absent if `fields` names nothing of them. */
  readonly environments?: Readonly<Record<string, string>> | undefined;
}

/**
 * Returns the record of a project. Equal projects have equal records.
 *
 * @param paths what is recorded, as `recordedPaths` returns it.
 */
export function writeRecord(project: object, paths?: ReadonlySet<string>): ProjectRecord {
  const { environments, ...others } = pickRecorded(project, paths) as Partial<Project>;
  const texts = environments?.map((each) => [each.environmentId, JSON.stringify(each)] as const);
  return { project: JSON.stringify(others), environments: texts && Object.fromEntries(texts) };
}

/** Returns the records of projects by their ids: those of a ProjectsSnapshot, or the one of a ProjectSnapshot. */
export function projectsIn(recorded: RecordedProperties): ReadonlyMap<string, unknown> {
  const { projects, projectId } = recorded;
  if (projects !== undefined) return new Map(Object.entries(projects));
  return new Map(projectId === undefined ? [] : [[projectId, writeRecord(recorded)]]);
}

/**
 * Returns the project of a record. Its environments are sorted by `order` and id.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if the value is no record.
 */
export function readRecord(id: string, record: unknown): Project {
  const { project, environments } = (record ?? {}) as Partial<ProjectRecord>;
  const what = `The record of project ${displayText(id)}`;
  const read = parseRecordText(project, what) as Project;
  if (environments === undefined) return read;
  const sorted = Object.values(environments)
    .map((text) => parseRecordText(text, what) as Project["environments"][number])
    .sort(
      (a, b) => compareValues(a.order, b.order) || compareValues(a.environmentId, b.environmentId),
    );
  return { ...read, environments: sorted };
}

/**
 * Parses a text of a record. Node's own error would quote it.
 *
 * @param what is recorded, for the message.
 */
export function parseRecordText(text: unknown, what: string): object {
  try {
    return JSON.parse(text as string) as object;
  } catch {
    throw argumentInvalid(
      `${what} is not in the form that this version writes. Run pulumi up --replace with the URN of the snapshot. In a test with mocks, return the inputs that newResource gets.`,
    );
  }
}
