import { basename } from "node:path";
import {
  argumentInvalid,
  type ProjectServiceError,
} from "../provider/errors/projectServiceError.js";
import { displayText } from "../provider/errors/displayText.js";
import { wordOption } from "./optionValues.js";
import { isStandardOutput } from "./filePath.js";

/** A report to write. */
export interface Output<Format> {
  readonly format: Format;
  readonly file: string;
}

/** The formats of a command. */
export interface Formats<Format> {
  readonly names: readonly Format[];
  /**
   * The endings of file names, each with its format. The first one that fits counts. A slash is the start
   * of a name.
   */
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
    if (file === "") {
      throw argumentInvalid(`--output ${displayText(text)} names no file.`);
    }
    if (prefix !== undefined) return { format: prefixFormat(prefix, text, formats), file };
    if (texts.length === 1 && format !== undefined) {
      return { format: wordOption("--format", format, formats.names), file };
    }
    const known = isStandardOutput(file) ? "table" : formatOfFile(file, formats);
    if (known === undefined) throw unknownEnding(file, formats);
    return { format: known, file };
  });
}

/** Returns the sentence that says where the reports are. */
export function placeSentence(outputs: readonly { readonly file: string }[]): string {
  const files = outputs
    .map(({ file }) => (isStandardOutput(file) ? "standard output" : displayText(file, 1000)))
    .join(", ");
  return `${outputs.length === 1 ? "The report is in" : "The reports are in"} ${files}.`;
}

function prefixFormat<Format extends string>(
  prefix: string,
  text: string,
  { names }: Formats<Format>,
): Format {
  const known = names.find((name) => name === prefix);
  if (known !== undefined) return known;
  throw argumentInvalid(
    `--output ${displayText(text, 200)} names the format ${displayText(prefix)}, which does not exist. The formats are ${names.join(", ")}. If this is the name of a file, write ./${displayText(text, 200)}.`,
  );
}

function formatOfFile<Format>(file: string, { endings }: Formats<Format>): Format | undefined {
  const name = `/${basename(file).toLowerCase()}`;
  return endings.find(([ending]) => name.endsWith(ending))?.[1];
}

function unknownEnding(file: string, { names, endings }: Formats<string>): ProjectServiceError {
  const shown = endings.map(([ending]) => ending).filter((ending) => !ending.startsWith("/"));
  return argumentInvalid(
    `The name ${displayText(file, 200)} in --output does not show the format of the report. Use one of the endings ${shown.join(", ")}, or write the format before it, such as ${names.includes("html") ? "html" : "markdown"}=${displayText(file, 200)}.`,
  );
}
