import { isDeepStrictEqual } from "node:util";
import { isRecorded } from "../../../provider/model/recordedFields.js";
import { compareValues } from "../../../provider/model/selection.js";
import { elementsOf, type Inputs, membersOf, textOf } from "../preview.js";
import { compareProjects } from "./compareProjects.js";
import {
  type ComparedSnapshot,
  type Comparison,
  credentialsChange,
  type DriftChange,
  hiddenChanges,
  type ProgramChange,
  programChanges,
  secrecyOf,
} from "./snapshotChanges.js";

/** Compares a ProjectsSnapshot. */
export function compareFleet(snapshot: ComparedSnapshot): Comparison {
  const { before, after } = snapshot;
  const [recorded, read] = [before, after].map(projectsIn) as [Projects, Projects];
  const program = programChanges(snapshot, ["projects", "inaccessible", "service", "credentials"]);
  const scope = program.find(({ property }) => property === "filters" || property === "shard");
  const isVisible = secrecyOf(snapshot, "projects") === "never";
  const projects = isVisible ? projectChanges(recorded, read, fieldsInBoth(before, after)) : [];
  // Other filters select other projects.
  const ofScope = (change: DriftChange) =>
    scope !== undefined && change.field === "projects" && change.change !== "inaccessible";
  const selected = projects.filter(ofScope);
  const credentials = credentialsChange(snapshot);
  return {
    projects: recorded.readable.size - selected.filter(({ change }) => change === "removed").length,
    isFiltered: after.has("filters"),
    changes: [
      ...hiddenChanges(snapshot, ["projects"]),
      ...projects.filter((change) => !ofScope(change)),
      ...(credentials && selected.length === 0
        ? [{ field: "credentials", change: "changed" } as const]
        : []),
    ],
    programChanges: [
      ...program.map((change) => (change === scope ? withCounts(change, selected) : change)),
      // Those of other projects are part of the same secret, so nobody knows whether one has changed.
      ...(credentials && selected.length > 0
        ? [{ property: "credentials", change: "changed" } as const]
        : []),
    ],
  };
}

function withCounts(change: ProgramChange, selected: readonly DriftChange[]): ProgramChange {
  const projectsAdded = selected.filter(({ change }) => change === "added").length;
  return { ...change, projectsAdded, projectsRemoved: selected.length - projectsAdded };
}

/** Returns the changes of all projects, sorted by their names. */
function projectChanges(
  recorded: Projects,
  read: Projects,
  isRecorded: (path: string) => boolean,
): DriftChange[] {
  const ids = [recorded, read].flatMap(({ readable, codes }) => [
    ...readable.keys(),
    ...codes.keys(),
  ]);
  const changes = [...new Set(ids)].flatMap((projectId): DriftChange[] => {
    const [one, other] = [recorded.readable.get(projectId), read.readable.get(projectId)];
    if (one !== undefined && other !== undefined) {
      if (isDeepStrictEqual(one, other)) return []; // most projects, and quicker
      const project = { projectId, ...nameIn(one) };
      return compareProjects(one, other, isRecorded).map((change) => ({ ...project, ...change }));
    }
    const change = accessChange(other, recorded.codes.get(projectId), read.codes.get(projectId));
    if (change === undefined) return [];
    return [{ projectId, ...nameIn(one ?? other), field: "projects", ...change }];
  });
  return changes.sort(
    (a, b) => compareValues(a.name, b.name) || compareValues(a.projectId, b.projectId),
  );
}

/** Returns what happened to a project that is not recorded on both sides. */
function accessChange(
  other: unknown,
  before: string | undefined,
  after: string | undefined,
): Pick<DriftChange, "change" | "before" | "after"> | undefined {
  const codes = { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
  if (other !== undefined) return { change: "added", ...codes };
  if (after !== undefined && before === after) return undefined;
  return { change: after === undefined ? "removed" : "inaccessible", ...codes };
}

interface Projects {
  /** By id. */
  readonly readable: Inputs;
  /** By id, why a listed project could not be read. */
  readonly codes: ReadonlyMap<string, string>;
}

function projectsIn(inputs: Inputs): Projects {
  const inaccessible = elementsOf(inputs.get("inaccessible")).map(membersOf);
  return {
    readable: membersOf(inputs.get("projects")),
    codes: new Map(
      inaccessible.map((one) => [
        textOf(one.get("projectId")) ?? "",
        textOf(one.get("code")) ?? "unknown",
      ]),
    ),
  };
}

function nameIn(project: unknown): { name?: string } {
  const name = textOf(membersOf(project).get("name"));
  return name === undefined ? {} : { name };
}

/** Returns whether both sides record a field, or fields below it, as the argument `fields` says. */
function fieldsInBoth(before: Inputs, after: Inputs): (path: string) => boolean {
  const lists = [before, after].map((inputs) => inputs.get("fields"));
  return (path) =>
    lists.every((fields) => !Array.isArray(fields) || isRecorded(fields as string[], path));
}
