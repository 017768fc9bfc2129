import { displayText } from "../../provider/errors/displayText.js";

/** A problem that a rule finds in a project or in one of its environments. Contains no credentials. */
export interface Finding {
  /** Name of the rule. */
  readonly rule: string;
  /** `violated`, or `unknown` if the service omits a field that the rule needs. */
  readonly state: FindingState;
  /** The severity of the rule. One step lower if the state is `unknown`; `note` stays `note`. */
  readonly level: Level;
  /** Id of the project. */
  readonly projectId: string;
  /** Name of the project. */
  readonly projectName: string;
  /** Missing if the finding is about the project as a whole. */
  readonly environmentId?: string;
  /** The problem, in complete sentences, without the names of project, environment and rule. */
  readonly message: string;
  /** How to solve the problem. */
  readonly remedy: string;
}

/** How serious a rule and its findings are, from the most serious to the least. */
export const levels = ["error", "warning", "note"] as const;

/** How serious a rule or a finding is. */
export type Level = (typeof levels)[number];

/** Whether the project breaks the rule, or the rule cannot decide. */
export type FindingState = "violated" | "unknown";

/** Returns a finding as sentences: the place, the rule, the problem and the remedy. */
export function sentenceOf(finding: Finding): string {
  return `${placeOf(finding)}, rule ${finding.rule}: ${finding.message} ${finding.remedy}`;
}

/** Returns the project and the environment of a finding as text that is safe in a message. */
export function placeOf({ projectName, projectId, environmentId }: Finding): string {
  const project = `Project ${displayText(projectName)} (${displayText(projectId)})`;
  return environmentId === undefined
    ? project
    : `${project}, environment ${displayText(environmentId)}`;
}
