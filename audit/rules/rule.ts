import {
  type AuditedEnvironment,
  type AuditedProject,
  type IdentifiedProject,
  identifiedProject,
} from "./auditedProject.js";
import type { Finding, FindingState } from "./finding.js";

/** A house rule with its options. */
export interface Rule {
  /** For example `restricted-databases`. */
  readonly name: string;
  /** The requirement, as a sentence. */
  readonly description: string;
  /** Why the rule exists. */
  readonly reason: string;
  /** How to solve the problem if a project violates the rule. */
  readonly remedy: string;
  /** True for a rule about the records in a stack's state. Such a rule cannot check the service itself. */
  readonly snapshotsOnly: boolean;
  /**
   * Checks a project. Returns at most one finding for each environment, and one for the project as a
   * whole.
   *
   * @throws ProjectServiceError `ARGUMENT_INVALID` if the object is not a project.
   */
  readonly check: (project: AuditedProject) => Finding[];
}

/** A problem in a project or an environment, or a check that the rule cannot decide. */
export interface Problem {
  readonly state: FindingState;
  /** Complete sentences. Text of the service in it must come from `displayText` or `displayList`. */
  readonly message: string;
}

/** Returns the problem of a project or an environment that violates the rule. */
export const violated = (message: string): Problem => ({ state: "violated", message });

/** Returns the problem of a rule that cannot decide, because the service omits a field. */
export const indeterminate = (message: string): Problem => ({ state: "unknown", message });

interface RuleDefinition {
  readonly name: string;
  readonly description: string;
  readonly reason: string;
  readonly remedy: string;
  readonly snapshotsOnly?: boolean;
  /** Returns the problems of the project as a whole. */
  readonly checkProject?: (project: IdentifiedProject) => Problem[];
  /** Returns the problems of one environment. */
  readonly checkEnvironment?: (
    environment: AuditedEnvironment,
    project: IdentifiedProject,
  ) => Problem[];
}

/** Creates a rule from its texts and its checks. */
export function defineRule(definition: RuleDefinition): Rule {
  const { name, description, reason, remedy, snapshotsOnly = false } = definition;
  const { checkProject = () => [], checkEnvironment = () => [] } = definition;

  /** Merges the problems of one place into one finding, so that each place has one finding per rule. */
  function findingOf(
    project: IdentifiedProject,
    problems: readonly Problem[],
    environmentId?: string,
  ): Finding[] {
    if (problems.length === 0) return [];
    const isViolated = problems.some(({ state }) => state === "violated");
    return [
      {
        rule: name,
        state: isViolated ? "violated" : "unknown",
        projectId: project.projectId,
        projectName: project.name,
        ...(environmentId === undefined ? {} : { environmentId }),
        message: problems.map(({ message }) => message).join(" "),
        remedy: isViolated
          ? remedy
          : `Look it up in the Project Service. The rule requires: ${description}`,
      },
    ];
  }

  function check(audited: AuditedProject): Finding[] {
    const project = identifiedProject(audited);
    return [
      ...findingOf(project, checkProject(project)),
      ...project.environments.flatMap((environment) =>
        findingOf(project, checkEnvironment(environment, project), environment.environmentId),
      ),
    ];
  }

  return Object.freeze({ name, description, reason, remedy, snapshotsOnly, check });
}
