import {
  type AuditedEnvironment,
  type AuditedProject,
  type NamedProject,
  namedProject,
} from "./auditedProject.js";
import type { Finding, FindingState } from "./finding.js";

/** One house rule, with its options settled. */
export interface Rule {
  /** For example `restricted-databases`. */
  readonly name: string;
  /** What has to hold, in a sentence. */
  readonly description: string;
  /** Why it has to. */
  readonly reason: string;
  /** What to do where it does not. */
  readonly remedy: string;
  /** True for a rule about what a stack records: it has nothing to say about the service itself. */
  readonly snapshotsOnly: boolean;
  /**
   * Checks a project: at most one finding for each environment, and one for the project as a whole.
   *
   * @throws ProjectServiceError `ARGUMENT_INVALID` for what is no project.
   */
  readonly check: (project: AuditedProject) => Finding[];
}

/** Something that is wrong, or not known, in an environment or a project. */
export interface Problem {
  readonly state: FindingState;
  /** In full sentences. Texts of the service in it went through `shown`. */
  readonly message: string;
}

export const violated = (message: string): Problem => ({ state: "violated", message });
export const unknown = (message: string): Problem => ({ state: "unknown", message });

interface RuleDefinition {
  readonly name: string;
  readonly description: string;
  readonly reason: string;
  readonly remedy: string;
  readonly snapshotsOnly?: boolean;
  /** Problems of the project as a whole. */
  readonly ofProject?: (project: NamedProject) => Problem[];
  /** Problems of one environment. */
  readonly ofEnvironment?: (environment: AuditedEnvironment, project: NamedProject) => Problem[];
}

/** Makes a rule of what it looks for. */
export function defineRule(definition: RuleDefinition): Rule {
  const { name, description, reason, remedy, snapshotsOnly = false } = definition;
  const { ofProject = () => [], ofEnvironment = () => [] } = definition;

  function finding(project: NamedProject, problems: Problem[], environmentId?: string): Finding[] {
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
          : `Look it up in the Project Service. What has to hold: ${description}`,
      },
    ];
  }

  function check(audited: AuditedProject): Finding[] {
    const project = namedProject(audited);
    return [
      ...finding(project, ofProject(project)),
      ...project.environments.flatMap((environment) =>
        finding(project, ofEnvironment(environment, project), environment.environmentId),
      ),
    ];
  }

  return Object.freeze({ name, description, reason, remedy, snapshotsOnly, check });
}
