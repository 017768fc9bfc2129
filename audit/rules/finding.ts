import { hash } from "node:crypto";
import { displayText } from "../../provider/errors/displayText.js";

/**
 * One problem that a rule finds in a project or in one of its environments. Contains no credentials.
 *
 * Rule, project, environment, subject and state identify a finding.
 */
export interface Finding {
  /** Name of the rule. */
  readonly rule: string;
  /** `violated`, or `undecided` if the rule cannot decide. */
  readonly state: FindingState;
  /** The level of the rule. One step lower if the state is `undecided`; `note` stays `note`. */
  readonly level: Level;
  /** Id of the project. */
  readonly projectId: string;
  /** Name of the project. */
  readonly projectName: string;
  /** Missing if the finding is about the project as a whole. */
  readonly environmentId?: string | undefined;
  /** Names the thing that the finding is about, such as `database shop_live`. */
  readonly subject: string;
  /** The problem, in complete sentences, without the names of project, environment and rule. */
  readonly message: string;
  /** How to solve the problem. */
  readonly remedy: string;
}

/** Whether the project breaks the rule, or the rule cannot decide. */
export type FindingState = "violated" | "undecided";

/** How serious a rule and its findings are, from the most serious to the least. */
export const levels = ["error", "warning", "note"] as const;

/** How serious a rule or a finding is. */
export type Level = (typeof levels)[number];

/** What identifies a finding. */
export type FindingIdentity = Pick<
  Finding,
  "rule" | "projectId" | "environmentId" | "subject" | "state"
>;

/** Returns a text that is the same for equal findings. */
export function findingKey(finding: FindingIdentity): string {
  const { rule, projectId, environmentId, subject, state } = finding;
  return JSON.stringify([rule, projectId, environmentId ?? null, subject, state]);
}

const maxSubjectLength = 300;

/**
 * Makes text of the service safe to show, like displayText, but different texts stay different: otherwise
 * the acceptance of one finding would cover another. Of a long text it shows the start and a hash.
 */
export function uniqueText(subject: string): string {
  const text = displayText(subject.replaceAll("\\", "\\\\"), Infinity);
  if (text.length <= maxSubjectLength) return text;
  return `${text.slice(0, maxSubjectLength)}… (SHA-256 ${hash("sha256", subject)})`;
}

/**
 * Returns a value of the service as a part of a subject: as it is if it is one plain word, else in quotes.
 * So subjects of several values differ if the values do.
 */
export function subjectValue(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return "(none)";
  return /^[\w./:%*@+-]+$/.test(`${value}`) ? `${value}` : JSON.stringify(value);
}

/** Returns a finding as sentences: the place, the rule, the problem and the remedy. */
export function formatFinding(finding: Finding): string {
  return `${placeOf(finding)}, rule ${finding.rule}: ${finding.message} ${finding.remedy}`;
}

/** Returns the project and the environment of a finding as text that is safe in a message. */
export function placeOf({
  projectName,
  projectId,
  environmentId,
}: Pick<Finding, "projectName" | "projectId" | "environmentId">): string {
  const project = `Project ${displayText(projectName)} (${displayText(projectId)})`;
  return environmentId === undefined
    ? project
    : `${project}, environment ${displayText(environmentId)}`;
}
