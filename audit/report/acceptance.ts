import { compareValues } from "../../provider/model/projectFilter.js";
import { type Finding, type FindingIdentity, findingKey } from "../rules/finding.js";

/**
 * An entry of the file with accepted findings. It names one finding by its identity, without wildcards. So
 * an entry for one state does not cover a finding in the other state.
 */
export type AcceptedEntry = FindingIdentity & Acceptance;

/** Why somebody accepted a finding. */
export interface Acceptance {
  readonly reason: string;
  /** The last day of the acceptance, in UTC, as `YYYY-MM-DD`. Missing if it has no end. */
  readonly until?: string | undefined;
}

/** A finding with what is known about its acceptance. */
export interface ReportedFinding extends Finding {
  /** Present if somebody accepted the finding, and the acceptance has not expired. */
  readonly accepted?: Acceptance;
  /** Present if somebody accepted the finding, but the acceptance has expired. */
  readonly expired?: Acceptance;
}

/** Returns the day of a time, in UTC, as `YYYY-MM-DD`. */
export function dayOf(isoTime: string): string {
  return isoTime.slice(0, 10);
}

/** Adds to each finding what the entries say about it. */
export function applyEntries(
  findings: readonly Finding[],
  entries: readonly AcceptedEntry[],
  today: string,
): ReportedFinding[] {
  const byKey = new Map(entries.map((entry) => [findingKey(entry), entry]));
  return findings.map((finding) => {
    const entry = byKey.get(findingKey(finding));
    if (entry === undefined) return finding;
    const { reason, until } = entry;
    return { ...finding, [isExpired(entry, today) ? "expired" : "accepted"]: { reason, until } };
  });
}

/** Whether an acceptance has ended. Its last day still counts. */
function isExpired({ until }: Acceptance, today: string): boolean {
  return until !== undefined && until < today;
}

/**
 * Accepts all findings. A finding without an entry gets one, and an entry that has expired is renewed.
 * All other entries stay as they are, also those that match no finding.
 *
 * @returns all entries, sorted by what identifies them, and how many of them are new or renewed.
 */
export function acceptAll(
  findings: readonly Finding[],
  earlier: readonly AcceptedEntry[],
  acceptance: Acceptance,
  today: string,
): { entries: AcceptedEntry[]; added: number; renewed: number } {
  const entries = new Map(earlier.map((entry) => [findingKey(entry), entry]));
  let renewed = 0;
  for (const finding of findings) {
    const key = findingKey(finding);
    const entry = entries.get(key);
    if (entry !== undefined && !isExpired(entry, today)) continue;
    if (entry !== undefined) renewed++;
    const { rule, projectId, environmentId, subject, state } = finding;
    const place = environmentId === undefined ? { projectId } : { projectId, environmentId };
    entries.set(key, { rule, ...place, subject, state, ...acceptance });
  }
  const sorted = [...entries].sort(([one], [other]) => compareValues(one, other));
  return {
    entries: sorted.map(([, entry]) => entry),
    added: entries.size - earlier.length,
    renewed,
  };
}
