import {
  argumentInvalid,
  type ProjectServiceError,
} from "../../provider/errors/projectServiceError.js";
import { displayList, displayText } from "../../provider/errors/displayText.js";
import { type AuditedProject, auditedProject, type ProjectToCheck } from "./auditedProject.js";
import { createFinding, type Finding, findingKey } from "./finding.js";
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

/** How many places a rule has checked. */
export type Checked = { readonly environments: number } | { readonly projects: number };

/** Runs a rule on projects. */
export function runRule(
  rule: Rule,
  projects: readonly AuditedProject[],
  comparesProjects = true,
): { findings: Finding[]; checked: Checked } {
  const run = new RuleRun(rule, projects);
  const environments = run.checkEach();
  if (comparesProjects) run.checkTogether();
  const checked = rule.checkEnvironment ? { environments } : { projects: projects.length };
  return { findings: run.findings(), checked };
}

/** A project as a whole or one of its environments, with what the checks say about it. */
interface CheckedPlace {
  readonly environmentId: string | undefined;
  readonly problems: Problem[];
  /** The missing fields that a check has read. */
  readonly missing: Set<string>;
}

/** A project with its places, by the id of the environment. */
interface CheckedProject {
  readonly project: AuditedProject;
  readonly places: Map<string | undefined, CheckedPlace>;
}

/** One run of a rule. */
class RuleRun {
  private readonly byId: ReadonlyMap<string, CheckedProject>;
  private readonly readable: readonly AuditedProject[];

  constructor(
    private readonly rule: Rule,
    projects: readonly AuditedProject[],
  ) {
    const entries = projects.map((project) => ({ project, places: new Map() }));
    this.byId = new Map(entries.map((entry) => [entry.project.projectId, entry]));
    this.readable = projects.filter(({ inaccessible }) => inaccessible === undefined);
    for (const { projectId, inaccessible } of projects) {
      if (inaccessible === undefined) continue;
      const message = `The project could not be read (${displayText(inaccessible)}).`;
      this.place(projectId).problems.push(indeterminate(message, { subject: inaccessible }));
    }
  }

  /** Checks each project alone. Returns how many environments the rule has checked. */
  checkEach(): number {
    const { checkEnvironment, checkProject } = this.rule;
    let environments = 0;
    for (const project of this.readable) {
      if (checkEnvironment !== undefined) {
        const { projectId } = project;
        if (!("environments" in project)) this.place(projectId).missing.add("environments");
        for (const environment of project.environments) {
          const { environmentId } = environment;
          if (!this.checksEnvironment(environmentId)) continue;
          environments++;
          this.run([project], () => checkEnvironment(environment, project), environmentId);
        }
      }
      if (checkProject !== undefined) this.run([project], () => checkProject(project));
    }
    return environments;
  }

  /** Checks all projects together. */
  checkTogether(): void {
    const { checkProjects } = this.rule;
    if (checkProjects !== undefined) this.run(this.readable, checkProjects);
  }

  /** Returns the findings in the order of the projects. */
  findings(): Finding[] {
    const keys = new Set<string>();
    return [...this.byId.values()].flatMap(({ project, places }) =>
      [...places.values()].flatMap(problemsAt).map((problem) => {
        const finding = createFinding(this.rule, project, problem);
        const key = findingKey(finding);
        if (keys.has(key)) {
          throw this.failed(
            [project],
            `it has two findings with the subject "${displayText(finding.subject)}" for one place. Give each problem a subject of its own: violated(message, { subject }).`,
          );
        }
        keys.add(key);
        return finding;
      }),
    );
  }

  /** Runs a check of projects, and notes what it says about them. */
  private run(
    projects: readonly AuditedProject[],
    check: (projects: readonly AuditedProject[]) => unknown,
    environmentId?: string,
  ): void {
    let rest = projects;
    while (rest.length > 0) {
      const missing: MissingFields = new Map();
      let problems: unknown = [];
      try {
        problems = notingMissingFields(missing, () => check(rest));
        rest = [];
      } catch (error) {
        if (missing.size === 0) {
          throw this.failed(projects, `it threw ${describe(error)}. Correct the rule.`);
        }
        // A missing field may have broken the check. It runs again without the projects that lack it.
        rest = rest.filter(({ projectId }) => !missing.has(projectId));
      }
      this.noteMissing(missing, environmentId);
      this.noteProblems(projects, problems, missing, environmentId);
    }
  }

  private noteMissing(missing: MissingFields, environmentId: string | undefined): void {
    for (const [projectId, paths] of missing) {
      const place = this.place(projectId, environmentId);
      for (const path of paths) {
        place.missing.add(path.replace(`environments[${environmentId}].`, ""));
      }
    }
  }

  private noteProblems(
    projects: readonly AuditedProject[],
    problems: unknown,
    missing: MissingFields,
    environmentId: string | undefined,
  ): void {
    if (!Array.isArray(problems) || !problems.every(isProblem)) {
      throw this.failed(
        projects,
        "its check returned no list of problems. Return a list of violated(message) and indeterminate(message), or an empty list. A check must not be async.",
      );
    }
    const onlyId = projects.length === 1 ? projects[0]?.projectId : undefined;
    for (const problem of problems) {
      const { projectId = onlyId, environmentId: ownId = environmentId } = problem;
      if (
        projectId === undefined ||
        (onlyId ?? projectId) !== projectId ||
        !this.byId.has(projectId)
      ) {
        throw this.failed(
          projects,
          "it returned a problem without the projectId of a project that it got. Return violated(message, { projectId, subject }).",
        );
      }
      if (ownId !== undefined && !this.checksEnvironment(ownId)) continue;
      const isOpen = missing.has(projectId);
      const place = this.place(projectId, isOpen ? environmentId : ownId);
      place.problems.push({ ...problem, environmentId: ownId });
    }
  }

  private place(projectId: string, environmentId?: string): CheckedPlace {
    const { places } = this.byId.get(projectId) as CheckedProject;
    const place = places.get(environmentId) ?? { environmentId, problems: [], missing: new Set() };
    places.set(environmentId, place);
    return place;
  }

  private checksEnvironment(environmentId: string): boolean {
    return environmentsOf(this.rule)?.includes(environmentId) !== false;
  }

  private failed(projects: readonly AuditedProject[], problem: string): ProjectServiceError {
    const [only] = projects;
    const place =
      projects.length === 1 && only ? `project ${displayText(only.projectId)}` : "all projects";
    return argumentInvalid(`The rule ${this.rule.name} failed for ${place}: ${problem}`);
  }
}

/**
 * Returns the problems at a place, or one problem if fields are missing. Its subject names the violations
 * too: whoever accepts it does not accept one that comes later.
 */
function problemsAt({ environmentId, problems, missing }: CheckedPlace): readonly Problem[] {
  if (missing.size === 0) return problems;
  const fields = [...missing].sort();
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
