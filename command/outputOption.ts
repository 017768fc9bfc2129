import { basename, resolve } from "node:path";
import { displayText } from "../provider/errors/displayText.js";
import { argumentInvalid } from "../provider/errors/projectServiceError.js";
import { enumOption } from "./commandLine.js";
import { isStandardOutput, printStderr } from "./standardStreams.js";
import { requireRegularFile, writeFile } from "./writeFile.js";

/** A report to write. */
export interface Output<Format> {
  readonly format: Format;
  readonly file: string;
}

/**
 * Returns the reports that the options `--output` and `--format` name.
 *
 * `--format` names the format of a single output. Otherwise the ending of the file does. Without `--output`, the report
 * goes to standard output, there as a table.
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
  const outputs = (texts.length === 0 ? ["-"] : texts).map((file): Output<Format | "table"> => {
    if (format !== undefined || isStandardOutput(file)) {
      return { format: enumOption("--format", format ?? "table", names), file };
    }
    const fits = (ending: string) => basename(file).toLowerCase().endsWith(ending);
    const chosen = names.find((name) => endings[name].some(fits));
    if (chosen !== undefined) return { format: chosen, file };
    const known = names.map((name) => endings[name][0]).join(", ");
    throw argumentInvalid(
      `The name ${displayText(file, 200)} in --output does not tell the format of the report. Pass --format, or use an ending such as ${known}.`,
    );
  });
  const taken = new Set(inputs.flatMap((file) => (file === undefined ? [] : resolve(file))));
  for (const file of filesOf(outputs)) {
    requireRegularFile(file, "--output");
    if (taken.has(resolve(file))) {
      throw argumentInvalid(
        `--output ${displayText(file, 200)} would replace the file of another option. Choose another name for the report.`,
      );
    }
    taken.add(resolve(file));
  }
  return outputs;
}

function filesOf(outputs: readonly Output<unknown>[]): string[] {
  return outputs.map(({ file }) => file).filter((file) => !isStandardOutput(file));
}

/** Writes a report to its places. If these are files, says where it is. */
export function writeReports<Format>(
  outputs: readonly Output<Format>[],
  textIn: (format: Format) => string,
  summary: string,
): void {
  for (const { format, file } of outputs) {
    writeFile(file, textIn(format));
  }
  const files = filesOf(outputs).map((file) => displayText(file, 1000));
  if (files.length === 0) return;
  const verb = files.length === 1 ? "The report is" : "The reports are";
  printStderr(`${summary} ${verb} in ${files.join(", ")}.`);
}
