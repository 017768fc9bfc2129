import { isDeepStrictEqual } from "node:util";
import { displayText } from "../../provider/errors/displayText.js";
import { fieldsVersion, projectFields, sinceOf } from "../../provider/model/fields.js";
import type { InaccessibleProject } from "../../provider/model/project.js";
import { isRecorded } from "../../provider/model/recordedFields.js";
import { compareValues } from "../../provider/model/selection.js";
import { unknownValue } from "../../provider/wire/pulumiSafeJson.js";
import { hiddenSecret } from "../env/stackOutputs.js";
import { compareProjects, type IsRecorded, type ProjectChange } from "./compareProjects.js";
import { asList, asObject, couldNotLook, type Json, type PreviewedSnapshot } from "./preview.js";

/** What a preview says about a snapshot. */
export interface SnapshotChanges {
  readonly name: string;
  readonly type: PreviewedSnapshot["type"];
  readonly urn: string;
  /** How many recorded projects were compared. */
  readonly projects: number;
  /** Whether Pulumi hides the projects, and only says whether they change. */
  readonly isSecret?: true;
  readonly changes: readonly DriftChange[];
  readonly programChanges: readonly ProgramChange[];
}

/** A difference between what is recorded of the service and what it has now. */
export interface DriftChange extends Omit<ProjectChange, "change"> {
  /** Absent for the credentials of several projects. */
  readonly projectId?: string;
  /** The recorded name of the project, or the name of a new one. */
  readonly name?: string;
  /** `before` and `after` of an inaccessible project are the codes of its errors. */
  readonly change: ProjectChange["change"] | "inaccessible" | "no longer matching";
}

/** A change that the program makes. It is no drift. */
export interface ProgramChange {
  /** The argument. Absent for a snapshot that is new in the program or no longer in it. */
  readonly property?: string;
  readonly change: ProjectChange["change"];
  /** Absent if the values may be secret, or tell nothing. */
  readonly before?: unknown;
  readonly after?: unknown;
  /** How many projects other filters select in addition, and how many no longer. */
  readonly projectsAdded?: number;
  readonly projectsRemoved?: number;
}

/** A snapshot that is recorded and still in the program. */
export interface ComparedSnapshot extends PreviewedSnapshot {
  readonly before: Json;
  readonly after: Json;
}

/** Finds out what became of recorded projects that the list no longer has. */
export type FindMissing = (
  snapshot: ComparedSnapshot,
  projectIds: readonly string[],
) => Promise<ReadonlyMap<string, Pick<DriftChange, "change" | "after">>>;

/**
 * Compares what a snapshot has recorded with what an update would record.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if it cannot be compared.
 */
export async function compareSnapshot(
  snapshot: PreviewedSnapshot,
  findMissing: FindMissing,
): Promise<SnapshotChanges> {
  const { name, type, urn, before, after } = snapshot;
  const place = { name, type, urn };
  const nothing = { ...place, projects: 0, changes: [] };
  if (before === undefined) return { ...nothing, programChanges: [{ change: "added" }] };
  if (after === undefined) return { ...nothing, programChanges: [{ change: "removed" }] };
  const compared = { ...snapshot, before, after };
  refuseIncomparable(compared);
  const isSecret = before["projects"] === hiddenSecret;
  const comparison = await compare(compared, findMissing);
  return { ...place, ...comparison, ...(isSecret && { isSecret }) };
}

/** The inputs that the service decides. The program decides the others. */
const results: ReadonlySet<string> = new Set([
  ...Object.keys(projectFields),
  ...["projects", "inaccessible", "service", "credentials", "fieldsVersion"],
]);

