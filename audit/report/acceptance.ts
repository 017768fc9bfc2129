import type { Finding } from "../rules/finding.js";
import type { FindingState } from "../rules/problem.js";

/** An entry of the file with accepted findings. It names one finding exactly, without wildcards. */
export interface AcceptedEntry extends Acceptance {
  /** Name of the rule. */
  readonly rule: string;
  readonly projectId: string;
  /** Missing if the finding is about the project as a whole. */
  readonly environmentId?: string;
  /** An entry for one state does not cover a finding in the other state. */
  readonly state: FindingState;
}

/** Why somebody accepted a finding. */
export interface Acceptance {
  readonly reason: string;
  /** The last day of the acceptance, in UTC, as `YYYY-MM-DD`. Missing if it has no end. */
  readonly until?: string;
  readonly acceptedBy?: string;
}

/** A finding with what is known about its acceptance. */
export interface ReportedFinding extends Finding {
  /** Present if somebody accepted the finding, and the acceptance has not expired. */
  readonly accepted?: Acceptance;
  /** Present if somebody accepted the finding, but the acceptance has expired. */
  readonly expired?: Acceptance;
}

/** Returns a key for the finding that an entry accepts. */
export function acceptanceKey({
  rule,
  projectId,
  environmentId,
  state,
}: Pick<Finding, "rule" | "projectId" | "environmentId" | "state">): string {
  return JSON.stringify([rule, projectId, environmentId ?? null, state]);
}

/** Returns the day of a time, in UTC, as `YYYY-MM-DD`. */
export function dayOf(isoTime: string): string {
  return isoTime.slice(0, 10);
}

/** Whether an acceptance has ended. Its last day still counts. */
export function isExpired({ until }: Acceptance, today: string): boolean {
  return until !== undefined && until < today;
}

/** Findings with their acceptances, and the entries that match none of them. */
interface AppliedEntries {
  readonly findings: readonly ReportedFinding[];
  readonly unmatched: readonly AcceptedEntry[];
}

/** Adds to each finding what the entries say about it. */
export function applyEntries(
  findings: readonly Finding[],
  entries: readonly AcceptedEntry[],
  today: string,
): AppliedEntries {
  if (entries.length === 0) return { findings, unmatched: [] };
  const byKey = new Map(entries.map((entry) => [acceptanceKey(entry), entry]));
  const unmatched = new Set(entries);
  const applied = findings.map((finding): ReportedFinding => {
    const entry = byKey.get(acceptanceKey(finding));
    if (entry === undefined) return finding;
    unmatched.delete(entry);
    const { reason, until, acceptedBy } = entry;
    const acceptance: Acceptance = {
      reason,
      ...(until === undefined ? {} : { until }),
      ...(acceptedBy === undefined ? {} : { acceptedBy }),
    };
    return isExpired(entry, today)
      ? { ...finding, expired: acceptance }
      : { ...finding, accepted: acceptance };
  });
  return { findings: applied, unmatched: [...unmatched] };
}

/** The accepted entries after all present findings were accepted. */
export interface UpdatedEntries {
  /** All entries, sorted by rule, project, environment and state. */
  readonly entries: readonly AcceptedEntry[];
  /** The new entries for findings that had none. */
  readonly added: readonly AcceptedEntry[];
  /** The new form of entries that had expired, or that were for the other state of the finding. */
  readonly renewed: readonly AcceptedEntry[];
  /** The entries that did not change. */
  readonly kept: readonly AcceptedEntry[];
}

/**
 * Accepts all findings. An entry that covers a finding stays, and so does an entry that matches no
 * finding. A finding that no entry covers renews the entry at its place, or gets a new one.
 */
export function acceptAll(
  findings: readonly Finding[],
  entries: readonly AcceptedEntry[],
  acceptance: Acceptance,
  today: string,
): UpdatedEntries {
  const kept = new Map(entries.map((entry) => [acceptanceKey(entry), entry]));
  const added: AcceptedEntry[] = [];
  const renewed: AcceptedEntry[] = [];
  for (const finding of findings) {
    const { rule, projectId, environmentId, state } = finding;
    const own = kept.get(acceptanceKey(finding));
    if (own !== undefined && !isExpired(own, today)) continue;
    const otherState = state === "violated" ? "unknown" : "violated";
    const former = own ?? kept.get(acceptanceKey({ ...finding, state: otherState }));
    const entry: AcceptedEntry = {
      rule,
      projectId,
      ...(environmentId === undefined ? {} : { environmentId }),
      state,
      ...acceptance,
    };
    if (former === undefined) added.push(entry);
    else {
      kept.delete(acceptanceKey(former));
      renewed.push(entry);
    }
  }
  return {
    entries: [...kept.values(), ...added, ...renewed].sort(compareEntries),
    added,
    renewed,
    kept: [...kept.values()],
  };
}

function compareEntries(one: AcceptedEntry, other: AcceptedEntry): number {
  const fieldsOf = ({ rule, projectId, environmentId = "", state }: AcceptedEntry) => [
    rule,
    projectId,
    environmentId,
    state,
  ];
  const others = fieldsOf(other);
  for (const [index, field] of fieldsOf(one).entries()) {
    const otherField = others[index] ?? "";
    if (field !== otherField) return field < otherField ? -1 : 1;
  }
  return 0;
}
