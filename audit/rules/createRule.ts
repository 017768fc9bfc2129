import {
  argumentInvalid,
  checkKeys,
  type ProjectServiceError,
} from "../../provider/errors/projectServiceError.js";
import { displayText } from "../../provider/errors/displayText.js";
import { isRecorded, type ProjectFieldKey } from "../../provider/model/recordedFields.js";
import { type AuditedProject, auditedProject, type ProjectToCheck } from "./auditedProject.js";
import { createFinding, type Finding, type RuleTexts, withUniqueSubjects } from "./finding.js";
import { indeterminate, type Problem } from "./problem.js";
import type { Rule, RuleDefinition } from "./rule.js";
import type { Selection } from "./ruleScope.js";

/** Where `checkAll` names the `check` of its rule. A rules file may use another copy of this package. */
const checkKey = Symbol.for("pulumi-project-service.check");

type CheckAll = Rule["checkAll"] & { readonly [checkKey]: Rule["check"] };

/** A definition of this package. Definitions of users need `defineRule`, which checks them. */
export interface KnownDefinition extends RuleDefinition {
  readonly snapshotsOnly?: boolean | undefined;
  /** The environments that the rule checks. Default: every environment. */
  readonly checkedEnvironments?: readonly string[] | undefined;
  /** Whether the rule checks a project. Default: it checks every project. */
  readonly select?: ((project: AuditedProject) => Selection) | undefined;
  /**
   * The fields without which the rule checks no project of a partial record. Default: the environments,
   * if the rule checks them.
   */
  readonly needs?: readonly ProjectFieldKey[] | undefined;
  /** The fields without which the rule can decide, but not about every project. Default: none. */
  readonly mayNeed?: readonly ProjectFieldKey[] | undefined;
}

const selectAll = (): Selection => ({ isSelected: true });

/** Creates a rule without options. */
export function createRule(definition: KnownDefinition): Rule {
  const { name, severity = "error", description, reason, remedy } = definition;
  const { checkProject, checkEnvironment, checkProjects, snapshotsOnly = false } = definition;
  const { checkedEnvironments, select = selectAll } = definition;
  const { needs = checkEnvironment ? ["environments"] : [], mayNeed = [] } = definition;

  // A user may spread a rule to change its texts, so a check takes them from the object that has it.
  function check(this: unknown, project: ProjectToCheck): Finding[] {
    return withUniqueSubjects(findingsIn(auditedProject(project), textsOf(this)));
  }

  function checkAll(this: unknown, projects: readonly ProjectToCheck[]): Finding[] {
    const texts = textsOf(this);
    const audited = projects.map(auditedProject);
    const findings = audited.map((project) => findingsIn(project, texts));
    const indexes = new Map(audited.map(({ projectId }, index) => [projectId, index]));
    for (const finding of findingsTogether(audited, texts)) {
      findings[indexes.get(finding.projectId) as number]?.push(finding);
    }
    return withUniqueSubjects(findings.flat());
  }

  /** Nothing is known of a project that could not be read, except that no credentials of it are recorded. */
  function isReadable({ inaccessible }: ProjectToCheck): boolean {
    return inaccessible === undefined || snapshotsOnly;
  }

  function isChecked(environmentId: string): boolean {
    return checkedEnvironments?.includes(environmentId) !== false;
  }

  function textsOf(owner: unknown): RuleTexts {
    return hasTexts(owner) ? owner : rule;
  }

  function findingsIn(project: AuditedProject, texts: RuleTexts): Finding[] {
    if (checkProject === undefined && checkEnvironment === undefined) return [];
    if (!isReadable(project)) {
      const code = displayText(project.inaccessible ?? "");
      const message = `The project could not be read when it was recorded (${code}).`;
      const problem = indeterminate(message, { subject: `inaccessible, ${code}` });
      return [createFinding(texts, project, problem)];
    }
    const lacking = unrecorded(project, needs);
    if (lacking.length > 0) {
      return project.partialRecord?.isFirst ? [notRecorded(texts, project, lacking)] : [];
    }
    const open = unrecorded(project, mayNeed);
    const place = `project ${displayText(project.projectId)}`;
    const findingsOf = (runCheck: () => unknown, environmentId?: string): Finding[] =>
      problemsOf(texts.name, place, runCheck).map((problem) => {
        if ((problem.projectId ?? problem.environmentId) === undefined) {
          return createFinding(texts, project, withAdvice(problem, open), environmentId);
        }
        const advice =
          "only checkProjects may return problems with a projectId or an environmentId.";
        throw ruleFailed(texts.name, place, advice);
      });
    const { isSelected, problem } = select(project);
    if (problem !== undefined) return findingsOf(() => [problem]);
    if (!isSelected) return [];
    const environments = project.environments.filter((each) => isChecked(each.environmentId));
    return [
      ...(checkProject === undefined ? [] : findingsOf(() => checkProject(project))),
      ...(checkEnvironment === undefined
        ? []
        : environments.flatMap((environment) =>
            findingsOf(() => checkEnvironment(environment, project), environment.environmentId),
          )),
    ];
  }

  function findingsTogether(projects: readonly AuditedProject[], texts: RuleTexts): Finding[] {
    if (checkProjects === undefined) return [];
    const compared = Object.freeze(
      projects.filter(
        (project) =>
          project.inaccessible === undefined &&
          unrecorded(project, needs).length === 0 &&
          select(project).isSelected,
      ),
    );
    const byId = new Map(compared.map((project) => [project.projectId, project]));
    const place = "all projects";
    return problemsOf(texts.name, place, () => checkProjects(compared)).flatMap((problem) => {
      const { projectId = "", environmentId } = problem;
      if (environmentId !== undefined && !isChecked(environmentId)) return [];
      const project = byId.get(projectId);
      if (project !== undefined) return [createFinding(texts, project, problem, environmentId)];
      const advice =
        "checkProjects returned a problem without the projectId of a project. Return violated(message, { projectId, subject }).";
      throw ruleFailed(texts.name, place, advice);
    });
  }

  const rule: Rule = Object.freeze({
    name,
    severity,
    description,
    reason,
    remedy,
    checks: Object.freeze([
      ...((checkProject ?? checkProjects) ? (["project"] as const) : []),
      ...((checkEnvironment ?? checkProjects) ? (["environments"] as const) : []),
    ]),
    checkedEnvironments,
    checksProject: (project: ProjectToCheck) =>
      isReadable(project) && select(auditedProject(project)).isSelected,
    comparesProjects: checkProjects !== undefined,
    snapshotsOnly,
    optionsSchema: { properties: {} },
    withOptions(this: unknown, options: object) {
      checkKeys(`The options of ${name}`, options, []);
      return hasTexts(this) ? (this as Rule) : rule;
    },
    check,
    checkAll: Object.assign(checkAll, { [checkKey]: check }),
  });
  return rule;
}

