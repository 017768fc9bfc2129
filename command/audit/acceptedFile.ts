import { readFileSync } from "node:fs";
import {
  acceptAll,
  type Acceptance,
  type AcceptedEntry,
  type AcceptedFile,
  checkAcceptedFile,
  type JudgedFinding,
} from "../../audit/report/acceptance.js";
import { findingKey } from "../../audit/rules/finding.js";
import {
  displayCount,
  displayCounts,
  displayJson,
  displayText,
} from "../../provider/errors/displayText.js";
import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { parseJsonText } from "../parseJsonText.js";
import { printStderr } from "../standardStreams.js";
import { requireRegularFile, writeFile } from "../writeFile.js";

/** A file with accepted findings. A file that the audit creates has no text yet. */
export interface LoadedFile {
  readonly path: string;
  readonly option: "--accepted" | "--write-accepted";
  readonly text?: string;
  readonly content: AcceptedFile;
}

export function readAcceptedFile(path: string, option: LoadedFile["option"]): LoadedFile {
  const isWritten = option === "--write-accepted";
  // Reading a pipe or standard output would wait for ever.
  if (isWritten) requireRegularFile(path, option);
  try {
    const text = readFileSync(path, "utf8");
    return { path, option, text, content: checkAcceptedFile(parseJsonText(text, "")) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && isWritten) {
      return { path, option, content: { version: 1, accepted: [] } };
    }
    const reason =
      error instanceof ProjectServiceError
        ? message
        : `${code}. Check the path in ${option}. To create the file, pass --write-accepted.`;
    throw argumentInvalid(
      `Reading the accepted findings in ${displayText(path, 200)} failed: ${reason}`,
    );
  }
}

/** Accepts findings, and writes the file. Returns its entries. */
export function acceptFindings(
  findings: readonly JudgedFinding[],
  file: LoadedFile,
  acceptance: Acceptance,
  today: string,
): readonly AcceptedEntry[] {
  const { accepted } = file.content;
  const { entries, added, renewed } = acceptAll(findings, accepted, acceptance, today);
  const kept = entries.length - added - renewed;
  replaceEntries(file, entries, { added, renewed, kept });
  return entries;
}

/** Removes entries from the files that have them. */
export function pruneFiles(files: readonly LoadedFile[], stale: readonly AcceptedEntry[]): void {
  const keys = new Set(stale.map(findingKey));
  for (const file of files) {
    const { accepted } = file.content;
    const kept = accepted.filter((entry) => !keys.has(findingKey(entry)));
    const removed = accepted.length - kept.length;
    if (removed > 0) replaceEntries(file, kept, { removed, kept: kept.length });
  }
}

function replaceEntries(
  file: LoadedFile,
  accepted: readonly AcceptedEntry[],
  changes: Readonly<Record<string, number>>,
): void {
  const { path, option, text, content } = file;
  const shown = displayText(path, 1000);
  // An audit takes minutes. Meanwhile, somebody may have written a reason.
  if (readAcceptedFile(path, option).text !== text) {
    throw argumentInvalid(
      `${shown} changed while the audit ran, so it was not written. Run the audit again.`,
    );
  }
  writeFile(path, `${displayJson({ ...content, accepted })}\n`, false, option);
  const count = displayCount(accepted.length, "accepted finding");
  printStderr(`${shown} has ${count}: ${displayCounts(changes).join(", ")}.`);
}
