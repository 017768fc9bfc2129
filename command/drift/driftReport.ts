import type { Block, Document } from "../../audit/document/document.js";
import { markdownDocument } from "../../audit/document/markdownDocument.js";
import { textDocument } from "../../audit/document/textDocument.js";
import { displayCount, displayJson, displayText } from "../../provider/errors/displayText.js";
import { compareValues } from "../../provider/model/compareValues.js";
import { packageInfo } from "../../provider/service/packageInfo.js";
import type { ComparedSnapshot, DriftChange } from "./compareSnapshot.js";
import { couldNotLook, titleOf } from "./preview.js";
import { valuesText } from "./valuesText.js";

/** What `drift` found. `schemas/drift-report.schema.json` describes its JSON. */
type DriftReport = ReturnType<typeof createDriftReport>;

/** @throws ProjectServiceError `ARGUMENT_INVALID` if nothing was compared. */
export function createDriftReport(
  compared: readonly ComparedSnapshot[],
  otherResources: Readonly<Record<string, number>>,
) {
  // The engine reports resources in another order each time.
  const snapshots = compared
    .map((snapshot) => ({ ...snapshot, projects: snapshot.projects.length }))
    .sort((a, b) => compareValues(a.name, b.name) || compareValues(a.urn, b.urn));
  const changes = snapshots.flatMap((snapshot) => snapshot.changes);
  // Two snapshots can record one project.
  const comparedProjects = new Set(compared.flatMap(({ projects }) => projects)).size;
  if (changes.length === 0 && comparedProjects === 0) {
    const left = compared.flatMap(({ notCompared }) => notCompared);
    throw couldNotLook(
      left.length > 0
        ? `no project was compared. ${left.join(". ")}.`
        : "no project was compared. Run pulumi up first, with a ProjectsSnapshot or a ProjectSnapshot in the program.",
    );
  }
  const changedProjects = new Set(changes.flatMap(({ projectId }) => projectId ?? [])).size;
  const summary = { changes: changes.length, changedProjects, comparedProjects };
  return { tool: packageInfo, drift: changes.length > 0, summary, snapshots, otherResources };
}

export type DriftFormat = "json" | "markdown" | "table";

/** Returns the report as text in a format. The text ends with a newline. */
export function formatDrift(report: DriftReport, format: DriftFormat, hasColors: boolean): string {
  // The version grows when a field changes its meaning or disappears. New fields may come at any time.
  if (format === "json") return `${displayJson({ formatVersion: 1, ...report })}\n`;
  const document = documentOf(report);
  return format === "markdown" ? markdownDocument(document) : textDocument(document, hasColors);
}

/** Returns the result in one line. */
export function driftSummary({ drift, summary }: DriftReport): string {
  const { changes, changedProjects, comparedProjects } = summary;
  if (drift) {
    const projects = changedProjects === 0 ? "" : ` in ${displayCount(changedProjects, "project")}`;
    return `Drift: ${displayCount(changes, "change")}${projects}. If this is all right, pulumi up records it.`;
  }
  const are = comparedProjects === 1 ? "is" : "are";
  return `No drift: ${displayCount(comparedProjects, "project")} ${are} as recorded.`;
}

const tones = {
  added: "clean",
  changed: "warning",
  removed: "error",
  inaccessible: "error",
  "no longer matching": "error",
} as const;

function documentOf(report: DriftReport): Document {
  const { snapshots, otherResources } = report;
  const blocks: Block[] = [];
  const drifted = snapshots.filter(({ changes }) => changes.length > 0);
  for (const snapshot of drifted) {
    if (drifted.length > 1) blocks.push({ kind: "heading", text: titleOf(snapshot) });
    const columns = ["Project", "Environment", "Field", "Change"];
    const rows = snapshot.changes.map((each) => ({
      cells: cellsOf(each),
      tone: tones[each.change],
    }));
    blocks.push({ kind: "table", thing: "change", columns, rows });
  }
  const lists = {
    "Changes to the program, no drift:": snapshots.flatMap((each) => each.programChanges),
    "Not compared:": snapshots.flatMap((each) => each.notCompared),
  };
  for (const [title, items] of Object.entries(lists)) {
    if (items.length > 0) blocks.push({ kind: "items", title, items });
  }
  const others = Object.entries(otherResources).map(
    ([operation, count]) => `${count} to ${displayText(operation)}`,
  );
  if (others.length > 0) {
    blocks.push({ kind: "paragraph", text: `Other resources, no drift: ${others.join(", ")}.` });
  }
  const tone = report.drift ? "strong" : "clean";
  blocks.push({ kind: "paragraph", text: driftSummary(report), tone });
  return { title: "Project Service drift", blocks };
}

function cellsOf(change: DriftChange): string[] {
  const { projectId = "", name, environmentId = "", subject = "", field } = change;
  const id = displayText(projectId);
  const project = name === undefined ? id : `${displayText(name)} (${id})`;
  const environment = displayText(environmentId);
  if (field === "projects") return [project, "", "", accessText(change)];
  if (field === "credentials") return [project, "", "", "credentials changed"];
  // The path below the environment and the element that the line names.
  const inside = environmentId === "" ? field : field.replace(/^environments\.?/, "");
  const shown = subject === "" ? inside : inside.replace(/^\w+\.?/, "");
  const place = [displayText(subject, 200), shown].filter(Boolean).join("  ");
  const isElement = change.before === undefined && change.after === undefined;
  return [
    project,
    environment,
    place,
    isElement ? change.change : valuesText(change.before, change.after),
  ];
}

function accessText({ change, before, after }: DriftChange): string {
  if (typeof after === "string") return `${change} (${displayText(after)})`;
  const was = typeof before === "string" ? `, was inaccessible (${displayText(before)})` : "";
  return change + was;
}
