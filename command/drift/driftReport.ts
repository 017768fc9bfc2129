import { displayJson } from "../../audit/report/jsonFormat.js";
import {
  type Block,
  type Document,
  markdownDocument,
  textDocument,
} from "../../audit/report/document.js";
import { countOf } from "../../audit/report/sentences.js";
import { displayText } from "../../provider/errors/displayText.js";
import { compareValues } from "../../provider/model/selection.js";
import { packageInfo } from "../../provider/service/packageInfo.js";
import type { DriftChange, ProgramChange, SnapshotChanges } from "./compareSnapshot.js";
import { couldNotLook } from "./preview.js";

/** What `drift` found. `schemas/drift-report.schema.json` describes its JSON. */
export interface DriftReport {
  readonly tool: typeof packageInfo;
  /** Whether the service has changed since the last update. */
  readonly drift: boolean;
  readonly summary: {
    readonly changes: number;
    /** How many recorded or new projects have changed. */
    readonly changedProjects: number;
    /** How many recorded projects were compared. */
    readonly comparedProjects: number;
  };
  readonly snapshots: readonly SnapshotChanges[];
  /** How many other resources an update would change, by operation, for instance `create`. */
  readonly otherResources: Readonly<Record<string, number>>;
}

/** @throws ProjectServiceError `ARGUMENT_INVALID` if nothing was compared. */
export function createReport(
  compared: readonly SnapshotChanges[],
  otherResources: DriftReport["otherResources"],
): DriftReport {
  // The engine reports resources in another order each time.
  const snapshots = [...compared].sort(
    (a, b) => compareValues(a.name, b.name) || compareValues(a.urn, b.urn),
  );
  const changes = snapshots.flatMap((snapshot) => snapshot.changes);
  const comparedProjects = snapshots.reduce((sum, { projects }) => sum + projects, 0);
  const isCompared = comparedProjects > 0 || snapshots.some(({ isSecret }) => isSecret);
  if (changes.length === 0 && !isCompared) {
    throw couldNotLook(
      "no project was compared. Run pulumi up first, with a ProjectsSnapshot or a ProjectSnapshot in the program.",
    );
  }
  const changedProjects = new Set(changes.flatMap(({ projectId }) => projectId ?? [])).size;
  const summary = { changes: changes.length, changedProjects, comparedProjects };
  return { tool: packageInfo, drift: changes.length > 0, summary, snapshots, otherResources };
}

/**
 * The version of the JSON grows when a field changes its meaning or disappears. New fields may come at any
 * time.
 */
const formats = {
  table: (report: DriftReport, hasColors: boolean) => textDocument(documentOf(report), hasColors),
  json: (report: DriftReport) => `${displayJson({ formatVersion: 1, ...report })}\n`,
  markdown: (report: DriftReport) => markdownDocument(documentOf(report)),
};

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as FormatName[];

/** Returns the report as text in the format. The text ends with a newline. */
export function formatDrift(report: DriftReport, format: FormatName, hasColors: boolean): string {
  return formats[format](report, hasColors);
}

/** Returns the result in one line. */
export function summarySentence({ drift, summary }: DriftReport): string {
  const { changes, changedProjects, comparedProjects } = summary;
  const are = comparedProjects === 1 ? "is" : "are";
  // Nobody knows how many projects there are if all of them are secret.
  const compared =
    comparedProjects === 0 ? "secret projects" : countOf(comparedProjects, "project");
  if (!drift) return `No drift: ${compared} ${are} as recorded.`;
  const projects = changedProjects === 0 ? "" : ` in ${countOf(changedProjects, "project")}`;
  return `Drift: ${countOf(changes, "change")}${projects}. If this is all right, pulumi up records it.`;
}

const tones = {
  added: "clean",
  changed: "warning",
  removed: "error",
  inaccessible: "error",
  "no longer matching": "error",
} as const;

