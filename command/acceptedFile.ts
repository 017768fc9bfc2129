import { readFileSync } from "node:fs";
import type { AcceptedEntry } from "../audit/report/acceptance.js";
import { displayJson } from "../audit/report/jsonFormat.js";
import { findingKey } from "../audit/rules/finding.js";
import type { FindingState } from "../audit/rules/problem.js";
import {
  argumentInvalid,
  checkKeys,
  ProjectServiceError,
} from "../provider/errors/projectServiceError.js";
import { displayText } from "../provider/errors/displayText.js";
import { parseJsonText } from "./parseJsonText.js";

/** The content of a file with accepted findings. `schemas/accepted-findings.schema.json` describes it. */
export interface AcceptedFile {
  readonly $schema?: string;
  readonly version: 1;
  readonly accepted: readonly AcceptedEntry[];
}

/**
 * Reads a file with accepted findings.
 *
 * @param ifMissing the content of a file that does not exist. Without it, such a file is an error.
 * @throws ProjectServiceError `ARGUMENT_INVALID` that names the entry, for instance `accepted[3]`.
 */
export function readAcceptedFile(path: string, ifMissing?: AcceptedFile): AcceptedFile {
  try {
    return parseAcceptedFile(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof ProjectServiceError) throw readingFailed(path, error.message);
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code === "ENOENT" && ifMissing !== undefined) return ifMissing;
    const problem = code === "ENOENT" ? "the file does not exist" : code;
    throw readingFailed(
      path,
      `${problem}. Check the path. To create the file, pass --write-accepted.`,
    );
  }
}

function readingFailed(path: string, reason: string): ProjectServiceError {
  return argumentInvalid(
    `Reading the accepted findings in ${displayText(path, 200)} failed: ${reason}`,
  );
}

/** Returns the text of a file with accepted findings. It is JSON, with each entry on lines of its own. */
export function acceptedFileText({ $schema, version, accepted }: AcceptedFile): string {
  return `${displayJson({ ...($schema === undefined ? {} : { $schema }), version, accepted })}\n`;
}

/**
 * Returns the content of a file with accepted findings.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID`
 */
export function parseAcceptedFile(text: string): AcceptedFile {
  const file = checkKeys("The file", parseJsonText(text, ""), ["$schema", "version", "accepted"]);
  const { $schema, version, accepted } = file;
  if ($schema !== undefined && typeof $schema !== "string")
    throw argumentInvalid("$schema must be a string.");
  if (version !== 1) throw argumentInvalid("version must be 1.");
  if (!Array.isArray(accepted)) throw argumentInvalid("accepted must be a list.");
  const entries = accepted.map((entry, index) => parseEntry(`accepted[${index}]`, entry));
  refuseDuplicates(entries);
  return { ...($schema === undefined ? {} : { $schema }), version, accepted: entries };
}

/** Whether a text is a real date in the form `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // JavaScript takes February 30 for March 2.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function parseEntry(place: string, value: unknown): AcceptedEntry {
  const entry = checkKeys(place, value, [
    "rule",
    "projectId",
    "environmentId",
    "subject",
    "state",
    "reason",
    "until",
    "acceptedBy",
  ]);
  const { until, environmentId, subject, acceptedBy } = entry;
  if (subject === undefined) {
    throw argumentInvalid(
      `${place} has no subject, so it does not say what was accepted. Copy the subject from the report of pulumi-project-service audit, or delete the entry.`,
    );
  }
  if (until !== undefined && (typeof until !== "string" || !isDate(until))) {
    throw argumentInvalid(`until of ${place} must be a date that exists, such as 2027-06-30.`);
  }
  if (environmentId !== undefined && (typeof environmentId !== "string" || environmentId === "")) {
    throw argumentInvalid(
      `environmentId of ${place} must be a string that is not empty. Leave it out for a whole project.`,
    );
  }
  return {
    rule: textIn(place, "rule", entry["rule"]),
    projectId: textIn(place, "projectId", entry["projectId"]),
    ...(environmentId === undefined ? {} : { environmentId }),
    subject: textIn(place, "subject", subject),
    state: stateIn(place, entry["state"]),
    reason: textIn(place, "reason", entry["reason"]),
    ...(until === undefined ? {} : { until }),
    ...(acceptedBy === undefined ? {} : { acceptedBy: textIn(place, "acceptedBy", acceptedBy) }),
  };
}

function textIn(place: string, key: string, value: unknown): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw argumentInvalid(`${key} of ${place} must be a string that is not empty.`);
}

function stateIn(place: string, value: unknown): FindingState {
  if (value === undefined) return "violated";
  if (value === "violated" || value === "unknown") return value;
  throw argumentInvalid(`state of ${place} must be violated or unknown.`);
}

function refuseDuplicates(entries: readonly AcceptedEntry[]): void {
  const indexes = new Map<string, number>();
  for (const [index, entry] of entries.entries()) {
    const earlier = indexes.get(findingKey(entry));
    if (earlier !== undefined) {
      throw argumentInvalid(
        `accepted[${index}] is for the same finding as accepted[${earlier}]. Remove one of them.`,
      );
    }
    indexes.set(findingKey(entry), index);
  }
}
