/*
 * Lists that were recorded and that the response now lacks. A server with an older version of the service, or a user who
 * may see less, omits them. A program would then delete what it makes for each element.
 */
import { isDeepStrictEqual } from "node:util";
import { displayList, displayText } from "../errors/displayText.js";
import type { Environment, Project } from "../model/project.js";
import { UnprovenAbsenceError } from "../service/missingProjects.js";
import type { ProjectService } from "../service/projectService.js";
import { withoutCredentials } from "../wire/credentials.js";
import { readRecord } from "./recordProjects.js";

/** The flag of a project that says whether it has elements of a list at all. */
const flags = {
  databases: "hasDatabases",
  assetGroups: "hasAssets",
  symLinks: "hasAssets",
} as const;

interface LostList {
  readonly projectId: string;
  /** Where the list is, for instance `environments[live].databases`. */
  readonly path: string;
  /** Undefined for environments: no flag says that a project has none. */
  readonly flag?: (typeof flags)[keyof typeof flags] | undefined;
}

interface Recorded {
  readonly projectId?: string | undefined;
  readonly projects?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns the lists with elements in a record of which the new record says that the response lacks them. */
export function lostLists(recorded: Recorded, read: Recorded): LostList[] {
  if (typeof recorded.projects !== "object" || typeof read.projects !== "object") {
    // Of a ProjectSnapshot, whose properties are the fields of its project.
    const isSame = recorded.projectId !== undefined && recorded.projectId === read.projectId;
    return isSame ? listsLostBy(recorded as Project, read as Project) : [];
  }
  const { projects } = read;
  return Object.entries(recorded.projects).flatMap(([id, record]) => {
    const now = projects[id];
    if (now === undefined || isDeepStrictEqual(now, record)) return [];
    const [before, after] = [readable(id, record), readable(id, now)];
    return before === undefined || after === undefined ? [] : listsLostBy(before, after);
  });
}

/** Returns undefined for a record of another shape, which nothing can be compared with. */
function readable(id: string, record: unknown): Project | undefined {
  try {
    return readRecord(id, record);
  } catch {
    return undefined;
  }
}

function listsLostBy(before: Project, after: Project): LostList[] {
  const { projectId } = before;
  if (isLost("environments", before, after)) return [{ projectId, path: "environments" }];
  return (before.environments ?? []).flatMap((environment) => {
    const now = after.environments?.find(
      (each) => each.environmentId === environment.environmentId,
    );
    if (now === undefined) return [];
    const lists = Object.entries(flags) as [keyof typeof flags, LostList["flag"]][];
    return lists.flatMap(([list, flag]) =>
      isLost(list, environment, now)
        ? [{ projectId, path: `environments[${environment.environmentId}].${list}`, flag }]
        : [],
    );
  });
}

function isLost<K extends string>(
  list: K,
  before: Partial<Record<K, readonly unknown[]>>,
  after: Pick<Environment, "missingFields">,
): boolean {
  return (before[list]?.length ?? 0) > 0 && after.missingFields?.includes(list);
}

/** @throws ProjectServiceError `RESPONSE_INVALID`, unless the flags of the projects say that they have no such elements. */
export async function checkLostLists(
  { service, hidesIds }: { readonly service: ProjectService; readonly hidesIds: boolean },
  lost: readonly LostList[],
): Promise<void> {
  const projects = new Map<string, Project>();
  for (const projectId of new Set(lost.map((each) => each.projectId))) {
    const options = { isSecret: hidesIds };
    projects.set(projectId, await service.readProject({ projectId }, withoutCredentials, options));
  }
  const unproven = lost.filter(
    ({ projectId, flag }) => flag === undefined || projects.get(projectId)?.[flag] !== false,
  );
  if (unproven.length === 0) return;
  const places = unproven.map(({ projectId, path }) => `${projectId} (${displayText(path)})`);
  const named = hidesIds ? "" : `: ${displayList(places, 20, 200)}`;
  throw new UnprovenAbsenceError(
    "RESPONSE_INVALID",
    `Missing: lists that were recorded, and are absent or null now${named}. Without proof that they were emptied, they stay recorded. Try again. To record projects without them, name the other fields in the argument fields.`,
  );
}
