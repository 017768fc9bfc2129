import { displayText } from "../../provider/errors/displayText.js";
import { type Acceptance, type AcceptedEntry, type ReportedFinding } from "./acceptance.js";
import { sentenceOf } from "../rules/finding.js";
import type { AuditReport, ReportedRule } from "./report.js";

/** Returns what the audit looked at and what it found, as sentences. */
export function summarySentence(report: AuditReport): string {
  return [
    countSentence(report),
    ...inaccessibleSentence(report),
    ...failingSentence(report),
    ...expirySentence(report),
    ...staleCountSentence(report),
    ...uncheckedSentence(report),
  ].join(" ");
}

function countSentence(report: AuditReport): string {
  const { clean, violated, unknown, accepted } = report.summary;
  const audited = `${scopeOf(report)} audited`;
  const acceptedCount = accepted === 0 ? [] : [`${accepted} accepted`];
  if (violated + unknown === 0) {
    return `${audited}: ${["no findings", ...acceptedCount].join(", ")}.`;
  }
  const counts = [
    `${violated} violated`,
    ...(unknown === 0 ? [] : [`${unknown} unknown`]),
    ...acceptedCount,
  ];
  return `${audited}, ${clean} without findings: ${counts.join(", ")}.`;
}

/** Returns for instance `2 of 50 projects with name*=shop`. */
function scopeOf({ summary, scope }: Pick<AuditReport, "summary" | "scope">): string {
  if (scope.filters.length === 0) return countOf(summary.projects, "project");
  const filters = joined(scope.filters, "filter");
  return `${summary.projects} of ${countOf(scope.listedProjects, "project")} with ${filters}`;
}

function inaccessibleSentence({ projects }: AuditReport): string[] {
  const { length } = projects.filter(({ inaccessible }) => inaccessible !== undefined);
  return length === 0 ? [] : [`${countOf(length, "project")} could not be read.`];
}

function failingSentence({ summary, failOn }: AuditReport): string[] {
  const { violated, unknown, failing } = summary;
  if (failing === violated + unknown) return [];
  if (failing === 0) return [`No finding fails the audit, because --fail-on is ${failOn}.`];
  return [`${failing} of them fail the audit, because --fail-on is ${failOn}.`];
}

function expirySentence({ findings }: AuditReport): string[] {
  const days = findings.flatMap(({ expired }) => expired?.until ?? []).sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined) return [];
  const period = first === last ? first : `between ${first} and ${last}`;
  return [
    `The acceptance of ${countOf(days.length, "finding")} expired, the last day was ${period}.`,
  ];
}

function staleCountSentence({ staleAcceptances: { length } }: AuditReport): string[] {
  if (length === 0) return [];
  return [`${length} accepted ${length === 1 ? "entry matches" : "entries match"} no finding.`];
}

/** Says which rules checked nothing, because a green audit would hide it. */
function uncheckedSentence(report: AuditReport): string[] {
  const unchecked = report.rules.filter((rule) => checkedText(rule).startsWith("0 "));
  if (report.summary.projects === 0 || unchecked.length === 0) return [];
  return [
    `${joined(
      unchecked.map(({ name }) => name),
      "rule",
    )} checked nothing.`,
  ];
}

const maxJoined = 20;

/** Returns the first 20 texts, and how many more there are. */
function joined(texts: readonly string[], thing: string): string {
  const hidden = texts.length - maxJoined;
  return [
    ...texts.slice(0, maxJoined).map((text) => displayText(text, 200)),
    ...(hidden > 0 ? [countOf(hidden, `more ${thing}`)] : []),
  ].join(" and ");
}

/** Returns what is known about the acceptance of a finding. Empty if nobody accepted it. */
export function acceptanceSentence(finding: ReportedFinding): string[] {
  const { accepted, expired } = finding;
  if (accepted !== undefined) {
    const until = accepted.until === undefined ? "" : ` until ${accepted.until}`;
    return [`Accepted${until}: ${reasonOf(accepted)}`];
  }
  if (expired === undefined) return [];
  return [`The acceptance expired, its last day was ${expired.until}: ${reasonOf(expired)}`];
}

function reasonOf({ reason }: Acceptance): string {
  return displayText(reason, 500);
}

/** Returns a stale entry as a sentence, which says what to do. */
export function staleSentence(entry: AcceptedEntry): string {
  return `No finding matches the accepted entry for ${placeOfEntry(entry)}. Remove the entry.`;
}

/** Returns everything about a finding: its place, its problem, the remedy, its subject and its acceptance. */
export function findingSentence(finding: ReportedFinding): string {
  return [sentenceOf(finding), ...subjectSentence(finding), ...acceptanceSentence(finding)].join(
    " ",
  );
}

/** Returns what a rule checked, for instance `24 environments`. */
export function checkedText({ checked }: ReportedRule): string {
  return "environments" in checked
    ? countOf(checked.environments, "environment")
    : countOf(checked.projects, "project");
}

/** Returns the subject of a finding. Empty if it is the message. */
export function subjectSentence({ subject, message }: ReportedFinding): string[] {
  return subject === message ? [] : [`Subject: ${subject}.`];
}

/** Returns which finding an entry accepts. */
export function placeOfEntry(entry: AcceptedEntry): string {
  const { rule, projectId, environmentId, subject, state } = entry;
  return [
    `rule ${displayText(rule)}`,
    `project ${displayText(projectId)}`,
    ...(environmentId === undefined ? [] : [`environment ${displayText(environmentId)}`]),
    `subject "${displayText(subject, 200)}"`,
    `state ${state}`,
  ].join(", ");
}

/** Returns for instance `1 project` or `2 projects`. */
export function countOf(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
