import { readFileSync } from "node:fs";
import type { AcceptedEntry } from "../../audit/report/acceptance.js";
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

/** The content of a file that does not exist yet. */
export const noAcceptedFindings: AcceptedFile = { version: 1, accepted: [] };

/**
 * Reads a file with accepted findings.
 *
 * @param mayBeMissing whether a file that does not exist has no accepted findings, and is no error.
 * @throws ProjectServiceError `ARGUMENT_INVALID` that names the file and the entry, for instance `accepted[3]`.
 */
export function readAcceptedFile(path: string, mayBeMissing: boolean): AcceptedFile {
  try {
    return parseAcceptedFile(readFileSync(path, "utf8"));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && mayBeMissing) return noAcceptedFindings;
    const reason =
      error instanceof ProjectServiceError
        ? message
        : `${code}. Check the path in --accepted. To create the file, pass --write-accepted.`;
    throw argumentInvalid(
      `Reading the accepted findings in ${displayText(path, 200)} failed: ${reason}`,
    );
  }
}

function parseAcceptedFile(text: string): AcceptedFile {
  const value = parseJsonText(text, "");
  const file = checkArgument<AcceptedFile>("isAcceptedFile", value, "The file", (path) => path);
  const keys = new Set<string>();
  // A set does not grow by a key that it has.
  const second = file.accepted.findIndex((entry) => keys.size === keys.add(findingKey(entry)).size);
  if (second === -1) return file;
  throw argumentInvalid(
    `accepted[${second}] is for the same finding as an earlier entry. Remove one of them.`,
  );
}
