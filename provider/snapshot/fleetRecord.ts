import type { ProjectService } from "../service/projectService.js";
import { InvalidResponseError } from "../errors/internalErrors.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import { requestError } from "../errors/requestFailure.js";
import type { InaccessibleProject, Project, SnapshotCredentials } from "../model/project.js";
import { type ProjectFieldKey, recordedPart } from "../model/recordedFields.js";
import { compareValues, type ProjectFilter } from "../model/selection.js";
import { checkMemory } from "./memoryLimit.js";
import { separate, type Snapshot } from "./projectRecord.js";
import { inClear, withoutCredentials } from "../wire/mapping.js";
import { checkPulumiSafeKey } from "../wire/pulumiSafeJson.js";
import { isInShard, type Shard } from "./shard.js";

/** Which projects are recorded, and how. */
export interface SnapshotScope {
  /** Default: all projects. */
  readonly filters?: readonly ProjectFilter[] | undefined;
  /** Default: the whole fleet. */
  readonly shard?: Shard | undefined;
  /** Default: all fields of each project. */
  readonly fields?: readonly ProjectFieldKey[] | undefined;
  /** Default `"fail"`. */
  readonly onInaccessible?: "fail" | "skip" | undefined;
  /** Default false. */
  readonly includeCredentials?: boolean | undefined;
  /** Default false. */
  readonly allowEmpty?: boolean | undefined;
}

/** Projects as a stack's state records them. */
export interface RecordedProjects {
  /** By `projectId`. With `fields`, only a part of each project. */
  readonly projects: Record<string, Project | object>;
  /** Sorted by `projectId`. Empty unless `onInaccessible` is `"skip"`. */
  readonly inaccessible: InaccessibleProject[];
  /** The address of the service that was read. */
  readonly service: string;
  /** By `projectId`. Absent unless `includeCredentials` is true. */
  readonly credentials?: Record<string, SnapshotCredentials>;
}

/**
 * Reads the projects in a scope, and separates them from their credentials.
 *
 * @returns also `listedIds`, the ids of all listed projects, inside the scope or not.
 * @throws ProjectServiceError `RESPONSE_INVALID` if Pulumi cannot carry an id as a key. `FORBIDDEN` or
 *   `NOT_FOUND` if no project in the scope can be read, also with `onInaccessible: "skip"`. `NOT_FOUND`
 *   if the service lists no project, unless `allowEmpty` is true.
 *   `ARGUMENT_INVALID` if Pulumi has too little memory for the projects.
 */
export async function takeProjectsSnapshot(
  service: ProjectService,
  {
    filters = [],
    shard,
    fields,
    onInaccessible = "fail",
    includeCredentials = false,
    allowEmpty = false,
  }: SnapshotScope,
  listeners: Pick<ReadOptions, "onProgress" | "onNoMatch"> = {},
): Promise<RecordedProjects & { readonly listedIds: readonly string[] }> {
  const options = {
    ...listeners,
    onInaccessible,
    isSelected: (projectId: string) => {
      checkKey(service, projectId);
      return shard === undefined || isInShard(projectId, shard);
    },
  };
  // `separate` also takes projects that have no credentials.
  const mapper = includeCredentials ? inClear : (withoutCredentials as typeof inClear);
  const read = await service.readProjects(filters, mapper, options);
  const { projects, inaccessible, listedIds, selected } = read;
  const snapshots = projects.map((project) => separate(project, includeCredentials));
  if (listedIds.length === 0 && !allowEmpty) throw nothingListed();
  const [first] = inaccessible;
  if (first !== undefined && inaccessible.length === selected) {
    throw noneAccessible(first, selected);
  }
  const recorded: RecordedProjects = {
    projects: Object.fromEntries(
      snapshots.map(({ project }) => [
        project.projectId,
        fields === undefined ? project : recordedPart(project, fields),
      ]),
    ),
    inaccessible: [...inaccessible].sort((a, b) => compareValues(a.projectId, b.projectId)),
    service: service.address,
    ...(includeCredentials && { credentials: credentialsOf(snapshots) }),
  };
  checkMemory(recorded);
  return { ...recorded, listedIds };
}

type ReadOptions = Parameters<ProjectService["readProjects"]>[2];

function credentialsOf(snapshots: readonly Snapshot[]): Record<string, SnapshotCredentials> {
  return Object.fromEntries(
    snapshots.flatMap(({ project, credentials }) =>
      credentials === undefined ? [] : [[project.projectId, credentials]],
    ),
  );
}

/** Refuses an id with which the engine would lose the project, or fail and print it. */
function checkKey({ address }: ProjectService, projectId: string): void {
  try {
    checkPulumiSafeKey(projectId, "the id of a project");
  } catch (error) {
    if (!(error instanceof InvalidResponseError)) throw error;
    const context = { operation: "Listing the projects", url: `${address}/projects` };
    throw requestError(error, { ...context, urlSetting: "baseUrl" });
  }
}

function nothingListed(): ProjectServiceError {
  return new ProjectServiceError(
    "NOT_FOUND",
    "The service lists no projects, so nothing is recorded. Check that the user in the setting username has access to them. If the service may have no projects, pass allowEmpty: true.",
  );
}

function noneAccessible({ code }: InaccessibleProject, count: number): ProjectServiceError {
  return new ProjectServiceError(
    code,
    code === "FORBIDDEN"
      ? `The user in the setting username has access to none of the ${count} listed projects, so nothing is recorded. Ask for access.`
      : `The list has ${count} projects, but reading them returns 404, so nothing is recorded. Check baseUrl, and try again.`,
  );
}
