import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { defineCommand, wordOption } from "../commandLine.js";
import { locationOf } from "../commandSettings.js";
import { outputOptions, writeReports } from "../outputOption.js";
import { isStandardOutput, printsColors, printText } from "../standardStreams.js";
import { compareSnapshot } from "./compareSnapshot.js";
import { createDriftReport, type DriftFormat, driftSummary, formatDrift } from "./driftReport.js";
import { findMissingProjects } from "./removedProjects.js";
import { runPreview } from "./preview.js";

const usage = `Usage: pulumi-project-service drift [options]

Says what has changed in the Project Service since it was recorded: runs pulumi
preview, and compares the recorded projects with those of the service. Prints no
credential.

  --stack <name>           the stack; default: the selected one
  --cwd <folder>           folder of the Pulumi project; default: this folder
  --format <format>        table (default), json or markdown
  --output [format=]<file> write a report to this file, beside the table; can be
                           repeated
  --help                   print this help

Endings of files that choose a format: .json .md .txt

Changes to the program and to other resources are shown, and are no drift.

Exit code: 0 no drift, 7 drift, 2 the command could not look.
`;

const endings: Record<DriftFormat, string> = { json: ".json", markdown: ".md", table: ".txt" };
const driftFormats = Object.keys(endings) as DriftFormat[];

/** Returns 0 without drift, 7 with drift, as `pulumi preview --expect-no-changes` does. */
export const driftCommand = defineCommand(
  usage,
  {
    stack: { type: "string" },
    cwd: { type: "string" },
    format: { type: "string", default: "table" },
    output: { type: "string", multiple: true, default: [] },
  },
  async (values) => {
    const format = wordOption("--format", values.format, driftFormats);
    const outputs = outputOptions(values.output, undefined, endings);
    if (outputs.some(({ file }) => isStandardOutput(file))) {
      throw argumentInvalid(
        "The report goes to standard output anyway, in the format of --format. Leave out --output for it.",
      );
    }
    const location = locationOf(values);
    const { snapshots, otherResources } = await runPreview(location);
    const compared = await Promise.all(
      snapshots.map((snapshot) =>
        compareSnapshot(snapshot, (recorded, ids) => findMissingProjects(recorded, ids, location)),
      ),
    );
    const report = createDriftReport(compared, otherResources);
    printText(formatDrift(report, format, printsColors()));
    writeReports(outputs, (each) => formatDrift(report, each, false), driftSummary(report));
    return report.drift ? 7 : 0;
  },
);