function refuseIncomparable({ type, name, before, after, changed }: ComparedSnapshot): void {
  const snapshot = `${type} ${displayText(name)}`;
  if (Object.values(after).includes(unknownValue)) {
    throw couldNotLook(
      `the preview does not know yet what ${snapshot} will read. Run pulumi up first.`,
    );
  }
  const [recorded = "none", read = "none"] = [before["service"], after["service"]];
  const isHidden = recorded === hiddenSecret;
  if (isHidden ? changed.has("service") : recorded !== read && read !== hiddenSecret) {
    const addresses = isHidden
      ? "has recorded another service than the settings name"
      : `has recorded the service at ${displayText(String(recorded), 200)}, but the settings name ${displayText(String(read), 200)}`;
    // Another service may have none of the projects, so that each of them would look removed.
    throw couldNotLook(
      `${snapshot} ${addresses}. Check baseUrl and connection. If the service has moved, record it with pulumi up --refresh=false.`,
    );
  }
  const inBoth = [...results].filter((key) => key in before && key in after);
  const hidden = inBoth.filter(
    (key) => (before[key] === hiddenSecret) !== (after[key] === hiddenSecret),
  );
  if (hidden.length === 0) return;
  throw couldNotLook(
    `the arguments of ${snapshot} have become secret, or are no longer secret, so Pulumi hides one side of what changed. Run pulumi up once.`,
  );
}

/** The projects of a snapshot, before or after the update. */
interface Records {
  readonly readable: ReadonlyMap<string, unknown>;
  /** By id, why a listed project could not be read. */
  readonly codes: ReadonlyMap<string, InaccessibleProject["code"]>;
}

function recordsIn(type: PreviewedSnapshot["type"], inputs: Json): Records {
  // The inputs of a ProjectSnapshot are the fields of its project.
  const projects =
    type === "ProjectSnapshot" ? { [String(inputs["projectId"])]: inputs } : inputs["projects"];
  const inaccessible = asList(inputs["inaccessible"]) as readonly InaccessibleProject[];
  return {
    readable: new Map(Object.entries(asObject(projects) ?? {})),
    codes: new Map(inaccessible.map(({ projectId, code }) => [projectId, code])),
  };
}

async function compare(
  snapshot: ComparedSnapshot,
  findMissing: FindMissing,
): Promise<Pick<SnapshotChanges, "projects" | "changes" | "programChanges">> {
  const { type, before, after } = snapshot;
  const [recorded, read] = [recordsIn(type, before), recordsIn(type, after)];
  const missing = [...recorded.readable.keys(), ...recorded.codes.keys()].filter(
    (id) => !read.readable.has(id) && !read.codes.has(id),
  );
  const program = programChangesOf(snapshot);
  const changes = changesOfProjects(snapshot, recorded, read);
  const added = changes.filter(({ field, change }) => field === "projects" && change === "added");
  const compared = { projects: recorded.readable.size, changes, programChanges: program };
  if (type === "ProjectSnapshot" && missing.length > 0) {
    const [name, otherName] = [before["name"], after["name"]];
    const ids = {
      change: "changed",
      before: before["projectId"],
      after: after["projectId"],
    } as const;
    if (name !== otherName) {
      return {
        projects: 0,
        changes: [],
        programChanges: [{ property: "projectId", ...ids }, ...program],
      };
    }
    // The program asks by name, and the service has another project with it.
    const project = { projectId: String(before["projectId"]), ...nameIn(before) };
    return { ...compared, changes: [{ ...project, field: "projectId", ...ids }] };
  }
  const filters = program.find(({ property }) => property === "filters");
  if (filters !== undefined) {
    // Other filters select other projects.
    const credentials = changes.find(({ field }) => field === "credentials");
    const counts = { projectsAdded: added.length, projectsRemoved: missing.length };
    return {
      projects: recorded.readable.size - missing.length,
      changes: changes.filter((each) => !added.includes(each) && each !== credentials),
      programChanges: [
        ...program.map((each) => (each === filters ? { ...each, ...counts } : each)),
        // Those of other projects are part of the same secret.
        ...(credentials ? [{ property: "credentials", change: "changed" } as const] : []),
      ],
    };
  }
  const fates = missing.length === 0 ? undefined : await findMissing(snapshot, missing);
  const gone = missing.map((projectId): DriftChange => {
    const was = beforeOf(recorded.codes.get(projectId));
    const fate = fates?.get(projectId) ?? { change: "removed" };
    return {
      projectId,
      ...nameIn(recorded.readable.get(projectId)),
      field: "projects",
      ...was,
      ...fate,
    };
  });
  return { ...compared, changes: sorted([...changes, ...gone]) };
}

