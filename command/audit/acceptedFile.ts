import { readFileSync } from "node:fs";
import type { AcceptedEntry } from "../../audit/report/acceptance.js";
import { displayJson } from "../../audit/report/jsonFormat.js";
import { findingKey } from "../../audit/rules/finding.js";
import { displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { checkArgument } from "../../provider/wire/validate.js";
import { parseJsonText } from "../parseJsonText.js";

/** The content of a file with accepted findings, as `schemas/accepted-findings.schema.json` describes it. */
export interface AcceptedFile {
  readonly $schema?: string;
  readonly version: 1;
  readonly accepted: readonly AcceptedEntry[];
}

/**
 * Reads a file with accepted findings.
 *
 * @param ifMissing the content of a file that does not exist. Without it, such a file is an error.
 * @throws ProjectServiceError `ARGUMENT_INVALID` that names the file and the entry, for instance `accepted[3]`.
 */
export function readAcceptedFile(path: string, ifMissing?: AcceptedFile): AcceptedFile {
  try {
    return parseAcceptedFile(readFileSync(path, "utf8"));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && ifMissing !== undefined) return ifMissing;
    const reason =
      error instanceof ProjectServiceError
        ? message
        : `${code}. Check the path. To create the file, pass --write-accepted.`;
    throw argumentInvalid(
      `Reading the accepted findings in ${displayText(path, 200)} failed: ${reason}`,
    );
  }
}

/** Returns the text of a file with accepted findings. It is JSON, with each entry on lines of its own. */
export function acceptedFileText(file: AcceptedFile): string {
  return `${displayJson(file)}\n`;
}

/** Whether a text is a day that exists, in the form `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const isForm = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(text);
  // JavaScript takes February 30 for March 2.
  return isForm && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
}

function parseAcceptedFile(text: string): AcceptedFile {
  const value = parseJsonText(text, "");
  const file = checkArgument<AcceptedFile>("isAcceptedFile", value, "The file", (path) => path);
  const indexes = new Map<string, number>();
  for (const [index, entry] of file.accepted.entries()) {
    if (entry.until !== undefined && !isDay(entry.until)) {
      throw argumentInvalid(`accepted[${index}].until must be a day such as 2027-06-30.`);
    }
    const earlier = indexes.get(findingKey(entry));
    if (earlier !== undefined) {
      throw argumentInvalid(
        `accepted[${index}] is for the same finding as accepted[${earlier}]. Remove one of them.`,
      );
    }
    indexes.set(findingKey(entry), index);
  }
  return file;
}
