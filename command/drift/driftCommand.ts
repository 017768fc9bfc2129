import { parseArgs } from "node:util";
import { resolve } from "node:path";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { mentioningEarlierReports } from "../earlierReports.js";
import { refuseRepeated, wordOption } from "../optionValues.js";
import { type Formats, type Output, outputOptions, placeSentence } from "../outputOption.js";
import { printsColors, printText, say } from "../standardStreams.js";
import { writeFiles } from "../writeFiles.js";
import { compareSnapshot } from "./compareSnapshot.js";
import {
  createReport,
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

interface Options {
  readonly directory: string;
  readonly stackName: string | undefined;
  readonly format: FormatName;
  readonly outputs: readonly Output<FormatName>[];
}

const formats: Formats<FormatName> = {
  names: formatNames,
  endings: [
    [".json", "json"],
    [".md", "markdown"],
    [".txt", "table"],
  ],
};

/**
 * Runs the command with its command line.
 *
 * @returns the exit code: 0 without drift, 7 with drift, as of `pulumi preview --expect-no-changes`.
 * @throws ProjectServiceError if it could not look.
 */
export async function driftCommand(args: string[]): Promise<number> {
  const options = parseOptions(args);
  if (options === undefined) {
    printText(usage);
    return 0;
  }
  return mentioningEarlierReports(options.outputs, "an earlier check", () => look(options));
}

function parseOptions(args: string[]): Options | undefined {
  const text = { type: "string" } as const;
  const { values, tokens } = parseArgs({
    tokens: true,
    args,
    options: {
      stack: text,
      cwd: text,
      format: text,
      output: { type: "string", multiple: true },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) return undefined;
  refuseRepeated(tokens, ["output"]);
  const { output = [], format, stack, cwd } = values;
  if (stack === "") throw argumentInvalid("--stack is empty. Name a stack, or leave it out.");
  return {
    directory: resolve(cwd ?? "."),
    stackName: stack,
    format: wordOption("--format", format ?? "table", formatNames),
    outputs: outputOptions(output, undefined, formats),
  };
}

async function look({ directory, stackName, format, outputs }: Options): Promise<number> {
  const { snapshots, otherResources } = await runPreview(directory, stackName);
  const findMissing = missingProjectsFinder(directory, stackName);
  const compared = [];
  for (const each of snapshots) compared.push(await compareSnapshot(each, findMissing));
  const report = createReport(compared, otherResources);
  const files = outputs.map((output) => ({
    file: output.file,
    text: formatDrift(report, output.format, false),
    content: "the report",
    option: "--output",
  }));
  printText(formatDrift(report, format, printsColors()));
  if (files.length > 0) {
    writeFiles(files);
    say(`${summarySentence(report)} ${placeSentence(outputs)}`);
  }
  return report.drift ? 7 : 0;
}
