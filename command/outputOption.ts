import { basename } from "node:path";
import { displayText } from "../provider/errors/displayText.js";
import { argumentInvalid } from "../provider/errors/projectServiceError.js";
import { enumOption } from "./commandLine.js";
import { isStandardOutput, printStderr } from "./standardStreams.js";
import { fileIdentity, requireRegularFile, writeFile } from "./writeFile.js";

/** A report to write. */
export interface Output<Format> {
  readonly format: Format;
  readonly file: string;
}

/**
 * Returns the reports that the options `--output` and `--format` name.
 *
 * `--format` names the format of a single output. Otherwise the ending of the file does. On standard output, a report is
 * a table.
 *
 * @param endings the endings of the files of each format. The first one that fits a name counts.
 * @param inputs the files of other options, which a report must not replace.
 */
export function outputOptions<Format extends string>(
  texts: readonly string[],
  format: string | undefined,
  endings: Readonly<Record<Format | "table", readonly string[]>>,
  inputs: readonly (string | undefined)[] = [],
): Output<Format | "table">[] {
  if (format !== undefined && texts.length > 1) {
    throw argumentInvalid(
      "--format applies to a single --output. Leave it out: the ending of each file chooses its format.",
    );
  }
  const names = Object.keys(endings) as (Format | "table")[];
  const outputs = texts.map((file): Output<Format | "table"> => {
    if (format !== undefined) return { format: enumOption("--format", format, names), file };
    if (isStandardOutput(file)) return { format: "table", file };
    const fits = (ending: string) => basename(file).toLowerCase().endsWith(ending);
    const known = names.find((name) => endings[name].some(fits));
    if (known !== undefined) return { format: known, file };
    const shown = displayText(file, 200);
    throw argumentInvalid(
      `The name ${shown} in --output does not tell the format of the report. Use one of the endings ${shownEndings(endings)}.`,
    );
  });
  const taken = new Set(inputs.flatMap((file) => (file === undefined ? [] : fileIdentity(file))));
  for (const { file } of outputs) {
    if (!isStandardOutput(file)) requireRegularFile(file, "--output");
    const identity = fileIdentity(file);
    if (taken.has(identity)) {
      throw argumentInvalid(
        `--output ${displayText(file, 200)} would replace the file of another option. Choose another name for the report.`,
      );
    }
    taken.add(identity);
  }
  return outputs;
}

/** One ending of each format, with its period. */
function shownEndings(endings: Readonly<Record<string, readonly string[]>>): string {
  return Object.values(endings)
    .map(([first = ""]) => first.replace(/^(?!\.)/, "."))
    .join(", ");
}

/** Writes a report to its files, and says where it is. */
export function writeReports<Format>(
  outputs: readonly Output<Format>[],
  textIn: (format: Format) => string,
  summary = "",
): void {
  if (outputs.length === 0) return;
  for (const { format, file } of outputs) writeFile(file, textIn(format));
  const places = outputs.map(({ file }) =>
    isStandardOutput(file) ? "standard output" : displayText(file, 1000),
  );
  const verb = places.length === 1 ? "The report is" : "The reports are";
  printStderr(`${summary} ${verb} in ${places.join(", ")}.`.trim());
}
