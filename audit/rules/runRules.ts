import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { displayList, displayText } from "../../provider/errors/displayText.js";
import { groupBy } from "../../provider/model/groupBy.js";
import {
  type AuditedEnvironment,
  type AuditedProject,
  auditedProject,
  type ProjectToCheck,
} from "./auditedProject.js";
import { createFinding, type Finding, findingKey, placeOf } from "./finding.js";
import { type MissingFields, notingMissingFields } from "./missingFields.js";
import { indeterminate, isProblem, type Problem } from "./problem.js";
import { environmentsOf, type Rule } from "./rule.js";

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
  return rules.flatMap((rule) => runRule(rule, audited, false).findings);
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

/** Runs a rule on projects, also the check that compares them unless `comparesProjects` is false. */
export function runRule(
  rule: Rule,
  projects: readonly AuditedProject[],
  comparesProjects = true,
): { findings: Finding[]; checked: Checked } {
  const readable = projects.filter(({ inaccessible }) => inaccessible === undefined);
  const notes = [
    ...projects.flatMap(inaccessibleNote),
    ...readable.flatMap((project) => [...checkAlone(rule, project)]),
    ...(comparesProjects && rule.checkProjects ? runCheck(rule, readable, rule.checkProjects) : []),
  ];
  const environments = readable.flatMap((project) => checkedEnvironments(rule, project)).length;
  return {
    findings: findingsOf(rule, projects, notes),
    checked: rule.checkEnvironment ? { environments } : { projects: projects.length },
  };
}

/** What is said about a project as a whole, or about one of its environments. */
interface Note {
  readonly project: AuditedProject;
  readonly environmentId?: string | undefined;
  readonly problem?: Problem;
  /** The path of a missing field that a check has read. */
  readonly missing?: string;
}

function inaccessibleNote(project: AuditedProject): Note[] {
  const { inaccessible: code } = project;
  if (code === undefined) return [];
  const message = `The project could not be read (${displayText(code)}).`;
  return [{ project, problem: indeterminate(message, { subject: code }) }];
}

function checkedEnvironments(rule: Rule, { environments }: AuditedProject): AuditedEnvironment[] {
  return environments.filter(({ environmentId }) => checksEnvironment(rule, environmentId));
}

function checksEnvironment(rule: Rule, environmentId: string): boolean {
  return environmentsOf(rule)?.includes(environmentId) !== false;
}

function* checkAlone(rule: Rule, project: AuditedProject): Generator<Note> {
  const { checkEnvironment, checkProject } = rule;
  if (checkEnvironment !== undefined) {
    if (!("environments" in project)) yield { project, missing: "environments" };
    for (const environment of checkedEnvironments(rule, project)) {
      const check = () => checkEnvironment(environment, project);
      yield* runCheck(rule, [project], check, environment.environmentId);
    }
  }
  if (checkProject !== undefined) yield* runCheck(rule, [project], () => checkProject(project));
}

/** Runs a check of projects, or of one environment of a project. */
function* runCheck(
  rule: Rule,
  projects: readonly AuditedProject[],
  check: (projects: readonly AuditedProject[]) => unknown,
  environmentId?: string,
): Generator<Note> {
  const missing: MissingFields = new Map();
  const byId = new Map(projects.map((project) => [project.projectId, project]));
  for (const problem of problemsOf(rule, projects, missing, check)) {
    const { projectId = projects.length === 1 ? projects[0]?.projectId : undefined } = problem;
    const project = byId.get(projectId ?? "");
    if (project === undefined) {
      const advice =
        "it returned a problem without the projectId of a project that it got. Return violated(message, { projectId, subject }).";
      throw ruleFailed(rule, projects, advice);
    }
    const ownId = problem.environmentId ?? environmentId;
    if (ownId !== undefined && !checksEnvironment(rule, ownId)) continue;
    // What a missing field leaves open is about the place that was checked.
    const placeId = missing.has(project.projectId) ? environmentId : ownId;
    yield { project, environmentId: placeId, problem: { ...problem, environmentId: ownId } };
  }
  for (const [projectId, paths] of missing) {
    const project = byId.get(projectId);
    if (project === undefined) continue;
    for (const path of paths) {
      yield {
        project,
        environmentId,
        missing: path.replace(`environments[${environmentId}].`, ""),
      };
    }
  }
}

