import { basename } from "node:path";
import { type FormatName, formatNames } from "../audit/report/formatReport.js";
import {
  argumentInvalid,
  type ProjectServiceError,
} from "../provider/errors/projectServiceError.js";
import { displayText } from "../provider/errors/displayText.js";
import { descriptorOf, existingFile } from "./filePath.js";

/** A report to write. */
export interface Output {
  readonly format: FormatName;
  readonly file: string;
}

/** The endings of file names, each with its format. The first one that fits counts. */
const formatsByEnding: readonly (readonly [string, FormatName])[] = [
  [".junit.xml", "junit"],
  [".codequality.json", "codequality"],
  [".html", "html"],
  [".json", "json"],
  [".md", "markdown"],
  [".sarif", "sarif"],
  [".txt", "table"],
];

/**
 * Returns the reports that the options `--output` and `--format` name.
 *
 * A prefix names the format, such as `junit=report.xml`. Without a prefix, `--format` names it if there
 * is one output. Otherwise the ending of the file does. A single output to a device is a table.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID`
 */
export function outputOptions(texts: readonly string[], format: string | undefined): Output[] {
  return texts.map((text) => {
    const [, prefix, rest = ""] = /^([a-z]+)=(.*)$/s.exec(text) ?? [];
    const file = prefix === undefined ? text : rest;
    if (file === "") {
      throw argumentInvalid(`--output ${displayText(text)} names no file.`);
    }
    if (prefix !== undefined) return { format: prefixFormat(prefix, text), file };
    if (texts.length === 1 && format !== undefined) return { format: formatOption(format), file };
    const known =
      formatOfFile(file) ?? (texts.length === 1 && isDevice(file) ? "table" : undefined);
    if (known === undefined) throw unknownEnding(file);
    return { format: known, file };
  });
}

/** Returns the format that `--format` names. */
export function formatOption(format: string): FormatName {
  const known = formatNames.find((name) => name === format);
  if (known !== undefined) return known;
  throw argumentInvalid(
    `The format ${displayText(format)} does not exist. Pass one of these as --format: ${formatNames.join(", ")}.`,
  );
}

function prefixFormat(prefix: string, text: string): FormatName {
  const known = formatNames.find((name) => name === prefix);
  if (known !== undefined) return known;
  throw argumentInvalid(
    `--output ${displayText(text, 200)} names the format ${displayText(prefix)}, which does not exist. The formats are ${formatNames.join(", ")}. If this is the name of a file, write ./${displayText(text, 200)}.`,
  );
}

function formatOfFile(file: string): FormatName | undefined {
  const name = basename(file).toLowerCase();
  if (name === "junit.xml") return "junit";
  return formatsByEnding.find(([ending]) => name.endsWith(ending))?.[1];
}

function isDevice(file: string): boolean {
  if (descriptorOf(file) !== undefined) return true;
  const stats = existingFile(file);
  return stats !== undefined && !stats.isFile() && !stats.isDirectory();
}

function unknownEnding(file: string): ProjectServiceError {
  const endings = formatsByEnding.map(([ending]) => ending).join(", ");
  return argumentInvalid(
    `The name ${displayText(file, 200)} in --output does not show the format of the report. Use one of the endings ${endings}, or write the format before it, such as html=${displayText(file, 200)}.`,
  );
}
