import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { displayText } from "../../provider/errors/displayText.js";
import {
  type AuditedEnvironment,
  type AuditedProject,
  auditedProject,
  type ProjectToCheck,
} from "./auditedProject.js";
import { type Finding, subjectValue } from "./finding.js";
import { findingsOf, type Note } from "./findingsOf.js";
import { type MissingFields, notingMissingFields } from "./missingFields.js";
import { environmentsOf, indeterminate, type Problem, type Rule } from "./rule.js";

/**
 * Checks a project against all the rules. Rules do not receive its credentials. It is not compared with
 * other projects.
 *
 * @returns the findings in the order of the rules. The list is empty if the project follows every rule.
 * @throws ProjectServiceError `ARGUMENT_INVALID` if the object is not a project, or if a rule fails.
 *
 * @example
 * const findings = checkProject(await getProject({ name: "shop" }), houseRules());
 */
export function checkProject(project: ProjectToCheck, rules: readonly Rule[]): Finding[] {
  const audited = [auditedProject(project)];
  return rules.flatMap((rule) => runRule({ ...rule, checkProjects: undefined }, audited).findings);
}

/**
 * Checks projects against all the rules, each project alone and all of them together.
 *
 * @returns the findings in the order of the rules, and for each rule in the order of the projects.
 * @throws ProjectServiceError `ARGUMENT_INVALID` if an object is not a project, or if a rule fails.
 */
export function checkProjects(
  projects: readonly ProjectToCheck[],
  rules: readonly Rule[],
): Finding[] {
  const audited = projects.map(auditedProject);
  return rules.flatMap((rule) => runRule(rule, audited).findings);
}

/** How many environments or projects a rule has checked. */
export type Checked = { readonly environments: number } | { readonly projects: number };

/** Runs all the checks of a rule on projects. */
export function runRule(
  rule: Rule,
  projects: readonly AuditedProject[],
): { findings: Finding[]; checked: Checked } {
  const { checkProjects } = rule;
  const readable = projects.filter(({ inaccessible }) => inaccessible === undefined);
  const notes = [
    ...projects.flatMap(inaccessibleNote),
    ...readable.flatMap((project) => checkAlone(rule, project)),
    ...(checkProjects ? runCheck(rule, readable, () => checkProjects(readable), {}) : []),
  ];
  const checked = rule.checkEnvironment
    ? { environments: readable.flatMap((project) => checkedEnvironments(rule, project)).length }
    : { projects: projects.length };
  return { findings: findingsOf(rule, projects, notes), checked };
}

function inaccessibleNote(project: AuditedProject): Note[] {
  const { inaccessible: code } = project;
  if (code === undefined) return [];
  const message = `The project could not be read (${displayText(code)}).`;
  return [{ project, problem: indeterminate(message, { subject: code }) }];
}

function checkedEnvironments(rule: Rule, { environments }: AuditedProject): AuditedEnvironment[] {
  return environments.filter(({ environmentId }) => isChecked(rule, environmentId));
}

function isChecked(rule: Rule, environmentId: string): boolean {
  return environmentsOf(rule)?.includes(environmentId) !== false;
}

function checkAlone(rule: Rule, project: AuditedProject): Note[] {
  const { checkEnvironment, checkProject } = rule;
  const { projectId } = project;
  const notes: Note[] = [];
  if (checkEnvironment !== undefined) {
    if (!("environments" in project)) notes.push({ project, missing: "environments" });
    for (const environment of checkedEnvironments(rule, project)) {
      const place = { projectId, environmentId: environment.environmentId };
      notes.push(...runCheck(rule, [project], () => checkEnvironment(environment, project), place));
    }
  }
  if (checkProject !== undefined) {
    notes.push(...runCheck(rule, [project], () => checkProject(project), { projectId }));
  }
  return notes;
}

/** The environment or the project that a check is about. Without ids, it is about all projects. */
type Place = Pick<Problem, "projectId" | "environmentId">;

function runCheck(
  rule: Rule,
  projects: readonly AuditedProject[],
  check: () => unknown,
  place: Place,
): Note[] {
  const byId = new Map(projects.map((project) => [project.projectId, project]));
  const missing: MissingFields = new Map();
  const problems = problemsOf(rule, check, place, missing).flatMap((problem): Note[] => {
    const { projectId = place.projectId, environmentId = place.environmentId } = problem;
    const project = byId.get(projectId ?? "");
    if (project === undefined) {
      const advice =
        "it returned a problem without the projectId of a project that it got. Return violated(message, { projectId, subject }).";
      throw ruleFailed(rule, place, advice);
    }
    if (environmentId !== undefined && !isChecked(rule, environmentId)) return [];
    // A problem that is open because of a missing field is about the place of the check.
    const placeId = missing.has(project.projectId) ? place.environmentId : environmentId;
    return [{ project, environmentId: placeId, problem: { ...problem, environmentId } }];
  });
  const { environmentId } = place;
  const ownPath = `environments[${subjectValue(environmentId)}].`;
  const fields = projects.flatMap((project) =>
    [...(missing.get(project.projectId) ?? [])].map((path): Note => ({
      project,
      environmentId,
      missing: path.replace(ownPath, ""),
    })),
  );
  return [...problems, ...fields];
}

/** Returns the problems that a check finds, and notes the missing fields that it reads. */
function problemsOf(
  rule: Rule,
  check: () => unknown,
  place: Place,
  missing: MissingFields,
): readonly Problem[] {
  let problems: unknown;
  try {
    problems = notingMissingFields(missing, check);
  } catch (error) {
    // A missing field of the project may have broken the check, which then has no result anyway.
    if (missing.has(place.projectId ?? "")) return [];
    const thrown = displayText(String(error), 300);
    throw ruleFailed(rule, place, `it threw ${thrown}. Correct the rule.`);
  }
  if (Array.isArray(problems) && problems.every(isProblem)) return problems;
  throw ruleFailed(
    rule,
    place,
    "its check returned no list of problems. Return a list of violated(message) and indeterminate(message), or an empty list. A check must not be async.",
  );
}

function ruleFailed({ name }: Rule, { projectId }: Place, advice: string) {
  const place = projectId === undefined ? "all projects" : `project ${displayText(projectId)}`;
  return argumentInvalid(`The rule ${name} failed for ${place}: ${advice}`);
}

/** Whether a value is a problem. A rule of a user may return anything. */
function isProblem(value: unknown): value is Problem {
  const { state, message, subject = message } = Object(value) as Problem;
  const isText = (text: unknown) => typeof text === "string" && text.trim() !== "";
  return ["violated", "unknown"].includes(state) && isText(message) && isText(subject);
}
