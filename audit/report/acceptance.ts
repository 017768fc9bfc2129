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
  readonly until?: string;
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

/** Whether an acceptance has ended. Its last day still counts. */
export function isExpired({ until }: Acceptance, today: string): boolean {
  return until !== undefined && until < today;
}

/** Adds to each finding what the entries say about it. Returns also the entries that match none. */
export function applyEntries(
  findings: readonly Finding[],
  entries: readonly AcceptedEntry[],
  today: string,
): { findings: ReportedFinding[]; unmatched: AcceptedEntry[] } {
  const byKey = new Map(entries.map((entry) => [findingKey(entry), entry]));
  const applied = findings.map((finding): ReportedFinding => {
    const entry = byKey.get(findingKey(finding));
    if (entry === undefined) return finding;
    const { reason, until } = entry;
    const acceptance = { reason, ...(until === undefined ? {} : { until }) };
    return { ...finding, [isExpired(entry, today) ? "expired" : "accepted"]: acceptance };
  });
  const matched = new Set(findings.map(findingKey));
  const unmatched = entries.filter((entry) => !matched.has(findingKey(entry)));
  return { findings: applied, unmatched };
}

/** The accepted entries after all present findings were accepted. */
export interface UpdatedEntries {
  /** All entries, sorted by rule, project, environment, subject and state. */
  readonly entries: readonly AcceptedEntry[];
  /** The new entries for findings that had none. */
  readonly added: readonly AcceptedEntry[];
  /** The new form of entries that had expired. */
  readonly renewed: readonly AcceptedEntry[];
  /** The entries that did not change. */
  readonly kept: readonly AcceptedEntry[];
}

/**
 * Accepts all findings. A finding without an entry gets one, and an entry that has expired is renewed.
 * All other entries stay as they are, also those that match no finding.
 */
export function acceptAll(
  findings: readonly Finding[],
  entries: readonly AcceptedEntry[],
  acceptance: Acceptance,
  today: string,
): UpdatedEntries {
  const known = new Map(entries.map((entry) => [findingKey(entry), entry]));
  const accepted = findings
    .filter((finding) => {
      const entry = known.get(findingKey(finding));
      return entry === undefined || isExpired(entry, today);
    })
    .map(({ rule, projectId, environmentId, subject, state }): AcceptedEntry => {
      const place = environmentId === undefined ? { projectId } : { projectId, environmentId };
      return { rule, ...place, subject, state, ...acceptance };
    });
  const keys = new Set(accepted.map(findingKey));
  const kept = entries.filter((entry) => !keys.has(findingKey(entry)));
  return {
    entries: [...kept, ...accepted].sort(compareEntries),
    added: accepted.filter((entry) => !known.has(findingKey(entry))),
    renewed: accepted.filter((entry) => known.has(findingKey(entry))),
    kept,
  };
}

function compareEntries(one: AcceptedEntry, other: AcceptedEntry): number {
  for (const key of ["rule", "projectId", "environmentId", "subject", "state"] as const) {
    const order = compareValues(one[key] ?? "", other[key] ?? "");
    if (order !== 0) return order;
  }
  return 0;
}
