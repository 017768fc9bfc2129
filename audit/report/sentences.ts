import {
  displayCount,
  displayList,
  displayNumber,
  displayShare,
  displayText,
} from "../../provider/errors/displayText.js";
import { formatFinding } from "../rules/finding.js";
import { type Acceptance, type AcceptedEntry, noticeDays } from "./acceptance.js";
import type { AuditReport, ReportedFinding, ReportedRule } from "./auditReport.js";
import { isIdle } from "./runAudit.js";

export function auditSummary(report: AuditReport): string {
  const { projects, rules, findings, staleAcceptances } = report;
  const unread = projects.filter(({ inaccessible }) => inaccessible !== undefined).length;
  const expired = findings.filter((finding) => finding.expired !== undefined).length;
  const stale = staleAcceptances.length;
  // A green audit would hide it.
  const idle = rules.filter((rule) => isIdle(rule, findings));
  return [
    countSentence(report),
    unread > 0 && `${displayCount(unread, "project")} could not be read.`,
    failingSentence(report),
    expired > 0 && `The acceptance of ${displayCount(expired, "finding")} has expired.`,
    expiringSentence(report),
    stale > 0 &&
      `${displayNumber(stale)} accepted ${stale === 1 ? "entry matches" : "entries match"} no finding.`,
    ...idle.map(({ name }) => `${name} checked nothing.`),
  ]
    .filter(Boolean)
    .join(" ");
}

/** Returns for instance `2 of 50 projects (with name*=shop) audited, 1 without findings. Findings: 3 violated.` */
function countSentence({ summary, scope }: AuditReport): string {
  const { projects, projectStates, violated, undecided, accepted } = summary;
  const conditions = [
    scope.filters.length > 0 && `with ${displayList(scope.filters)}`,
    scope.exclude.length > 0 && `without ${displayList(scope.exclude)}`,
  ].filter(Boolean);
  const audited =
    conditions.length === 0
      ? displayCount(projects, "project")
      : `${displayShare(projects, scope.listedProjects, "project")} (${conditions.join(" ")})`;
  const isClean = violated + undecided === 0;
  const counts = [
    isClean ? `no ${accepted > 0 ? "open " : ""}findings` : `${displayNumber(violated)} violated`,
    undecided > 0 && `${displayNumber(undecided)} undecided`,
    accepted > 0 && `${displayNumber(accepted)} accepted`,
  ].filter(Boolean);
  // Accepted findings are debt, not health.
  const debt =
    projectStates.accepted > 0
      ? `, ${displayNumber(projectStates.accepted)} with accepted findings only`
      : "";
  const ofProjects = isClean
    ? ": "
    : `, ${displayNumber(projectStates.clean)} without findings${debt}. Findings: `;
  return `${audited} audited${ofProjects}${counts.join(", ")}.`;
}

function failingSentence({ summary, failOn }: AuditReport): string | undefined {
  const { violated, undecided, failing } = summary;
  if (failing === violated + undecided) return undefined;
  const subject =
    failing === 0
      ? "No finding fails"
      : `${displayNumber(failing)} of them ${failing === 1 ? "fails" : "fail"}`;
  return `${subject} the audit, because --fail-on is ${failOn}.`;
}

/** Returns for instance `2 acceptances expire within 14 days, the first after 2026-03-09 (owners: retail).` */
function expiringSentence({ expiringAcceptances: entries }: AuditReport): string | undefined {
  const [first] = entries;
  if (first === undefined) return undefined;
  const verb = entries.length === 1 ? "expires" : "expire";
  const text = `${displayCount(entries.length, "acceptance")} ${verb} within ${noticeDays} days, ${entries.length === 1 ? "" : "the first "}after ${first.until}`;
  const owners = [...new Set(entries.flatMap(({ owner }) => owner ?? []))].sort();
  return owners.length === 0 ? `${text}.` : `${text} (owners: ${displayList(owners, 5)}).`;
}

/** Returns everything about a finding: its place, its problem, the remedy, its subject and its acceptance. */
export function findingSentence(finding: ReportedFinding): string {
  return [formatFinding(finding), ...extraSentences(finding)].join(" ");
}

/** Returns the subject of a finding, unless the message shows it, and what is known about its acceptance. */
export function extraSentences({ subject, message, accepted, expired }: ReportedFinding): string[] {
  const until = accepted?.until === undefined ? "" : ` until ${accepted.until}`;
  const explain = ({ owner, reason }: Acceptance) =>
    `${owner === undefined ? "" : ` (owner: ${displayText(owner)})`}: ${displayText(reason, 500)}`;
  return [
    !message.includes(subject) && `Subject: ${subject}.`,
    accepted && `Accepted${until}${explain(accepted)}`,
    expired && `The acceptance expired after ${expired.until}${explain(expired)}`,
  ].filter((sentence) => typeof sentence === "string");
}

export function staleSentence(entry: AcceptedEntry): string {
  const { rule, projectId, environmentId = "", subject, reason } = entry;
  const place = displayList([rule, projectId, environmentId, subject].filter(Boolean), 4, 200);
  return `No finding matches the accepted entry ${place}. Its reason: ${displayText(reason, 500)}`;
}

/** Returns what a rule checked, for instance `24 environments`. */
export function coverage({ checked }: ReportedRule): string {
  return "projects" in checked
    ? displayCount(checked.projects, "project")
    : displayCount(checked.environments, "environment");
}
