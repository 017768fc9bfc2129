import { argumentInvalid } from "../../provider/errors/argumentInvalid.js";
import { displayText } from "../../provider/errors/displayText.js";
import type { ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import type { AuditedEnvironment, AuditedProject } from "./auditedProject.js";
import { type CheckedProject, checkedProject } from "./checkedProject.js";
import {
  createFinding,
  type Finding,
  type Level,
  type RuleOfFinding,
  withUniqueSubjects,
} from "./finding.js";
import { indeterminate, type Problem } from "./problem.js";
import { checkOptions, type OptionsSchema } from "./ruleOptions.js";

/** A rule that projects have to follow. */
export interface Rule {
  /** For example `restricted-databases`. */
  readonly name: string;
  /** The level of a finding that violates the rule. */
  readonly severity: Level;
  /** The requirement, as a sentence. */
  readonly description: string;
  /** Why the rule exists. */
  readonly reason: string;
  /** How to solve the problem if a project violates the rule. */
  readonly remedy: string;
  /** The places that the rule checks, and that can have findings. */
  readonly checks: readonly CheckedPlace[];
  /** Whether the rule also compares projects with each other, which only an audit can do. */
  readonly comparesProjects: boolean;
  /** True for a rule about the records in a stack's state. Such a rule cannot check the service itself. */
  readonly snapshotsOnly: boolean;
  /** The options of the rule, for the `configSchema` of a Pulumi policy. */
  readonly optionsSchema: OptionsSchema;
  /**
   * Returns the rule with other options. Options that are not given, or undefined, stay as they are. So
   * do the name and the severity of a rule that was spread to change them.
   *
   * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
   */
  readonly withOptions: (options: object) => Rule;
  /**
   * Checks a project. Returns a finding for each problem. Does not compare it with other projects.
   *
   * @throws ProjectServiceError `ARGUMENT_INVALID` if the object is not a project, or if the rule fails.
   */
  readonly check: (project: AuditedProject) => Finding[];
  /**
   * Checks several projects, each of them alone and all of them together. Returns the findings in the
   * order of the projects.
   *
   * @throws ProjectServiceError as {@link check}.
   */
  readonly checkAll: (projects: readonly AuditedProject[]) => Finding[];
}

/** Whether a rule checks the project as a whole, each of its environments, or both. */
export type CheckedPlace = "project" | "environments";

/** The texts of a rule, and its checks. */
export interface RuleDefinition {
  /** Lowercase words with hyphens, for example `restricted-databases`. */
  readonly name: string;
  /** The level of a finding that violates the rule. Default `error`. */
  readonly severity?: Level | undefined;
  /** The requirement, as a sentence. */
  readonly description: string;
  /** Why the rule exists. */
  readonly reason: string;
  /** How to solve the problem if a project violates the rule. */
  readonly remedy: string;
  /** Returns the problems of the project as a whole. The list is empty if there are none. */
  readonly checkProject?: ((project: CheckedProject) => readonly Problem[]) | undefined;
  /** Returns the problems of one environment. The list is empty if there are none. */
  readonly checkEnvironment?:
    ((environment: AuditedEnvironment, project: CheckedProject) => readonly Problem[]) | undefined;
  /**
   * Returns the problems that show only if projects are compared, each with its `projectId`. Gets all
   * projects of an audit at once. `checkProject` and policy packs see one project at a time, and leave
   * this check out.
   */
  readonly checkProjects?:
    ((projects: readonly CheckedProject[]) => readonly Problem[]) | undefined;
}

/** Where `checkAll` names the `check` of its rule. A rules file may use another copy of this package. */
const checkKey = Symbol.for("pulumi-project-service.check");

type CheckAll = Rule["checkAll"] & { readonly [checkKey]: Rule["check"] };

/** Creates a rule without options of a definition that is known to be correct. Others need `defineRule`. */
export function createRule(definition: RuleDefinition, snapshotsOnly = false): Rule {
  const { name, severity = "error", description, reason, remedy } = definition;
  const { checkProject, checkEnvironment, checkProjects } = definition;

  // Name, severity and texts come from `this`: a user may spread a rule to change them.
  function check(this: unknown, audited: AuditedProject): Finding[] {
    return withUniqueSubjects(findingsIn(isRule(this) ? this : rule, audited));
  }

  function checkAll(this: unknown, audited: readonly AuditedProject[]): Finding[] {
    const owner = isRule(this) ? this : rule;
    const projects = audited.map(checkedProject);
    const findings = projects.map((project) => findingsIn(owner, project));
    const indexes = new Map(projects.map(({ projectId }, index) => [projectId, index]));
    for (const finding of findingsTogether(owner, projects)) {
      findings[indexes.get(finding.projectId) as number]?.push(finding);
    }
    return withUniqueSubjects(findings.flat());
  }

  function findingsIn(owner: RuleOfFinding, audited: AuditedProject): Finding[] {
    const project = checkedProject(audited);
    const problemsOf = (runCheck: () => unknown, environmentId?: string): Finding[] =>
      run(owner.name, `project ${displayText(project.projectId)}`, runCheck, false).map((problem) =>
        createFinding(owner, project, problem, environmentId),
      );
    if (checkProject === undefined && checkEnvironment === undefined) return [];
    // Nothing of the project is known, except that no credentials of it are recorded.
    if (project.inaccessible !== undefined && !snapshotsOnly) {
      const code = displayText(project.inaccessible);
      const problem = `The project could not be read when it was recorded (${code}).`;
      return problemsOf(() => [indeterminate(problem, { subject: `inaccessible, ${code}` })]);
    }
    return [
      ...(checkProject === undefined ? [] : problemsOf(() => checkProject(project))),
      ...(checkEnvironment === undefined
        ? []
        : project.environments.flatMap((environment) =>
            problemsOf(() => checkEnvironment(environment, project), environment.environmentId),
          )),
    ];
  }

  function findingsTogether(owner: RuleOfFinding, projects: readonly CheckedProject[]): Finding[] {
    if (checkProjects === undefined) return [];
    const readable = Object.freeze(
      projects.filter(({ inaccessible }) => inaccessible === undefined),
    );
    const byId = new Map(readable.map((project) => [project.projectId, project]));
    return run(owner.name, "all projects", () => checkProjects(readable), true).map((problem) => {
      const project = byId.get(problem.projectId ?? "");
      if (project !== undefined) {
        return createFinding(owner, project, problem, problem.environmentId);
      }
      throw ruleFailed(
        owner.name,
        "all projects",
        "checkProjects returned a problem without the projectId of a project. Return violated(message, { projectId, subject }).",
      );
    });
  }

  const rule: Rule = Object.freeze({
    name,
    severity,
    description,
    reason,
    remedy,
    checks: Object.freeze([
      ...(checkProject === undefined && checkProjects === undefined ? [] : (["project"] as const)),
      ...(checkEnvironment === undefined && checkProjects === undefined
        ? []
        : (["environments"] as const)),
    ]),
    comparesProjects: checkProjects !== undefined,
    snapshotsOnly,
    optionsSchema: { properties: {} },
    withOptions(this: unknown, options: object) {
      checkOptions(name, options, []);
      return isRule(this) ? (this as Rule) : rule;
    },
    check,
    checkAll: Object.assign(checkAll, { [checkKey]: check }),
  });
  return rule;
}

/** Whether a value is a rule with the checks that {@link createRule} gave it. Its texts may be wrong. */
export function hasChecks(value: unknown): value is Rule {
  const { check, checkAll } = (value ?? {}) as Partial<Rule>;
  return (
    check !== undefined && (checkAll as Partial<CheckAll> | null | undefined)?.[checkKey] === check
  );
}

/** Whether a value is a rule, perhaps a spread one. */
export function isRule(value: unknown): value is RuleOfFinding {
  const { name, remedy } = (value ?? {}) as Partial<RuleOfFinding>;
  return typeof name === "string" && typeof remedy === "string";
}

/** Runs a check. Its errors name the rule and the place. */
function run(
  rule: string,
  place: string,
  runCheck: () => unknown,
  mayNamePlaces: boolean,
): readonly Problem[] {
  let problems: unknown;
  try {
    problems = runCheck();
  } catch (error) {
    throw ruleFailed(rule, place, `it threw ${describe(error)}. Correct the rule.`);
  }
  if (!Array.isArray(problems) || !problems.every(isProblem)) {
    throw ruleFailed(
      rule,
      place,
      "its check returned no list of problems. Return a list of violated(message) and indeterminate(message), or an empty list. A check must not be async.",
    );
  }
  if (!mayNamePlaces && problems.some((problem) => problem.projectId ?? problem.environmentId)) {
    throw ruleFailed(
      rule,
      place,
      "only checkProjects may return problems with a projectId or an environmentId.",
    );
  }
  return problems;
}

function isProblem(value: unknown): value is Problem {
  const { state, message, ...options } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const { subject, projectId, environmentId } = options;
  return (
    (state === "violated" || state === "unknown") &&
    isText(message) &&
    [subject, projectId, environmentId].every((text) => text === undefined || isText(text))
  );
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return "a value that is not an Error";
  return displayText(`${error.name}: ${error.message}`, 300);
}

function ruleFailed(rule: string, place: string, problem: string): ProjectServiceError {
  return argumentInvalid(`The rule ${rule} failed for ${place}: ${problem}`);
}
