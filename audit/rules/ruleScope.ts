import { displayList } from "../../provider/errors/displayText.js";
import { parseFilterText } from "../../provider/model/filterText.js";
import { compileFilters, type ProjectFilterKey } from "../../provider/model/selection.js";
import type { AuditedProject } from "./auditedProject.js";
import type { KnownDefinition } from "./createRule.js";
import { indeterminate, type Problem } from "./problem.js";
import type { RuleDefinition } from "./rule.js";
import { type RuleOption, type SeverityOption, stringsOption } from "./ruleOptions.js";

/** The options that every house rule about the service has. */
export interface ScopeOptions extends SeverityOption {
  /** Ids of the environments that the rule checks. Default: every environment, or what the rule says. */
  environments?: readonly string[] | undefined;
  /**
   * Conditions as in `--filter` of the audit, such as `type=TYPO3`. The rule checks the projects that
   * match all of them. Default: every project.
   */
  projects?: readonly string[] | undefined;
}

/** The option `environments`. */
export function environmentsOption(
  defaultIds: readonly string[] | undefined,
): RuleOption<readonly string[] | undefined> {
  return stringsOption(
    `Ids of the environments that the rule checks.${defaultIds === undefined ? " Without this option: every environment." : ""}`,
    defaultIds,
  );
}

/** The option `projects`. */
export function projectsOption(): RuleOption<readonly string[] | undefined> {
  return stringsOption(
    "Conditions as in `--filter` of the audit, such as `type=TYPO3`. The rule checks the projects that match all of them. Without this option: every project.",
    undefined,
    (option, conditions) => {
      for (const condition of conditions) {
        parseFilterText(`In the ${option}, the condition`, condition);
      }
    },
  );
}

/**
 * Limits a rule to environments. A project that lists none of them is a problem of its own.
 *
 * @param wanted ids of the environments. Undefined: every environment.
 * @param concerns whether a project has anything that the rule is about. If it has not, it needs none of
 *   the environments.
 */
export function forEnvironments(
  rule: RuleDefinition,
  wanted: readonly string[] | undefined,
  concerns: (project: AuditedProject) => boolean,
): KnownDefinition {
  const { checkProject, checkEnvironment, checkProjects } = rule;
  const isChecked = (environmentId: string): boolean =>
    wanted === undefined || wanted.includes(environmentId);
  return {
    ...rule,
    checkedEnvironments: wanted,
    checkProject: (project) => [
      ...environmentsProblem(project, wanted, concerns(project)),
      ...(checkProject?.(project) ?? []),
    ],
    checkEnvironment:
      checkEnvironment &&
      ((environment, project) =>
        isChecked(environment.environmentId) ? checkEnvironment(environment, project) : []),
    checkProjects:
      checkProjects &&
      ((projects) =>
        checkProjects(projects).filter(
          ({ environmentId }) => environmentId === undefined || isChecked(environmentId),
        )),
  };
}

function environmentsProblem(
  { environments, missingFields }: AuditedProject,
  wanted: readonly string[] | undefined,
  isConcerned: boolean,
): Problem[] {
  if (missingFields.includes("environments")) {
    return [
      indeterminate("The service omits the environments of the project.", {
        subject: "environments",
      }),
    ];
  }
  if (wanted === undefined || !isConcerned) return [];
  if (environments.some(({ environmentId }) => wanted.includes(environmentId))) return [];
  const ids = displayList(wanted);
  return [
    indeterminate(
      `The rule checked nothing, because the project has none of these environments: ${ids}. Set the option environments of the rule to environments of the project, or leave the project out with the option projects.`,
      { subject: `environments ${wanted.join(", ")}` },
    ),
  ];
}

/** Limits a rule to the projects that match conditions. */
export function forProjects(rule: KnownDefinition, conditions: readonly string[]): KnownDefinition {
  const { checkProject, checkEnvironment, checkProjects } = rule;
  const select = selectProject(conditions);
  return {
    ...rule,
    selectsProject: (project) => select(project).isSelected,
    checkProject: (project) => {
      const { isSelected, missing } = select(project);
      if (missing === undefined) return isSelected ? (checkProject?.(project) ?? []) : [];
      return [
        indeterminate(
          `The service omits ${missing}, so it is open whether the rule applies to the project.`,
          { subject: `projects ${conditions.join(" and ")}` },
        ),
      ];
    },
    checkEnvironment:
      checkEnvironment &&
      ((environment, project) =>
        select(project).isSelected ? checkEnvironment(environment, project) : []),
    checkProjects:
      checkProjects &&
      ((projects) => checkProjects(projects.filter((project) => select(project).isSelected))),
  };
}

/** Returns the keys of conditions. */
export function keysOfConditions(conditions: readonly string[] = []): ProjectFilterKey[] {
  return conditions.map((condition) => parseFilterText("The condition", condition).key);
}

/** Whether conditions select a project. */
interface Selection {
  readonly isSelected: boolean;
  /** A field that the service omits and that could change the selection. */
  readonly missing?: string;
}

/** Returns a function that says whether a project matches all the conditions. */
function selectProject(conditions: readonly string[]): (project: AuditedProject) => Selection {
  const tests = conditions.map((condition) => {
    const filter = parseFilterText("The condition", condition);
    return { key: filter.key, isMatch: compileFilters([filter]) };
  });
  return (project) => {
    const failed = tests.filter(({ isMatch }) => !isMatch(project)).map(({ key }) => key);
    return selectionOf(project, failed);
  };
}

/** @param failedKeys keys of the conditions that the project does not match. */
function selectionOf(project: AuditedProject, failedKeys: readonly string[]): Selection {
  if (failedKeys.length === 0) return { isSelected: true };
  const [missing, ...others] = failedKeys.map((key) => missingPath(project, key.split(".")));
  if (missing === undefined || others.includes(undefined)) return { isSelected: false };
  return { isSelected: false, missing };
}

/**
 * Returns the start of a path that the service omits, even if only one element of a list lacks it:
 * `branch` for `branch.name` if there is no branch.
 */
function missingPath(node: object, path: readonly string[], depth = 0): string | undefined {
  const name = path[depth];
  if (name === undefined) return undefined;
  const fields = node as Readonly<Record<string, unknown>>;
  const value = fields[name] ?? undefined;
  // A list that the service omits is empty.
  const { missingFields } = fields as { missingFields?: readonly string[] };
  if (value === undefined || missingFields?.includes(name)) {
    return path.slice(0, depth + 1).join(".");
  }
  for (const inner of Array.isArray(value) ? (value as unknown[]) : [value]) {
    const missing = missingPath(inner as object, path, depth + 1);
    if (missing !== undefined) return missing;
  }
  return undefined;
}