function documentOf(report: DriftReport): Document {
  const drifted = report.snapshots.filter(({ changes }) => changes.length > 0);
  const tables = drifted.flatMap(({ type, name, changes }): Block[] => [
    ...(drifted.length > 1
      ? [{ kind: "heading", text: `${type} ${displayText(name)}` } as const]
      : []),
    {
      kind: "table",
      columns: ["Project", "Environment", "Field", "Change"],
      rows: changes.map((each) => ({ cells: cellsOf(each), tone: tones[each.change] })),
    },
  ]);
  const items = report.snapshots.flatMap((snapshot) =>
    snapshot.programChanges.map((change) => programChangeText(snapshot, change)),
  );
  const program: Block = { kind: "items", title: "Changes to the program, no drift:", items };
  const others = Object.entries(report.otherResources).map(
    ([operation, count]) => `${count} to ${displayText(operation)}`,
  );
  const paragraph = `Other resources, no drift: ${others.join(", ")}.`;
  const tone = report.drift ? "strong" : "clean";
  return {
    title: "Project Service drift",
    blocks: [
      ...tables,
      ...(items.length === 0 ? [] : [program]),
      ...(others.length === 0 ? [] : [{ kind: "paragraph", text: paragraph } as const]),
      { kind: "paragraph", text: summarySentence(report), tone },
    ],
  };
}

function cellsOf(change: DriftChange): string[] {
  const { projectId, name, environmentId, subject = "", field } = change;
  const id = projectId === undefined ? "" : displayText(projectId);
  const project = name === undefined || id === "" ? id : `${displayText(name)} (${id})`;
  const environment = environmentId === undefined ? "" : displayText(environmentId);
  if (field === "projects" && projectId !== undefined) {
    return [project, environment, "", accessText(change)];
  }
  if (field === "credentials") return [project, environment, "", "credentials changed"];
  // The path below the environment and the element that the line names.
  const inside = environmentId === undefined ? field : field.replace(/^environments\.?/, "");
  const shown = subject === "" ? inside : inside.replace(/^\w+\.?/, "");
  const place = [displayText(subject, 200), shown].filter(Boolean).join("  ");
  const isElement = change.before === undefined && change.after === undefined;
  return [project, environment, place, isElement ? change.change : valuesText(change)];
}

function accessText({ change, before, after }: DriftChange): string {
  if (typeof after === "string") return `${change} (${displayText(after)})`;
  const was = typeof before === "string" ? `, was inaccessible (${displayText(before)})` : "";
  return change + was;
}

function programChangeText(
  { name, type }: SnapshotChanges,
  { property, change, before, after, ...counts }: ProgramChange,
): string {
  const snapshot = `${type} ${displayText(name)}`;
  if (property === undefined) {
    return `${snapshot} is ${change === "added" ? "new in the program" : "no longer in the program"}`;
  }
  if (property === "credentials") {
    return `${snapshot}: credentials were not compared, because other projects are selected`;
  }
  const shown = property === "__provider" ? "text of the provider" : displayText(property);
  const isHidden = before === undefined && after === undefined;
  const { projectsAdded = 0, projectsRemoved = 0 } = counts;
  return [
    `${snapshot}: ${shown} ${isHidden ? change : valuesText({ before, after })}`,
    ...(projectsAdded > 0 ? [`${countOf(projectsAdded, "project")} more`] : []),
    ...(projectsRemoved > 0 ? [`${countOf(projectsRemoved, "project")} fewer`] : []),
  ].join(", ");
}

const maxValueLength = 120;
const shownBefore = 20;

/** Returns the old and the new value. Of long values, it shows the part that differs. */
function valuesText({ before, after }: Pick<DriftChange, "before" | "after">): string {
  let texts = [before, after].map(plainText);
  // Without quotes and escapes, the text null looks like null, and é like e with an accent.
  if (looksOf(texts[0]) === looksOf(texts[1])) texts = [before, after].map(jsonText);
  const [one = "", other = ""] = texts;
  let start = 0;
  if (Math.max(one.length, other.length) > maxValueLength) {
    while (one[start] === other[start] && start < Math.min(one.length, other.length)) start++;
    start = Math.max(0, start - shownBefore);
  }
  return texts
    .map((text) => displayText(`${start > 0 ? "…" : ""}${text.slice(start)}`, maxValueLength))
    .join(" → ");
}

/** Returns a text as it is, if it has no space at its ends, and JSON otherwise. */
function plainText(value: unknown): string {
  if (value === undefined) return "(none)";
  const isPlain = typeof value === "string" && value !== "" && value.trim() === value;
  return isPlain ? value : JSON.stringify(value);
}

function looksOf(text = ""): string {
  return text.normalize("NFKC").replace(/\s+/g, " ");
}

function jsonText(value: unknown): string {
  if (value === undefined) return "(none)";
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
