import { parseArgs } from "node:util";
import { resolve } from "node:path";
import { checkOptions, wordOption } from "../optionValues.js";
import { outputOptions, writeReports } from "../outputOption.js";
import { printsColors, printText } from "../standardStreams.js";
import { compareSnapshot } from "./compareSnapshot.js";
import {
  createReport,
  type DriftReport,
  formatDrift,
  type FormatName,
  formatNames,
  summarySentence,
} from "./driftReport.js";
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

/**
 * Runs the command with its command line.
 *
 * @returns the exit code: 0 without drift, 7 with drift, as of `pulumi preview --expect-no-changes`.
 * @throws ProjectServiceError if it could not look.
 */
export async function driftCommand(args: string[]): Promise<number> {
  const { values, tokens } = parseArgs({
    tokens: true,
    args,
    options: {
      stack: { type: "string" },
      cwd: { type: "string", default: "." },
      format: { type: "string", default: "table" },
      output: { type: "string", multiple: true, default: [] },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) {
    printText(usage);
    return 0;
  }
  checkOptions(tokens, ["output"]);
  const format = wordOption("--format", values.format, formatNames);
  const outputs = outputOptions(values.output, undefined, endings);
  const report = await look(resolve(values.cwd), values.stack);
  printText(formatDrift(report, format, printsColors()));
  writeReports(outputs, (each) => formatDrift(report, each, false), summarySentence(report));
  return report.drift ? 7 : 0;
}

async function look(directory: string, stackName: string | undefined): Promise<DriftReport> {
  const { snapshots, otherResources } = runPreview(directory, stackName);
  const findMissing = missingProjectsFinder(directory, stackName);
  const compared = [];
  for (const each of snapshots) compared.push(await compareSnapshot(each, findMissing));
  return createReport(compared, otherResources);
}
