import stringWidth from "fast-string-width";
import { gap, joinSections, pad, type Paint, painter } from "../../../audit/report/tableLayout.js";
import { displayText } from "../../../provider/errors/displayText.js";
import type { SnapshotChanges } from "../compare/snapshotChanges.js";
import type { DriftReport } from "./driftReport.js";
import {
  otherResourcesSentence,
  partsOf,
  programChangeText,
  summarySentence,
} from "./sentences.js";

const maxProjectWidth = 40;
const maxLines = 1000;

/**
 * Returns the report for a terminal or a log: a line for each change, then the changes to the program,
 * then the summary. Several snapshots with changes have headings.
 */
export function tableFormat(report: DriftReport, hasColors: boolean): string {
  const paint = painter(hasColors);
  const drifted = report.snapshots.filter(({ changes }) => changes.length > 0);
  const sections = [
    ...shortened(drifted).map(({ snapshot, hidden }) => [
      ...(drifted.length > 1
        ? [paint("strong", `${snapshot.type} ${displayText(snapshot.name)}`)]
        : []),
      ...changeLines(snapshot, paint),
      ...(hidden > 0
        ? [`${hidden} more changes are not shown. To get all of them, add --output drift.json.`]
        : []),
    ]),
    programLines(report),
    otherResourcesSentence(report),
    [paint(report.drift ? "strong" : "clean", summarySentence(report))],
  ];
  return joinSections(sections);
}

/** Leaves out changes beyond a number of lines. */
function shortened(snapshots: readonly SnapshotChanges[]) {
  let left = maxLines;
  return snapshots.map((snapshot) => {
    const changes = snapshot.changes.slice(0, left);
    left -= changes.length;
    return {
      snapshot: { ...snapshot, changes },
      hidden: snapshot.changes.length - changes.length,
    };
  });
}

const styles = {
  added: "clean",
  removed: "error",
  changed: "warning",
  inaccessible: "error",
} as const;

function changeLines(snapshot: SnapshotChanges, paint: Paint): string[] {
  const rows = snapshot.changes.map((change) => ({
    ...partsOf(change, snapshot),
    style: styles[change.change],
  }));
  const width = Math.max(
    ...rows.map(({ project }) => stringWidth(project)).filter((width) => width <= maxProjectWidth),
    0,
  );
  return rows.map(({ project, environment, subject, field, change, style }) =>
    [
      ...(project === "" ? [] : [pad(project, width)]),
      ...[environment, subject, field].filter((part) => part !== ""),
      paint(style, change),
    ].join(gap),
  );
}

function programLines({ snapshots }: DriftReport): string[] {
  const lines = snapshots.flatMap((snapshot) =>
    snapshot.programChanges.map((change) => programChangeText(snapshot, change)),
  );
  return lines.length === 0 ? [] : ["Changes to the program, no drift:", ...lines];
}
