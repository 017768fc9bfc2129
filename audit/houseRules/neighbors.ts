import { displayList } from "../../provider/errors/displayText.js";
import type { AuditedEnvironment, AuditedProject } from "../rules/auditedProject.js";
import { subjectValue } from "../rules/subjectValue.js";

/** An environment that a rule compares with those of other projects. */
export interface Neighbor {
  readonly project: AuditedProject;
  readonly environment: AuditedEnvironment;
}

/** Names a neighbor, as a part of a subject or a message. */
export function nameOf({ project, environment }: Neighbor): string {
  return `${subjectValue(project.projectId)} ${subjectValue(environment.environmentId)}`;
}

const maxNamed = 5;

/** Lists the first names of neighbors. */
export function displayNames(names: readonly string[]): string {
  return displayList(names.slice(0, maxNamed)) + (names.length > maxNamed ? " and more" : "");
}
