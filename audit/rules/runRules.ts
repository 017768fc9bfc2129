import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { displayText } from "../../provider/errors/displayText.js";
import type { AuditedEnvironment, AuditedProject } from "./auditedProject.js";
import { subjectValue } from "./finding.js";
import { findingsOf, type Note } from "./findingsOf.js";
import { type MissingFields, notingMissingFields } from "./missingFields.js";
import { environmentsOf, type Problem, type Rule, violated } from "./rule.js";

/** The rule about projects that could not be read. It is not one of the house rules. */
export const readableProject: Rule = {
  name: "readable-project",
  severity: "error",
  description: "Every project that the service lists can be read.",
  reason: "No rule has checked a project that cannot be read.",
  remedy: "Ask for access to the project for the user in the setting username.",
  checkProject: ({ inaccessible: code }) => {
    if (code === undefined) return [];
    return [violated(`The project could not be read (${displayText(code)}).`, { subject: code })];
  },
};

/** How many environments or projects a rule has checked. */
export type Checked = { readonly environments: number } | { readonly projects: number };

/** Runs rules on projects. Only {@link readableProject} sees those that could not be read. */
export function runRules(rules: readonly Rule[], projects: readonly AuditedProject[]) {
  const readable = projects.filter(({ inaccessible }) => inaccessible === undefined);
  return rules.map((rule) => runRule(rule, rule === readableProject ? projects : readable));
}

function runRule(rule: Rule, projects: readonly AuditedProject[]) {
  const { checkProjects } = rule;
  const notes = [
    ...projects.flatMap((project) => checkAlone(rule, project)),
    ...(checkProjects ? runCheck(rule, projects, () => checkProjects(projects), {}) : []),
  ];
  const checked: Checked = rule.checkEnvironment
    ? { environments: projects.flatMap((project) => checkedEnvironments(rule, project)).length }
    : { projects: projects.length };
  return { rule, findings: findingsOf(rule, projects, notes), checked };
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
    if (environmentId !== undefined) {
      const ids = project.environments.map((environment) => environment.environmentId);
      if ("environments" in project && !ids.includes(environmentId)) {
        const advice = `it returned a problem of the environment ${displayText(environmentId)}, which the project does not have. Correct its environmentId.`;
        throw ruleFailed(rule, { projectId }, advice);
      }
      if (!isChecked(rule, environmentId)) return [];
    }
    // A problem that is open because of a missing field is about the place of the check.
    const isOpen = missing.has(project.projectId) && !problem.isCertain;
    const placeId = isOpen ? place.environmentId : environmentId;
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
    throw ruleFailed(rule, place, `it threw ${thrown}${lineOf(error)}. Correct the rule.`);
  }
  if (Array.isArray(problems) && problems.every(isProblem)) return problems;
  throw ruleFailed(
    rule,
    place,
    "its check must return a list of violated(message) and indeterminate(message), or an empty list. No message or subject may be blank, and no check may be async.",
  );
}

/** Returns the file and the line that threw an error, from the first line of its stack that has a path. */
function lineOf(error: unknown): string {
  const { stack, message } = Object(error) as Partial<Error>;
  const frames = String(stack).replace(String(message), "");
  const [, place] = /^ +at .*?(?:file:\/\/)?(\/[^()\n]+:\d+):\d+\)?$/m.exec(frames) ?? [];
  return place === undefined ? "" : ` at ${displayText(place, 300)}`;
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
