import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { displayText } from "../../provider/errors/displayText.js";
import type { AuditedEnvironment, AuditedProject } from "./auditedProject.js";
import { subjectValue } from "./finding.js";
import { findingsOf, type Observation } from "./findingsOf.js";
import { isCertain, type MissingFields, observeMissingFields } from "./missingFields.js";
import { isChecked, type Problem, type Rule, violated } from "./rule.js";

/** The rule about projects that could not be read. It is not one of the built-in rules. */
export const readableProject: Rule = {
  name: "readable-project",
  level: "error",
  description: "Every project that the service lists can be read.",
  reason: "No rule has checked a project that cannot be read.",
  remedy:
    "Give the user in the setting username access to the project, or correct the project in the service.",
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
  const observations = callsOf(rule, projects).flatMap(runCall);
  const checked: Checked = rule.checkEnvironment
    ? { environments: projects.flatMap((project) => checkedEnvironments(rule, project)).length }
    : { projects: projects.length };
  return { rule, findings: findingsOf(rule, projects, observations), checked };
}

function checkedEnvironments(rule: Rule, { environments }: AuditedProject): AuditedEnvironment[] {
  return environments.filter(({ environmentId }) => isChecked(rule.environments, environmentId));
}

/** A call of a check, for an environment or a project. Without ids, it compares all projects. */
interface Call extends Pick<Problem, "projectId" | "environmentId"> {
  readonly rule: Rule;
  readonly check: () => unknown;
  /** The projects in which the check may find problems, by their ids. */
  readonly projects: ReadonlyMap<string, AuditedProject>;
}

function callsOf(rule: Rule, projects: readonly AuditedProject[]): Call[] {
  const { checkEnvironment, checkProject, checkProjects } = rule;
  const calls: Call[] = [];
  for (const project of projects) {
    const { projectId } = project;
    const ofProject = { rule, projects: new Map([[projectId, project]]), projectId };
    if (checkEnvironment) {
      // Finds nothing, but reads the list of environments, which the service may omit.
      calls.push({ ...ofProject, check: () => project.environments.slice(0, 0) });
      for (const environment of checkedEnvironments(rule, project)) {
        const check = () => checkEnvironment(environment, project);
        calls.push({ ...ofProject, environmentId: environment.environmentId, check });
      }
    }
    if (checkProject) calls.push({ ...ofProject, check: () => checkProject(project) });
  }
  if (checkProjects) {
    const byId = new Map(projects.map((project) => [project.projectId, project]));
    calls.push({ rule, projects: byId, check: () => checkProjects(projects) });
  }
  return calls;
}

/** Returns the missing fields that a check reads, and the problems that it finds without them. */
function runCall(call: Call): Observation[] {
  const missing: MissingFields = new Map();
  const problems = runCheck(call, missing).flatMap((problem) => placeProblem(problem, call));
  const certain = problems.filter(
    ({ project, problem }) => !missing.has(project.projectId) || isCertain(problem),
  );
  const { environmentId } = call;
  const ownPath = `environments[${subjectValue(environmentId)}].`;
  const fields = [...call.projects].flatMap(([projectId, project]) =>
    [...(missing.get(projectId) ?? [])].map((path) => ({
      project,
      environmentId,
      missing: path.replace(ownPath, ""),
    })),
  );
  return [...certain, ...fields];
}

/** Returns the problem at its place, or nothing if the rule does not check its environment. */
function placeProblem(problem: Problem, call: Call): Observation[] {
  const { projectId = call.projectId, environmentId = call.environmentId } = problem;
  const project = call.projects.get(projectId ?? "");
  if (project === undefined) {
    const advice =
      "it returned a problem without the projectId of a project that it got. Return violated(message, { projectId, subject }).";
    throw ruleFailed(call, advice);
  }
  if (environmentId !== undefined && !isChecked(call.rule.environments, environmentId)) return [];
  return [{ project, environmentId, problem: { ...problem, environmentId } }];
}

function runCheck(call: Call, missing: MissingFields): readonly Problem[] {
  let problems: unknown;
  try {
    problems = observeMissingFields(missing, call.check);
  } catch (error) {
    // A missing field of the project may have broken the check, which then has no result anyway.
    if (missing.has(call.projectId ?? "")) return [];
    const text = `${displayText(String(error), 300)}${lineOf(error)}`;
    throw ruleFailed(call, `it threw ${text}. Correct the rule.`);
  }
  if (Array.isArray(problems) && problems.every(isProblem)) return problems;
  throw ruleFailed(
    call,
    "its check must return a list of violated(message) and undecided(message), or an empty list. No message or subject may be blank, and no check may be async.",
  );
}

/** Returns the first line of an error's stack that is not in the code of Node or V8. */
function lineOf(error: unknown): string {
  const { stack, message } = Object(error) as Partial<Error>;
  const frames = String(stack).replace(String(message), "");
  const [frame] = /^ +at (?!.*(?:node:|\(<anonymous>\))).+:\d+\)?$/m.exec(frames) ?? [];
  return frame === undefined ? "" : ` ${displayText(frame.trim(), 300)}`;
}

function ruleFailed({ rule, projectId }: Call, advice: string) {
  const place = projectId === undefined ? "all projects" : `project ${displayText(projectId)}`;
  return argumentInvalid(`The rule ${rule.name} failed for ${place}: ${advice}`);
}

/** Whether a value is a problem. A rule of a user may return anything. */
function isProblem(value: unknown): value is Problem {
  const { state, message, subject = message } = Object(value) as Problem;
  const isText = (text: unknown) => typeof text === "string" && text.trim() !== "";
  return ["violated", "undecided"].includes(state) && isText(message) && isText(subject);
}