/** Returns the problems that a check finds. Notes the missing fields that it reads. */
function problemsOf(
  rule: Rule,
  projects: readonly AuditedProject[],
  missing: MissingFields,
  check: (projects: readonly AuditedProject[]) => unknown,
): readonly Problem[] {
  let problems: unknown = [];
  let rest = projects;
  while (rest.length > 0) {
    try {
      problems = notingMissingFields(missing, () => check(rest));
      break;
    } catch (error) {
      // A missing field may have broken the check. The projects that have it get another try.
      const others = rest.filter(({ projectId }) => !missing.has(projectId));
      if (others.length === rest.length) {
        throw ruleFailed(rule, projects, `it threw ${describe(error)}. Correct the rule.`);
      }
      rest = others;
    }
  }
  if (Array.isArray(problems) && problems.every(isProblem)) return problems;
  throw ruleFailed(
    rule,
    projects,
    "its check returned no list of problems. Return a list of violated(message) and indeterminate(message), or an empty list. A check must not be async.",
  );
}

function ruleFailed(rule: Rule, projects: readonly AuditedProject[], advice: string) {
  const [first, ...others] = projects;
  const place =
    others.length > 0 ? "all projects" : `project ${displayText(first?.projectId ?? "")}`;
  return argumentInvalid(`The rule ${rule.name} failed for ${place}: ${advice}`);
}

/** Returns the findings in the order of the projects. */
function findingsOf(
  rule: Rule,
  projects: readonly AuditedProject[],
  notes: readonly Note[],
): Finding[] {
  const byProject = groupBy(notes, ({ project }) => project);
  const findings = projects.flatMap((project) => {
    const places = groupBy(byProject.get(project) ?? [], ({ environmentId }) => environmentId);
    const problems = [...places.values()].flatMap(problemsAt);
    return problems.map((problem) => createFinding(rule, project, problem));
  });
  const keys = new Set<string>();
  for (const finding of findings) {
    const key = findingKey(finding);
    if (keys.has(key)) {
      throw argumentInvalid(
        `The rule ${rule.name} has two equal findings. ${placeOf(finding)}, subject "${displayText(finding.subject)}". Give each problem a subject of its own: violated(message, { subject }).`,
      );
    }
    keys.add(key);
  }
  return findings;
}

/**
 * Returns the problems at one place, or one problem if fields are missing. Its subject names the violations
 * too: whoever accepts it does not accept one that comes later.
 */
function problemsAt(notes: readonly Note[]): Problem[] {
  const environmentId = notes[0]?.environmentId;
  const problems = notes.flatMap(({ problem }) => problem ?? []);
  const fields = [...new Set(notes.flatMap(({ missing }) => missing ?? []))].sort();
  if (fields.length === 0) return problems;
  const violations = problems.filter(({ state }) => state === "violated");
  const subjects = violations.map(({ subject, message }) => subject ?? message);
  const things = fields.length === 1 ? "a field is" : "fields are";
  const sentences = [
    `The rule cannot decide, because ${things} missing: ${displayList(fields, 5)}.`,
    ...(violations.length === 0 ? [] : ["It found so far:"]),
    ...violations.map(({ message }) => message),
  ];
  const subject = [`missing ${fields.join(", ")}`, ...subjects].join("; ");
  return [indeterminate(sentences.join(" "), { environmentId, subject })];
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return "a value that is not an Error";
  return displayText(`${error.name}: ${error.message}`, 300);
}
