import { displayJson } from "../../../audit/report/jsonFormat.js";
import type { SnapshotChanges } from "../compare/snapshotChanges.js";
import type { DriftReport } from "./driftReport.js";
import { markdownFormat } from "./markdownFormat.js";
import { tableFormat } from "./tableFormat.js";

const formats = {
  table: tableFormat,
  json: jsonFormat,
  markdown: markdownFormat,
} satisfies Record<string, (report: DriftReport, hasColors: boolean) => string>;

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as FormatName[];

/** Returns the report as text in the format. The text ends with a newline. */
export function formatDrift(report: DriftReport, format: FormatName, hasColors: boolean): string {
  return formats[format](report, hasColors);
}

/**
 * Returns the report as JSON, with a `formatVersion`. The version grows when a field changes its meaning
 * or disappears. New fields may come at any time.
 */
function jsonFormat({ snapshots, ...report }: DriftReport): string {
  const shown = snapshots.map(({ isFiltered: _, ...snapshot }: SnapshotChanges) => snapshot);
  return `${displayJson({ formatVersion: 1, ...report, snapshots: shown })}\n`;
}
