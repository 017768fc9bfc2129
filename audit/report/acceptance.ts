import { compareValues } from "../../provider/model/compareValues.js";
import { checkArgument } from "../../provider/wire/validate.js";
import { type Finding, type FindingIdentity, findingKey } from "../rules/finding.js";

/** An entry of the file with accepted findings. It names one finding, without wildcards. */
export type AcceptedEntry = FindingIdentity & Acceptance;

/** Why somebody accepted a finding. */
export interface Acceptance {
  readonly reason: string;
  /** The last day of the acceptance, in UTC, as `YYYY-MM-DD`. Missing if it has no end. */
  readonly until?: string | undefined;
  /** Who must solve the problem. */
  readonly owner?: string | undefined;
}

/** The content of a file with accepted findings, as `schemas/accepted-findings.schema.json` describes it. */
export interface AcceptedFile {
  readonly $schema?: string;
  readonly version: 1;
  readonly accepted: readonly AcceptedEntry[];
}

/**
 * Checks the content of a file with accepted findings. An error names the entry, for instance `accepted[3]`.
 *
 * @param within follows a place in messages.
 */
export function checkAcceptedFile(content: unknown, within = ""): AcceptedFile {
  return checkArgument("isAcceptedFile", content, `The content${within}`, (path) => path + within);
}

/** A finding with what is known about its acceptance. */
export interface JudgedFinding extends Finding {
  /** Present if somebody accepted the finding, and the acceptance has not expired. */
  readonly accepted?: Acceptance;
  /** Present if somebody accepted the finding, but the acceptance has expired. */
  readonly expired?: Acceptance;
}

/** Returns the day of a time, in UTC, as `YYYY-MM-DD`. */
export function dayOf(isoTime: string): string {
  return isoTime.slice(0, 10);
}

/** Several entries may accept one finding. The one that lasts longest counts. */
export function entriesByKey(entries: readonly AcceptedEntry[]): Map<string, AcceptedEntry> {
  const lastDay = ({ until = "9999-12-31" }: Acceptance) => until;
  const byKey = new Map<string, AcceptedEntry>();
  for (const entry of entries) {
    const key = findingKey(entry);
    const earlier = byKey.get(key);
    if (earlier === undefined || lastDay(entry) >= lastDay(earlier)) byKey.set(key, entry);
  }
  return byKey;
}

export function applyEntries(
  findings: readonly Finding[],
  byKey: ReadonlyMap<string, AcceptedEntry>,
  today: string,
): JudgedFinding[] {
  return findings.map((finding) => {
    const entry = byKey.get(findingKey(finding));
    if (entry === undefined) return finding;
    const { reason, until, owner } = entry;
    const kind = until !== undefined && until < today ? "expired" : "accepted";
    return { ...finding, [kind]: { reason, until, owner } };
  });
}

/** The entries of the contents that {@link openFindings} got: a policy pack passes one for each project. */
const checkedContents = new WeakMap<object, ReadonlyMap<string, AcceptedEntry>>();

export const noticeDays = 14;

/** Whether an acceptance expires within the days in which people should notice it. */
export function expiresSoon({ until }: Acceptance, today: string): boolean {
  const soon = new Date(Date.parse(today) + noticeDays * 86_400_000).toJSON();
  return until !== undefined && until >= today && until <= dayOf(soon);
}

/**
 * Leaves out the findings that the content of a file accepts today. An acceptance that ends overnight would stop
 * deployments, so its finding comes back some days before, as a note.
 */
export function openFindings(findings: readonly Finding[], content: object): Finding[] {
  const within = " in accepted of auditProject";
  const entries =
    checkedContents.get(content) ?? entriesByKey(checkAcceptedFile(content, within).accepted);
  checkedContents.set(content, entries);
  const today = dayOf(new Date().toISOString());
  return applyEntries(findings, entries, today).flatMap(({ accepted, expired, ...finding }) => {
    if (accepted === undefined) {
      const end = expired === undefined ? "" : ` Its acceptance ended after ${expired.until}.`;
      return { ...finding, message: finding.message + end };
    }
    if (!expiresSoon(accepted, today)) return [];
    const message = `${finding.message} Its acceptance ends after ${accepted.until}.`;
    return { ...finding, level: "note" as const, message };
  });
}

/**
 * Accepts findings: those that are open and, with a later end, those whose acceptance in this file expires soon. All
 * other entries stay as they are, also those that match no finding.
 *
 * @param earlier the entries of the file that gets the new ones.
 * @returns all entries of the file, sorted by what identifies them, and how many of them are new or renewed.
 */
export function acceptAll(
  findings: readonly JudgedFinding[],
  earlier: readonly AcceptedEntry[],
  acceptance: Acceptance,
  today: string,
): { entries: AcceptedEntry[]; added: number; renewed: number } {
  const entries = entriesByKey(earlier);
  let [added, renewed] = [0, 0];
  for (const finding of findings) {
    const key = findingKey(finding);
    const entry = entries.get(key);
    const { accepted } = finding;
    // Without an end, the acceptance would never expire.
    const isLater = entry?.until !== undefined && (acceptance.until ?? "") > entry.until;
    if (accepted && !(isLater && expiresSoon(accepted, today))) continue;
    if (entry === undefined) added++;
    else renewed++;
    const { rule, projectId, environmentId, subject, state } = finding;
    const place = environmentId === undefined ? { projectId } : { projectId, environmentId };
    const owner = acceptance.owner ?? entry?.owner;
    const given = owner === undefined ? acceptance : { ...acceptance, owner };
    entries.set(key, { rule, ...place, subject, state, ...given });
  }
  const sorted = [...entries].sort(([a], [b]) => compareValues(a, b));
  return { entries: sorted.map(([, entry]) => entry), added, renewed };
}
