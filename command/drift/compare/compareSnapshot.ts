import { displayText } from "../../../provider/errors/displayText.js";
import { projectFields } from "../../../provider/model/fields.js";
import { couldNotLook } from "../couldNotLook.js";
import { type Inputs, type PreviewedSnapshot, textOf } from "../preview.js";
import { compareFleet } from "./compareFleet.js";
import { compareProjects } from "./compareProjects.js";
import {
  type ComparedSnapshot,
  type Comparison,
  credentialsChange,
  type DriftChange,
  hiddenChanges,
  programChanges,
  secrecyOf,
  type SnapshotChanges,
} from "./snapshotChanges.js";

/**
 * Compares what a snapshot has recorded with what an update would record.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if it has recorded another service than the one that the preview read.
 */
export function compareSnapshot(snapshot: PreviewedSnapshot): SnapshotChanges {
  const { name, type, urn, before, after } = snapshot;
  const unknown = { name, type, urn, projects: 0, isFiltered: false, changes: [] };
  if (before === undefined) return { ...unknown, programChanges: [{ change: "added" }] };
  if (after === undefined) return { ...unknown, programChanges: [{ change: "removed" }] };
  const compared = { ...snapshot, before, after };
  refuseOtherService(compared);
  const compare = type === "ProjectsSnapshot" ? compareFleet : compareSingle;
  return { name, type, urn, ...compare(compared) };
}

/** Another service may have none of the projects, so that each of them would look removed. */
function refuseOtherService(snapshot: ComparedSnapshot): void {
  const secrecy = secrecyOf(snapshot, "service");
  const [recorded = "none", read = "none"] = [snapshot.before, snapshot.after].map((inputs) =>
    textOf(inputs.get("service")),
  );
  if (secrecy === "always" ? !snapshot.changed.has("service") : recorded === read) return;
  if (secrecy === "before" || secrecy === "after") return;
  const addresses =
    secrecy === "always"
      ? "has recorded another service than the settings name"
      : `has recorded the service at ${displayText(recorded, 200)}, but the settings name ${displayText(read, 200)}`;
  throw couldNotLook(
    `${snapshot.type} ${displayText(snapshot.name)} ${addresses}. Check baseUrl and connection. If the service has moved, record it with pulumi up --refresh=false.`,
  );
}

const fieldKeys = Object.keys(projectFields);

/** Compares a ProjectSnapshot. Its inputs are the fields of the project. */
function compareSingle(snapshot: ComparedSnapshot): Comparison {
  const { before, after } = snapshot;
  const [recorded, read] = [before, after].map(projectIn) as [Reference, Reference];
  const isOther = recorded.projectId !== read.projectId;
  const ids = { change: "changed", before: recorded.projectId, after: read.projectId } as const;
  // The program asks by name, and the service has another project with it.
  const isReplaced = isOther && recorded.name === read.name;
  const changes: Omit<DriftChange, keyof Reference>[] = isReplaced
    ? [{ field: "projectId", ...ids }]
    : isOther
      ? []
      : changesOfProject(snapshot);
  return {
    projects: isOther && !isReplaced ? 0 : 1,
    isFiltered: false,
    changes: changes.map((change) => ({ ...recorded, ...change })),
    programChanges: [
      ...(isOther && !isReplaced ? [{ property: "projectId", ...ids }] : []),
      ...programChanges(snapshot, [...fieldKeys, "service", "credentials"]),
    ],
  };
}

interface Reference {
  readonly projectId: string;
  readonly name: string;
}

function projectIn(inputs: Inputs): Reference {
  const [projectId = "", name = ""] = ["projectId", "name"].map((key) => textOf(inputs.get(key)));
  return { projectId, name };
}

function changesOfProject(snapshot: ComparedSnapshot): DriftChange[] {
  const visible = fieldKeys.filter((key) => secrecyOf(snapshot, key) === "never");
  const valuesIn = (inputs: Inputs) =>
    Object.fromEntries(visible.map((key) => [key, inputs.get(key)]));
  return [
    ...hiddenChanges(snapshot, fieldKeys),
    ...compareProjects(valuesIn(snapshot.before), valuesIn(snapshot.after)),
    ...(credentialsChange(snapshot) ? [{ field: "credentials", change: "changed" } as const] : []),
  ];
}
