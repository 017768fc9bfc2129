import { basename } from "node:path";
import { displayText } from "../provider/errors/displayText.js";
import { argumentInvalid } from "../provider/errors/projectServiceError.js";
import { isStandardOutput } from "./filePath.js";
import { wordOption } from "./optionValues.js";
import { say } from "./standardStreams.js";
import { writeFiles } from "./writeFiles.js";

/** A report to write. */
export interface Output<Format> {
  readonly format: Format;
  readonly file: string;
}

/** The formats of a command. */
export interface Formats<Format> {
  readonly names: readonly Format[];
  /** The endings of file names, each with its format. The first one that fits counts. */
  readonly endings: readonly (readonly [string, Format])[];
}

/**
 * Returns the reports that the options `--output` and `--format` name.
 *
 * A prefix names the format, such as `junit=report.xml`. Without a prefix, `--format` names it if there
 * is one output. Otherwise the ending of the file does. On standard output, a report is a table.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID`
 */
export function outputOptions<Format extends string>(
  texts: readonly string[],
  format: string | undefined,
  formats: Formats<Format | "table">,
): Output<Format | "table">[] {
  return texts.map((text) => {
    const [, prefix, rest = ""] = /^([a-z]+)=(.*)$/s.exec(text) ?? [];
    const file = prefix === undefined ? text : rest;
    if (file === "") throw argumentInvalid(`--output ${displayText(text)} names no file.`);
    if (prefix !== undefined) {
      return { format: wordOption("The format in --output", prefix, formats.names), file };
    }
    if (texts.length === 1 && format !== undefined) {
      return { format: wordOption("--format", format, formats.names), file };
    }
    return { format: isStandardOutput(file) ? "table" : formatOfFile(file, formats), file };
  });
}

/** Writes a report to its files, and says where it is. Does nothing without outputs. */
export function writeReports<Format>(
  outputs: readonly Output<Format>[],
  textIn: (format: Format) => string,
  summary: string,
): void {
  if (outputs.length === 0) return;
  const about = { content: "the report", option: "--output" };
  writeFiles(outputs.map(({ format, file }) => ({ ...about, file, text: textIn(format) })));
  say(`${summary} ${placeSentence(outputs)}`);
}

/** Returns the sentence that says where the reports are. */
function placeSentence(outputs: readonly { readonly file: string }[]): string {
  const files = outputs
    .map(({ file }) => (isStandardOutput(file) ? "standard output" : displayText(file, 1000)))
    .join(", ");
  return `${outputs.length === 1 ? "The report is in" : "The reports are in"} ${files}.`;
}

function formatOfFile<Format>(file: string, { endings }: Formats<Format>): Format {
  const name = basename(file).toLowerCase();
  const known = endings.find(([ending]) => name.endsWith(ending))?.[1];
  if (known !== undefined) return known;
  const shown = displayText(file, 200);
  throw argumentInvalid(
    `The name ${shown} in --output does not show the format of the report. Use one of the endings ${endings.map(([ending]) => ending).join(", ")}, or write the format before it, such as markdown=${shown}.`,
  );
}
