import { defineCommand, wordOption } from "../commandLine.js";
import { existingFolder } from "../commandSettings.js";
import { outputOptions, writeReports } from "../outputOption.js";
import { printsColors, printText } from "../standardStreams.js";
import { compareSnapshot } from "./compareSnapshot.js";
import { createReport, formatDrift, type FormatName, summarySentence } from "./driftReport.js";
import { missingProjectsFinder } from "./missingProjects.js";
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

const endings: Record<FormatName, string> = { json: ".json", markdown: ".md", table: ".txt" };
const formatNames = Object.keys(endings) as FormatName[];

/** Returns 0 without drift, 7 with drift, as `pulumi preview --expect-no-changes` does. */
export const driftCommand = defineCommand(
  usage,
  {
    stack: { type: "string" },
    cwd: { type: "string" },
    format: { type: "string", default: "table" },
    output: { type: "string", multiple: true, default: [] },
  },
  async ({ stack, cwd, ...values }) => {
    const format = wordOption("--format", values.format, formatNames);
    const outputs = outputOptions(values.output, undefined, endings);
    const location = { directory: existingFolder(cwd), stack };
    const { snapshots, otherResources } = runPreview(location);
    const compared = [];
    for (const each of snapshots) {
      compared.push(await compareSnapshot(each, missingProjectsFinder(location)));
    }
    const report = createReport(compared, otherResources);
    printText(formatDrift(report, format, printsColors()));
    writeReports(outputs, (each) => formatDrift(report, each, false), summarySentence(report));
    return report.drift ? 7 : 0;
  },
);
