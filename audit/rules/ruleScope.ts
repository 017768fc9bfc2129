import { displayList } from "../../provider/errors/displayText.js";
import { parseFilterText } from "../../provider/wire/filterText.js";
import { compileFilters } from "../../provider/model/selection.js";
import type { AuditedProject } from "./auditedProject.js";
import { indeterminate, type Problem } from "./problem.js";
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
 * Returns the problem of a project that lists none of the environments that a rule checks.
 *
 * @param wanted ids of the environments. Undefined: every environment.
 * @param isConcerned whether the project has anything that the rule is about. If it has not, it needs none
 *   of the environments.
 */
export function environmentsProblem(
  { environments, missingFields }: AuditedProject,
  wanted: readonly string[] | undefined,
  isConcerned: boolean,
): Problem[] {
  if (missingFields.includes("environments")) {
    const message = "The service omits the environments of the project.";
    return [indeterminate(message, { subject: "environments" })];
  }
  if (wanted === undefined || !isConcerned) return [];
  if (environments.some(({ environmentId }) => wanted.includes(environmentId))) return [];
  const message = `The rule checked nothing, because the project has none of these environments: ${displayList(wanted)}. Set the option environments of the rule to environments of the project, or leave the project out with the option projects.`;
  return [indeterminate(message, { subject: `environments ${wanted.join(", ")}` })];
}

/** Whether conditions select a project. */
export interface Selection {
  readonly isSelected: boolean;
  /** Present if the service omits a field that could change the selection. */
  readonly problem?: Problem;
}

/** Returns the keys of the conditions, and a function that says whether a project matches all of them. */
export function compileConditions(conditions: readonly string[]) {
  const tests = conditions.map((condition) => {
    const filter = parseFilterText("The condition", condition);
    return { key: filter.key, isMatch: compileFilters([filter]) };
  });
  const select = (project: AuditedProject): Selection => {
    const failed = tests.filter(({ isMatch }) => !isMatch(project));
    const [missing, ...others] = failed.map(({ key }) => missingPath(project, key.split(".")));
    // One condition that fails although its field is there is enough to leave the project out.
    if (missing === undefined || others.includes(undefined)) {
      return { isSelected: failed.length === 0 };
    }
    const message = `The service omits ${missing}, so it is open whether the rule applies to the project.`;
    const subject = `projects ${conditions.join(" and ")}`;
    return { isSelected: false, problem: indeterminate(message, { subject }) };
  };
  return { keys: tests.map(({ key }) => key), select };
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
