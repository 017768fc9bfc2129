import { readFileSync } from "node:fs";
import {
  acceptAll,
  type AcceptedEntry,
  type AcceptedFile,
  checkAcceptedFile,
} from "../../audit/report/acceptance.js";
import type { Finding } from "../../audit/rules/finding.js";
import { displayCount, displayJson, displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { parseJsonText } from "../parseJsonText.js";
import { printStderr } from "../standardStreams.js";
import { requireRegularFile, writeFile } from "../writeFile.js";
import type { AuditOptions } from "./auditOptions.js";

const noAcceptedFindings: AcceptedFile = { version: 1, accepted: [] };

/** Reads the accepted findings. A file that the audit is going to write may be missing. */
export function readAcceptedFile({ acceptedFile: path, acceptance }: AuditOptions): AcceptedFile {
  if (path === undefined) return noAcceptedFindings;
  // Reading a pipe or standard output would wait for ever.
  if (acceptance !== undefined) requireRegularFile(path, "--write-accepted");
  try {
    return checkAcceptedFile(parseJsonText(readFileSync(path, "utf8"), ""));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && acceptance !== undefined) return noAcceptedFindings;
    const reason =
      error instanceof ProjectServiceError
        ? message
        : `${code}. Check the path in --accepted. To create the file, pass --write-accepted.`;
    throw argumentInvalid(
      `Reading the accepted findings in ${displayText(path, 200)} failed: ${reason}`,
    );
  }
}

/** Returns the accepted entries. With `--write-accepted`, accepts all findings first, and writes the file. */
export function acceptFindings(
  findings: readonly Finding[],
  earlier: AcceptedFile,
  { acceptedFile: path, acceptance }: AuditOptions,
  today: string,
): readonly AcceptedEntry[] {
  if (path === undefined || acceptance === undefined) return earlier.accepted;
  const { entries, added, renewed } = acceptAll(findings, earlier.accepted, acceptance, today);
  const text = `${displayJson({ ...earlier, accepted: entries })}\n`;
  writeFile(path, text, false, "--write-accepted");
  const kept = entries.length - added - renewed;
  printStderr(
    `${displayText(path, 1000)} has ${displayCount(entries.length, "accepted finding")}: ${added} added, ${renewed} renewed, ${kept} kept.`,
  );
  return entries;
}