/** Compares the projects of which there is a present record. */
function changesOfProjects(
  snapshot: ComparedSnapshot,
  recorded: Records,
  read: Records,
): DriftChange[] {
  const isCompared = recordedIn(snapshot);
  const ofReadable = [...read.readable].flatMap(([projectId, project]): DriftChange[] => {
    const earlier = recorded.readable.get(projectId);
    const place = { projectId, ...nameIn(earlier ?? project) };
    if (earlier === undefined) {
      const was = beforeOf(recorded.codes.get(projectId));
      return [{ ...place, field: "projects", change: "added", ...was }];
    }
    if (isDeepStrictEqual(earlier, project)) return []; // most projects, and quicker
    return compareProjects(earlier, project, isCompared).map((each) => ({ ...place, ...each }));
  });
  const ofInaccessible = [...read.codes].flatMap(([projectId, after]): DriftChange[] => {
    const before = recorded.codes.get(projectId);
    if (before === after) return [];
    const place = { projectId, ...nameIn(recorded.readable.get(projectId)), field: "projects" };
    return [{ ...place, change: "inaccessible", ...beforeOf(before), after }];
  });
  return sorted([...ofReadable, ...ofInaccessible, ...hiddenChanges(snapshot)]);
}

function beforeOf(code: string | undefined): { before?: string } {
  return code === undefined ? {} : { before: code };
}

function nameIn(project: unknown): { name?: string } {
  const name = asObject(project)?.["name"];
  return typeof name === "string" ? { name } : {};
}

function sorted(changes: readonly DriftChange[]): DriftChange[] {
  return [...changes].sort(
    (a, b) => compareValues(a.name, b.name) || compareValues(a.projectId, b.projectId),
  );
}

/**
 * Returns whether both records contain a field: the argument `fields` can leave it out, and an older version of
 * this package did not know it. The entries of `missingFields` depend on both.
 */
function recordedIn({ before, after }: ComparedSnapshot): IsRecorded {
  const lists = [before["fields"], after["fields"]];
  const isSameScope = isDeepStrictEqual(lists[0], lists[1]);
  const version = Number(before["fieldsVersion"] ?? 1);
  return (path, field) => {
    if (before[path] === hiddenSecret) return false;
    if (field.kind === "missingFields") return isSameScope && version === fieldsVersion;
    if (sinceOf(field) > version) return false;
    return lists.every((fields) => !Array.isArray(fields) || isRecorded(fields, path));
  };
}

/** Returns a change without values for each input that Pulumi hides and that changes, and for credentials. */
function hiddenChanges({ type, before, after, changed }: ComparedSnapshot): DriftChange[] {
  const place =
    type === "ProjectSnapshot" ? { projectId: String(before["projectId"]), ...nameIn(before) } : {};
  const isHidden = (key: string) =>
    key === "credentials" ? key in before && key in after : before[key] === hiddenSecret;
  return [...results]
    .filter((key) => changed.has(key) && isHidden(key))
    .map((field) => ({ ...place, field, change: "changed" }));
}

/** Filters may contain secrets, and the text of the provider says nothing to a reader. */
const withoutValues: ReadonlySet<string> = new Set(["filters", "__provider"]);

function programChangesOf({ before, after, changed }: ComparedSnapshot): ProgramChange[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((property): ProgramChange[] => {
    const [one, other] = [before[property], after[property]];
    // An older record says so by its credentials.
    const isDefault = property === "includeCredentials" && one === undefined;
    if (isDefault && other === "credentials" in before) return [];
    if (results.has(property) || (isDeepStrictEqual(one, other) && !changed.has(property)))
      return [];
    const change = one === undefined ? "added" : other === undefined ? "removed" : "changed";
    const values = {
      ...(one !== undefined && { before: one }),
      ...(other !== undefined && { after: other }),
    };
    return [{ property, change, ...(withoutValues.has(property) ? {} : values) }];
  });
}
