import type { Block, Document } from "../../audit/document/textDocument.js";
import { markdownDocument } from "../../audit/document/markdownDocument.js";
import { textDocument } from "../../audit/document/textDocument.js";
import {
  displayCount,
  displayJson,
  displayNumber,
  displayText,
} from "../../provider/errors/displayText.js";
import { compareValues } from "../../provider/model/compareValues.js";
import { packageInfo } from "../../provider/http/packageInfo.js";
import { type ComparedSnapshot, type DriftChange, projectKey } from "./compareSnapshot.js";
import { titleOf } from "./readState.js";

/** What `drift` found. `schemas/drift-report.schema.json` describes its JSON. */
type DriftReport = ReturnType<typeof createDriftReport>;

/**
 * @param urn that of a snapshot, which names the stack.
 * @param readAt when the service was read.
 * @param notCompared sentences about snapshots that could not be compared.
 */
export function createDriftReport(
  urn: string,
  compared: readonly ComparedSnapshot[],
  notCompared: readonly string[],
  readAt: Date,
) {
  const all = compared.flatMap(({ changes }) => changes);
  // Two snapshots can record one project, and two services can have the same id.
  const comparedProjects = new Set(compared.flatMap(({ projects }) => projects)).size;
  const counts = new Map<string, number>();
  const countOf = (change: DriftChange) => counts.get(labelOf(change)) ?? 0;
  for (const change of all) counts.set(labelOf(change), countOf(change) + 1);
  const snapshots = compared
    .map(({ changes, projects, ...snapshot }) => ({
      ...snapshot,
      comparedProjects: projects.length,
      // The rare ones first: a release changes two fields of every project, and the other change is the news.
      changes: [...changes].sort(
        (a, b) =>
          countOf(a) - countOf(b) ||
          compareValues(labelOf(a), labelOf(b)) ||
          compareValues(a.projectName, b.projectName),
      ),
    }))
    .sort((a, b) => compareValues(a.name, b.name) || compareValues(a.urn, b.urn));
  const changedIn = ({ service, changes }: ComparedSnapshot) =>
    changes.flatMap(({ projectId: id }) => (id === undefined ? [] : projectKey(service, id)));
  const changedProjects = new Set(compared.flatMap(changedIn)).size;
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || compareValues(a, b));
  const byField = Object.fromEntries(sorted);
  const summary = { changes: all.length, changedProjects, comparedProjects, byField };
  const isIncomplete = notCompared.length > 0 || snapshots.some(comparesNone);
  const [, stack = "", pulumiProject = ""] = /^urn:pulumi:(.*?)::(.*?)::/.exec(urn) ?? [];
  return {
    tool: packageInfo,
    ...{ stack, pulumiProject, readAt: readAt.toISOString() },
    drift: isIncomplete && all.length === 0 ? null : all.length > 0,
    summary,
    snapshots,
    notCompared,
  };
}

/** Whether no project of a snapshot was compared. */
export function comparesNone({ comparedProjects }: { readonly comparedProjects: number }): boolean {
  return comparedProjects === 0;
}

export type DriftFormat = "json" | "markdown" | "table";

/** Returns the report as text in a format. The text ends with a newline. */
export function formatDrift(report: DriftReport, format: DriftFormat): string {
  // The version grows when a field changes its meaning or disappears. New fields may come at any time.
  if (format === "json") return `${displayJson({ formatVersion: 1, ...report })}\n`;
  const document = documentOf(report);
  return format === "markdown" ? markdownDocument(document) : textDocument(document);
}

export function driftSummary(report: DriftReport): string {
  if (report.drift === null)
    return "Cannot check for drift: at least one snapshot was not compared.";
  const { changes, changedProjects, comparedProjects } = report.summary;
  if (!report.drift) {
    const are = comparedProjects === 1 ? "is" : "are";
    return `No drift: ${displayCount(comparedProjects, "project")} ${are} as recorded.`;
  }
  const projects = changedProjects === 0 ? "" : ` in ${displayCount(changedProjects, "project")}`;
  const text = `Drift: ${displayCount(changes, "change")}${projects}.`;
  const removes = ({ change, field, before }: DriftChange) =>
    change === "no longer matching" ||
    (change === "removed" && (field === "projects" || before === undefined));
  return report.snapshots.some((snapshot) => snapshot.changes.some(removes))
    ? `${text} pulumi up can also delete the resources that a program created for what was removed. Run pulumi preview first.`
    : `${text} Run pulumi preview, then pulumi up.`;
}

