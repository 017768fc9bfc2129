/* What the two resources record of the service, for the program and for `pulumi refresh`. */
import { ProjectServiceError } from "../errors/projectServiceError.js";
import { InvalidResponseError, requestError } from "../errors/requestFailure.js";
import type {
  CodeRepository,
  Database,
  InaccessibleProject,
  Project,
  SnapshotCredentials,
  SnapshotDatabaseCredentials,
} from "../model/project.js";
import { type ProjectFieldKey, recordedPart } from "../model/selectedFields.js";
import { compareValues, type ProjectFilter } from "../model/projectFilter.js";
import type { ProjectReference, ProjectService } from "../service/projectService.js";
import { inClear, missingCredential, withoutCredentials } from "../wire/credentials.js";
import { checkPulumiSafeKey } from "../wire/pulumiSafeJson.js";

/** A project in the state. Its fields are properties of the resource. */
export type ProjectRecord = Project & {
  /** The address of the service that was read. */
  readonly service: string;
  /** Absent unless `includeCredentials` is true. */
  readonly credentials?: SnapshotCredentials;
};

/** Which projects are recorded, and how. */
export interface RecordScope {
  /** Default: all projects. */
  readonly filters?: readonly ProjectFilter[] | undefined;
  /** Default: all fields of each project. */
  readonly fields?: readonly ProjectFieldKey[] | undefined;
  /** Default `"fail"`. */
  readonly onInaccessible?: "fail" | "skip" | undefined;
  /** Default false. */
  readonly includeCredentials?: boolean | undefined;
}

/** Projects in the state. */
export interface ProjectsRecord {
  /** By `projectId`. With `fields`, only a part of each project. */
  readonly projects: Record<string, Project>;
  /** Sorted by `projectId`. Empty unless `onInaccessible` is `"skip"`. */
  readonly inaccessible: InaccessibleProject[];
  /** The address of the service that was read. */
  readonly service: string;
  /** By `projectId`. Absent unless `includeCredentials` is true. */
  readonly credentials?: Record<string, SnapshotCredentials>;
}

/** A project with its credentials. Each may still be an Output. */
export type ProjectWithSecrets = Project<
  CodeRepository & { importRepository: unknown },
  Database & { username: string; password: string }
>;

// What separates the credentials from a project also takes a project without them.
const mapperFor = (includeCredentials: boolean) =>
  includeCredentials ? inClear : (withoutCredentials as typeof inClear);

/**
 * Reads a project for a record.
 *
 * @throws ProjectServiceError also `RESPONSE_INVALID` if a credential is missing that must be recorded.
 */
export async function takeProject(
  service: ProjectService,
  reference: ProjectReference,
  includeCredentials: boolean,
): Promise<ProjectRecord> {
  const project = await service.readProject(reference, mapperFor(includeCredentials));
  return {
    ...(recordedPart(project) as Project),
    service: service.address,
    ...(includeCredentials && { credentials: credentialsOf(project) }),
  };
}

/**
 * Reads the projects in a scope for a record.
 *
 * @returns also `listedIds`, the ids of all listed projects, inside the scope or not.
 * @throws ProjectServiceError also `RESPONSE_INVALID` if Pulumi cannot carry an id as a key; `NOT_FOUND` if there
 *   is no project to record; `FORBIDDEN` or `NOT_FOUND` if none of them can be read.
 */
export async function takeProjects(
  service: ProjectService,
  { filters = [], fields, onInaccessible = "fail", includeCredentials = false }: RecordScope,
): Promise<ProjectsRecord & { readonly listedIds: readonly string[] }> {
  const read = await service.readProjects(filters, mapperFor(includeCredentials), onInaccessible);
  const { projects, inaccessible, listedIds, selected } = read;
  const [first] = inaccessible;
  if (first !== undefined && inaccessible.length === selected) throw noneReadable(first, selected);
  if (projects.length === 0) throw nothingToRecord(listedIds.length);
  const byId = <T>(valueOf: (project: ProjectWithSecrets) => T) =>
    Object.fromEntries(projects.map((each) => [checkedKey(service, each), valueOf(each)]));
  return {
    projects: byId((project) => recordedPart(project, fields) as Project),
    inaccessible: [...inaccessible].sort((a, b) => compareValues(a.projectId, b.projectId)),
    service: service.address,
    ...(includeCredentials && { credentials: byId(credentialsOf) }),
    listedIds,
  };
}

/** @throws ProjectServiceError `RESPONSE_INVALID` if a database has no user name or no password. */
export function credentialsOf(project: ProjectWithSecrets): SnapshotCredentials {
  const { projectId, environments, codeRepository, missingFields } = project;
  const databases = environments.map((environment) => [
    environment.environmentId,
    environment.databases.map(({ associationId, name, ...database }) => {
      const credential = (key: "username" | "password"): string => {
        if (database[key]) return database[key];
        throw missingCredential(key, "the database", name);
      };
      const [username, password] = [credential("username"), credential("password")];
      return { associationId, name, username, password } satisfies SnapshotDatabaseCredentials;
    }),
  ]);
  // A repository without this field may have nothing to import.
  const isMissing = missingFields?.includes("codeRepository.importRepository");
  return {
    projectId,
    databases: Object.fromEntries(databases) as SnapshotCredentials["databases"],
    importRepository: isMissing ? undefined : codeRepository?.importRepository,
  };
}

/** Refuses an id with which the engine would lose the project, or fail and print it. */
function checkedKey({ address }: ProjectService, { projectId }: ProjectWithSecrets): string {
  try {
    checkPulumiSafeKey(projectId, "the id of a project");
    return projectId;
  } catch (error) {
    if (!(error instanceof InvalidResponseError)) throw error;
    const context = { operation: "Listing the projects", url: `${address}/projects` };
    throw requestError(error, { ...context, urlSetting: "baseUrl" });
  }
}

function nothingToRecord(listed: number): ProjectServiceError {
  return new ProjectServiceError(
    "NOT_FOUND",
    listed === 0
      ? "The service lists no projects, so nothing is recorded. Check that the user in the setting username has access to them."
      : "No project matches the filters, so nothing is recorded. Check the filters.",
  );
}

function noneReadable({ code }: InaccessibleProject, count: number): ProjectServiceError {
  return new ProjectServiceError(
    code,
    code === "FORBIDDEN"
      ? `The user in the setting username has access to none of the ${count} listed projects, so nothing is recorded. Ask for access.`
      : `The list has ${count} projects, but reading them returns 404, so nothing is recorded. Check baseUrl, and try again.`,
  );
}