/** Whether a value is a rule with the checks that {@link createRule} gave it. Its texts may be wrong. */
export function hasChecks(value: unknown): value is Rule {
  const { check, checkAll, checksProject } = (value ?? {}) as Partial<Rule>;
  return (
    check !== undefined &&
    typeof checksProject === "function" &&
    (checkAll as Partial<CheckAll> | null | undefined)?.[checkKey] === check
  );
}

/** Whether a value is a rule, perhaps a spread one. */
export function hasTexts(owner: unknown): owner is RuleTexts {
  const { name, remedy } = (owner ?? {}) as Partial<RuleTexts>;
  return typeof name === "string" && typeof remedy === "string";
}

/** Returns the fields that a partial record does not contain. */
function unrecorded(
  { partialRecord }: AuditedProject,
  fields: readonly ProjectFieldKey[],
): readonly ProjectFieldKey[] {
  if (partialRecord === undefined) return [];
  return fields.filter((field) => !isRecorded(partialRecord.fields, field));
}

/** Returns the finding about a whole record. The state does not say what the service shows. */
function notRecorded(
  texts: RuleTexts,
  project: AuditedProject,
  fields: readonly string[],
): Finding {
  const message = `The rule checked no project of this resource. It needs ${adviceFor(fields)}`;
  const finding = createFinding(texts, project, indeterminate(message, { subject: "fields" }));
  return { ...finding, remedy: `The rule requires: ${texts.description}` };
}

/** Adds to an undecided problem which fields could decide it. */
function withAdvice(problem: Problem, fields: readonly string[]): Problem {
  if (problem.state === "violated" || fields.length === 0) return problem;
  const { message, subject = message } = problem;
  return { ...problem, subject, message: `${message} To decide, it may need ${adviceFor(fields)}` };
}

function adviceFor(fields: readonly string[]): string {
  const things = fields.length === 1 ? "a field that is" : "fields that are";
  return `${things} not recorded: add ${fields.join(", ")} to fields.`;
}

/** Runs a check. Its errors name the rule and the place. */
function problemsOf(rule: string, place: string, runCheck: () => unknown): readonly Problem[] {
  let problems: unknown;
  try {
    problems = runCheck();
  } catch (error) {
    throw ruleFailed(rule, place, `it threw ${describe(error)}. Correct the rule.`);
  }
  if (Array.isArray(problems) && problems.every(isProblem)) return problems;
  throw ruleFailed(
    rule,
    place,
    "its check returned no list of problems. Return a list of violated(message) and indeterminate(message), or an empty list. A check must not be async.",
  );
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
