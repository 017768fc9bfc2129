import { parseFilterText } from "../../provider/model/filterText.js";
import { compileFilters } from "../../provider/model/projectFilter.js";
import type { AuditedProject } from "./auditedProject.js";
import { type RuleOption, stringsOption } from "./ruleOptions.js";

/** Whether conditions select a project. */
interface Selection {
  readonly isSelected: boolean;
  /** A field that the service omits and that could change the selection. */
  readonly missing?: string;
}

/** An option with conditions on projects, such as `type=TYPO3`. */
export function conditionsOption(description: string): RuleOption<readonly string[] | undefined> {
  const strings = stringsOption(description, undefined);
  return {
    ...strings,
    parse(owner, key, value) {
      const conditions = strings.parse(owner, key, value);
      for (const condition of conditions ?? []) {
        parseFilterText(`In the option ${key} of ${owner}, the condition`, condition);
      }
      return conditions;
    },
  };
}

/** Returns a function that says whether a project matches all the conditions. */
export function selectProject(
  conditions: readonly string[],
): (project: AuditedProject) => Selection {
  const tests = conditions.map((condition) => {
    const filter = parseFilterText("The condition", condition);
    return { key: filter.key, isMatch: compileFilters([filter]) };
  });
  return (project) => {
    const failed = tests.filter(({ isMatch }) => !isMatch(project));
    if (failed.length === 0) return { isSelected: true };
    const missing = failed.map(({ key }) => missingFieldOf(project, key));
    if (missing.some((field) => field === undefined)) return { isSelected: false };
    return { isSelected: false, missing: missing[0] as string };
  };
}

/** Returns the field that the service omits, if `key` needs one. */
function missingFieldOf(project: AuditedProject, key: string): string | undefined {
  const own = missingPath(project.missingFields, project, key);
  if (own !== undefined) return own;
  if (!key.startsWith("environments.")) return undefined;
  const inner = key.slice("environments.".length);
  for (const environment of project.environments) {
    const path = missingPath(environment.missingFields ?? [], environment, inner);
    if (path !== undefined) return `environments.${path}`;
  }
  return undefined;
}

/** Returns the start of `key` that is missing: `branch` for `branch.name` if there is no branch. */
function missingPath(
  missingFields: readonly string[],
  object: object,
  key: string,
): string | undefined {
  const names = key.split(".");
  const paths = names.map((_, index) => names.slice(0, index + 1).join("."));
  const [first = ""] = names;
  const isAbsent = ((object as Record<string, unknown>)[first] ?? undefined) === undefined;
  return paths.find((path) => missingFields.includes(path)) ?? (isAbsent ? first : undefined);
}
