/*
 * Parts of a project that were recorded and that the response now lacks. A server with an older version of the service,
 * or a user who may see less, omits them. A program would then delete what it makes for them.
 */
import { isDeepStrictEqual } from "node:util";
import { displayCount, displayList } from "../errors/displayText.js";
import { withOpenText } from "../errors/withoutArguments.js";
import { groupBy } from "../model/groupBy.js";
import type { Environment, Project, SnapshotCredentials } from "../model/project.js";
import { secondLook, UnprovenAbsenceError } from "../service/missingProjects.js";
import type { ProjectService } from "../service/projectService.js";
import { readById } from "../service/readEach.js";
import { unknownValue } from "../wire/pulumiSafeJson.js";
import { parseRecordText, readRecord, type RecordedProperties } from "./recordProjects.js";

/** The lists of an environment, each with the flag of the project that says whether it has elements at all. */
const environmentLists = {
  databases: "hasDatabases",
  assetGroups: "hasAssets",
  symLinks: "hasAssets",
} as const;

type EnvironmentList = keyof typeof environmentLists;

export interface LostPart {
  readonly projectId: string;
  /** Absent for `environments` and `codeRepository` themselves. */
  readonly environmentId?: string;
  readonly part: "environments" | "codeRepository" | EnvironmentList;
}

/** Returns the recorded parts that the response may lack, by the two records alone. */
export function lostLists(recorded: RecordedProperties, read: RecordedProperties): LostPart[] {
  // Nothing is known yet, for instance in a preview.
  if (Object.values(read).includes(unknownValue)) return [];
  if (typeof recorded.projects !== "object" || typeof read.projects !== "object") {
    // Of a ProjectSnapshot, whose properties are the fields of its project.
    const { projectId } = recorded;
    if (projectId === undefined || projectId !== read.projectId) return [];
    const credentials = lostCredentials(projectId, recorded.credentials, read.credentials);
    return [...lostFields(recorded as Project, read as Project), ...credentials];
  }
  const { projects } = read;
  const [before, after] = [recorded, read].map(({ credentials }) => credentialsIn(credentials));
  return Object.entries(recorded.projects).flatMap(([id, record]) => {
    const now = projects[id];
    if (now === undefined) return [];
    const credentials = lostCredentials(id, before?.[id], after?.[id]);
    if (isDeepStrictEqual(now, record)) return credentials;
    const [was, is] = [record, now].map((each) => readable(() => readRecord(id, each)));
    return was && is ? [...lostFields(was, is), ...credentials] : credentials;
  });
}

/** Returns undefined for a record of another shape, which nothing can be compared with. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function credentialsIn(text: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof text !== "string") return undefined;
  const what = "The record of the credentials";
  return readable(() => parseRecordText(text, what) as Record<string, unknown>);
}

function lostFields(before: Partial<Project>, after: Project): LostPart[] {
  const { projectId } = after;
  const lost: LostPart[] = [];
  // What ignoreChanges names still has its value, although the service omits it.
  const omits = (part: "codeRepository" | "environments") =>
    after.missingFields?.includes(part) === true && !hasElements(after[part]);
  if (before.codeRepository !== undefined && omits("codeRepository")) {
    lost.push({ projectId, part: "codeRepository" });
  }
  const { environments = [] } = before;
  if (environments.length > 0 && omits("environments")) {
    return [...lost, { projectId, part: "environments" }];
  }
  for (const { environmentId, ...lists } of environments) {
    const now = after.environments?.find((each) => each.environmentId === environmentId);
    for (const part of Object.keys(environmentLists) as EnvironmentList[]) {
      const had = (lists[part]?.length ?? 0) > 0;
      if (had && isMissing(part, now)) lost.push({ projectId, environmentId, part });
    }
  }
  return lost;
}

function hasElements(value: object | undefined): boolean {
  return Object.keys(value ?? {}).length > 0;
}

function isMissing(part: EnvironmentList, environment: Environment | undefined): boolean {
  return environment?.missingFields?.includes(part) === true;
}

/** Credentials are recorded whole, whatever `fields` names. */
function lostCredentials(projectId: string, recorded: unknown, read: unknown): LostPart[] {
  const [was, is] = [recorded, read].map(
    (each) => (each as Partial<SnapshotCredentials> | undefined)?.databases,
  );
  if (was === undefined || is === undefined) return [];
  return Object.keys(was).flatMap((environmentId) =>
    (was[environmentId]?.length ?? 0) > 0 && (is[environmentId]?.length ?? 0) === 0
      ? [{ projectId, environmentId, part: "databases" as const }]
      : [],
  );
}

/**
 * Asks the service twice about parts that a new record lacks.
 *
 * @throws ProjectServiceError `RESPONSE_INVALID` if a part is absent or null, and no flag of its project says that it has
 *   none.
 */
export async function checkLostLists(
  service: ProjectService,
  lost: readonly LostPart[],
): Promise<void> {
  if (lost.length === 0) return;
  const ids = [...new Set(lost.map(({ projectId }) => projectId))];
  const read = async (id: string) => (await service.readFresh(id)).project;
  const look = () => readById(ids, read, service.concurrency);
  const looks = [await look()];
  // A server that has lost the part may also have lost the flag.
  if (lost.every((each) => isGone(each, looks[0]?.get(each.projectId)))) {
    await secondLook();
    looks.push(await look());
  }
  const unproven = lost.filter((each) =>
    looks.some((projects) => !isGone(each, projects.get(each.projectId))),
  );
  if (unproven.length === 0) return;
  const places = [...groupBy(unproven, ({ projectId }) => projectId)].map(
    ([id, parts]) => `${id} (${parts.map(pathOf).join(", ")})`,
  );
  const text = (named: string) =>
    `Missing: parts of ${displayCount(places.length, "recorded project")}, which the service omits or returns as null${named}. Nothing proves that the projects no longer have them. Try again. To record projects without these parts, list the other fields in the argument fields.`;
  const named = text(`: ${displayList(places, 20, 200)}`);
  throw withOpenText(new UnprovenAbsenceError("RESPONSE_INVALID", named), text(""));
}

/** Whether the service says that a project no longer has a part. */
function isGone({ part, environmentId }: LostPart, project: Project | undefined): boolean {
  if (project === undefined) return false;
  if (part === "codeRepository") return !project.codeRepository && project.hasCode === false;
  if (part === "environments" || project.missingFields.includes("environments")) return false;
  const environment = project.environments.find((each) => each.environmentId === environmentId);
  if (isMissing(part, environment)) return project[environmentLists[part]] === false;
  return (environment?.[part].length ?? 0) === 0;
}

function pathOf({ part, environmentId }: LostPart): string {
  return environmentId === undefined ? part : `environments[${environmentId}].${part}`;
}
