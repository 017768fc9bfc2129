import { displayText } from "../../provider/errors/displayText.js";
import type { CheckedProject } from "./checkedProject.js";
import type { FindingState, Problem } from "./problem.js";

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

/**
 * Makes the finding about a place from the problems that a rule has found there: one for all, so that
 * each place has one finding per rule.
 *
 * @param problems not empty.
 */
export function createFinding(
  { name, severity, description, remedy }: RuleOfFinding,
  { projectId, name: projectName }: CheckedProject,
  problems: readonly Problem[],
  environmentId?: string,
): Finding {
  const isViolated = problems.some(({ state }) => state === "violated");
  return {
    rule: name,
    state: isViolated ? "violated" : "unknown",
    level: isViolated ? severity : oneLower(severity),
    projectId,
    projectName,
    ...(environmentId === undefined ? {} : { environmentId }),
    message: problems.map(({ message }) => displayText(message, maxMessageLength)).join(" "),
    remedy: isViolated
      ? remedy
      : `Look it up in the Project Service. The rule requires: ${description}`,
  };
}

/** What a finding takes from its rule. */
interface RuleOfFinding {
  readonly name: string;
  readonly severity: Level;
  readonly description: string;
  readonly remedy: string;
}

/** Enough for the longest message of a house rule. */
const maxMessageLength = 10_000;

function oneLower(severity: Level): Level {
  return severity === "error" ? "warning" : "note";
}

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
