import { parseFilterText } from "../../provider/model/filterText.js";
import { compileFilters } from "../../provider/model/projectFilter.js";
import type { CheckedProject } from "./checkedProject.js";
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
): (project: CheckedProject) => Selection {
  const tests = conditions.map((condition) => {
    const filter = parseFilterText("The condition", condition);
    return { key: filter.key, isMatch: compileFilters([filter]) };
  });
  return (project) => {
    const failed = tests.filter(({ isMatch }) => !isMatch(project));
    if (failed.length === 0) return { isSelected: true };
    const missing = failed.map(({ key }) => missingPath(project, key.split(".")));
    if (missing.some((field) => field === undefined)) return { isSelected: false };
    return { isSelected: false, missing: missing[0] as string };
  };
}

/**
 * Returns the start of a path that the service omits, also in only one element of a list: `branch` for
 * `branch.name` if there is no branch.
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
