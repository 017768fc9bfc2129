import { existsSync } from "node:fs";
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
import { readJsonFile } from "../readJson.js";
import { printStderr } from "../standardStreams.js";
import { requireRegularFile, writeFile } from "../writeFile.js";

type AcceptedOption = "--accepted" | "--write-accepted";

/** Reads a file with accepted findings. A file that the audit creates has none. */
export function readAcceptedFile(path: string, option: AcceptedOption): AcceptedFile {
  const isWritten = option === "--write-accepted";
  // Reading a pipe or standard output would wait forever.
  if (isWritten) requireRegularFile(path, option);
  if (isWritten && !existsSync(path)) return { version: 1, accepted: [] };
  return readJsonFile(path, option, checkAcceptedFile);
}

/** Accepts findings, and writes the file. Returns its entries. */
export function acceptFindings(
  findings: readonly JudgedFinding[],
  path: string,
  acceptance: Acceptance,
  today: string,
): readonly AcceptedEntry[] {
  const option = "--write-accepted";
  // An audit takes minutes. Meanwhile, somebody may have written a reason.
  const content = readAcceptedFile(path, option);
  const { entries, added, renewed } = acceptAll(findings, content.accepted, acceptance, today);
  const kept = entries.length - added - renewed;
  writeAccepted(path, option, { ...content, accepted: entries }, { added, renewed, kept });
  return entries;
}

/** Removes entries from the files that have them. */
export function pruneFiles(paths: readonly string[], stale: readonly AcceptedEntry[]): void {
  const option = "--accepted";
  const keys = new Set(stale.map(findingKey));
  for (const path of paths) {
    const content = readAcceptedFile(path, option);
    const accepted = content.accepted.filter((entry) => !keys.has(findingKey(entry)));
    const removed = content.accepted.length - accepted.length;
    if (removed === 0) continue;
    writeAccepted(path, option, { ...content, accepted }, { removed, kept: accepted.length });
  }
}

function writeAccepted(
  path: string,
  option: AcceptedOption,
  content: AcceptedFile,
  changes: Readonly<Record<string, number>>,
): void {
  writeFile(path, `${displayJson(content)}\n`, false, option);
  const count = displayCount(content.accepted.length, "accepted finding");
  printStderr(`${displayText(path, 1000)} has ${count}: ${displayCounts(changes).join(", ")}.`);
}
