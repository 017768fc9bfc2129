import { shown } from "../provider/shown.js";

/** What a rule has against a project, or against one environment of it. Holds no credential. */
export interface Finding {
  /** Name of the rule. */
  readonly rule: string;
  /** `violated`, or `unknown` where the service does not say what the rule has to know. */
  readonly state: FindingState;
  readonly projectId: string;
  /** Name of the project. */
  readonly projectName: string;
  /** Left out where the finding is about the project as a whole. */
  readonly environmentId?: string;
  /** What is wrong, in full sentences, without the names of project, environment and rule. */
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string;
}

export type FindingState = "violated" | "unknown";

/** A finding in one sentence after the other: where, by which rule, what is wrong, what to do. */
export function sentenceOf(finding: Finding): string {
  return `${placeOf(finding)}, rule ${finding.rule}: ${finding.message} ${finding.remedy}`;
}

/** Project and environment of a finding, as they may stand in a message. */
export function placeOf({ projectName, projectId, environmentId }: Finding): string {
  const project = `Project ${shown(projectName)} (${shown(projectId)})`;
  return environmentId === undefined ? project : `${project}, environment ${shown(environmentId)}`;
}
