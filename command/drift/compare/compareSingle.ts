import { projectFields } from "../../../provider/model/fields.js";
import { type Inputs, textOf } from "../preview.js";
import { compareProjects } from "./compareProjects.js";
import { programChanges } from "./programChanges.js";
import { credentialsChange, hiddenChanges, secrecyOf } from "./secrecy.js";
import type { ComparedSnapshot, Comparison, DriftChange } from "./snapshotChanges.js";

const fieldKeys = Object.keys(projectFields);

/** Compares a ProjectSnapshot. Its inputs are the fields of the project. */
export function compareSingle(snapshot: ComparedSnapshot): Comparison {
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
