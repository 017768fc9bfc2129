import { appendFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { displayText } from "../../provider/errors/displayText.js";
import { mentioningEarlierReports } from "../earlierReports.js";
import { placeSentence } from "../outputOption.js";
import { printsColors, printText, readStandardInput, say } from "../standardStreams.js";
import { writeFiles } from "../writeFiles.js";
import { couldNotLook, linesOf } from "./couldNotLook.js";
import { type DriftOptions, driftUsage, parseDriftOptions } from "./driftOptions.js";
import { type Preview, readPreview } from "./preview.js";
import { createReport, type DriftReport } from "./report/driftReport.js";
import { formatDrift } from "./report/formatDrift.js";
import { summarySentence } from "./report/sentences.js";
import { runPreview } from "./runPreview.js";

/**
 * Runs `project-service drift` with its command line.
 *
 * @returns the exit code: 0 without drift, 7 with drift, as of `pulumi preview --expect-no-changes`.
 * @throws ProjectServiceError if it could not look.
 */
export async function driftCommand(args: string[]): Promise<number> {
  const options = parseDriftOptions(args);
  if (options === undefined) {
    printText(driftUsage);
    return 0;
  }
  return mentioningEarlierReports(options.outputs, "an earlier check", () => look(options));
}

async function look(options: DriftOptions): Promise<number> {
  const { previewFile, directory, pulumiArguments } = options;
  const preview =
    previewFile === undefined
      ? await runPreview(directory, pulumiArguments)
      : await previewIn(previewFile);
  for (const line of preview.warnings.flatMap(linesOf)) say(line);
  const report = createReport(preview);
  warnOfHidden(preview);
  if (!report.drift && report.summary.comparedProjects === 0) {
    say(
      "Warning: No project was compared. No snapshot in the program has a project that is also recorded. Check its filters, and run pulumi up.",
    );
  }
  showReport(report, options);
  setGithubOutput(report);
  return report.drift ? 7 : 0;
}

async function previewIn(file: string): Promise<Preview> {
  if (file === "-") {
    const bytes = await readStandardInput(
      "Pass the preview to the command: pulumi preview --json --refresh=false --show-sames | project-service drift --preview -",
    );
    return readPreview(bytes, "standard input");
  }
  const name = displayText(file, 1000);
  const bytes = await readFile(file).catch(({ code = "unknown error" }: NodeJS.ErrnoException) => {
    throw couldNotLook(`reading ${name} failed: ${code}. Check --preview.`);
  });
  return readPreview(bytes, name);
}

/** A preview without unchanged resources looks the same whether a snapshot is recorded or not. */
function warnOfHidden({ hidesUnchanged, snapshots }: Preview): void {
  if (!hidesUnchanged || snapshots.some(({ before }) => before !== undefined)) return;
  say(
    "Warning: The preview does not show whether a snapshot is recorded. Make it with --show-sames.",
  );
}

function showReport(report: DriftReport, { printedFormat, outputs }: DriftOptions): void {
  if (printedFormat !== undefined) {
    printText(formatDrift(report, printedFormat, printsColors()));
  }
  if (outputs.length === 0) return;
  const files = outputs.map(({ format, file }) => ({
    file,
    text: formatDrift(report, format, false),
    content: "the report",
    option: "--output",
  }));
  writeFiles(files);
  say(`${summarySentence(report)} ${placeSentence(outputs)}`);
}

/** Sets the output `drift` of a step on GitHub. A step that could not look has none. */
function setGithubOutput({ drift }: DriftReport): void {
  const { GITHUB_OUTPUT = "" } = process.env;
  if (GITHUB_OUTPUT === "") return;
  try {
    appendFileSync(GITHUB_OUTPUT, `drift=${drift}\n`);
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw couldNotLook(`appending to the file in GITHUB_OUTPUT failed: ${code}.`);
  }
}