function documentOf(report: DriftReport): Document {
  const { snapshots, summary } = report;
  const blocks: Block[] = [headOf(report)];
  const drifted = snapshots.filter(({ changes }) => changes.length > 0);
  for (const snapshot of drifted) {
    if (drifted.length > 1) blocks.push({ kind: "heading", text: titleOf(snapshot) });
    const columns = ["Project", "Environment", "Field", "Change"];
    const rows = snapshot.changes.map(cellsOf);
    blocks.push({ kind: "table", thing: "change", columns, codeColumn: "Change", rows });
  }
  const items = [...report.notCompared, ...snapshots.flatMap((each) => each.notCompared)];
  if (items.length > 0) blocks.push({ kind: "items", title: "Not compared:", items });
  if (summary.changes > 1) {
    const counts = Object.entries(summary.byField).map(
      ([label, count]) => `${displayText(label)} ${displayNumber(count)}`,
    );
    blocks.push({ kind: "paragraph", text: `By field: ${counts.join(", ")}.` });
  }
  blocks.push({ kind: "paragraph", text: driftSummary(report) });
  return { title: "Project Service drift", blocks };
}

function headOf({ stack, pulumiProject, readAt, snapshots }: DriftReport): Block {
  const items = snapshots.map(({ modified, service, ...snapshot }) => {
    const from = service === undefined ? "" : ` from ${displayText(service, 200)}`;
    return `${titleOf(snapshot)}: recorded${from}${modified === undefined ? "" : `, last updated ${timeText(modified)}`}`;
  });
  const title = `Stack ${displayText(stack)} of ${displayText(pulumiProject)}, compared with the service at ${timeText(readAt)}`;
  return items.length === 0
    ? { kind: "paragraph", text: `${title}.` }
    : { kind: "items", title: `${title}:`, items };
}

/** Returns for instance `2026-11-26 14:05 UTC`. */
function timeText(iso: string): string {
  return `${displayText(iso.slice(0, 16)).replace("T", " ")} UTC`;
}

/** What the counts by field say of a change. */
function labelOf({ field, change }: DriftChange): string {
  return field === "projects" ? change : field.replace(/^environments\./, "");
}

function cellsOf(change: DriftChange): string[] {
  const { projectId = "", projectName, environmentId = "", subject = "", field } = change;
  const id = displayText(projectId);
  const project = projectName === undefined ? id : `${displayText(projectName)} (${id})`;
  const environment = displayText(environmentId);
  if (field === "projects") {
    const code = typeof change.after === "string" ? ` (${displayText(change.after)})` : "";
    return [project, "", "", change.change + code];
  }
  if (field === "credentials") return [project, "", "", "credentials changed"];
  // The path below the environment and the element that the line names.
  const inside = environmentId === "" ? field : field.replace(/^environments\.?/, "");
  const shown = subject === "" ? inside : inside.replace(/^\w+\.?/, "");
  const place = [displayText(subject, 200), shown].filter(Boolean).join("  ");
  const hasNoValues = change.before === undefined && change.after === undefined;
  if (hasNoValues) return [project, environment, place, change.change];
  const [before, after] = valueTexts(change.before, change.after);
  return [project, environment, place, `${before} → ${after}`];
}

const maxValueLength = 120;
const shownBefore = 20;

/** Returns the texts of the old and the new value. Of long values, they show the part that differs. */
function valueTexts(before: unknown, after: unknown): [before: string, after: string] {
  let [was, is] = [plainText(before), plainText(after)];
  // Without quotes, the text null looks like null.
  if (was === is) [was, is] = [jsonText(before), jsonText(after)];
  const isLong = was.length > maxValueLength || is.length > maxValueLength;
  const start = isLong ? Math.max(0, lengthInCommon(was, is) - shownBefore) : 0;
  const shown = (text: string) =>
    displayText(`${start > 0 ? "…" : ""}${text.slice(start)}`, maxValueLength);
  return [shown(was), shown(is)];
}

function lengthInCommon(was: string, is: string): number {
  let length = 0;
  while (length < was.length && was[length] === is[length]) length++;
  return length;
}

/** Returns a text as it is, if it has no space at its ends, and JSON otherwise. */
function plainText(value: unknown): string {
  const isPlain = typeof value === "string" && value !== "" && value.trim() === value;
  return isPlain ? value : jsonText(value);
}

function jsonText(value: unknown): string {
  return JSON.stringify(value) ?? "(none)";
}
