import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { type RulesFunction, ruleTools } from "../../audit/houseRules/houseRules.js";
import { defineRule } from "../../audit/rules/defineRule.js";
import type { Rule, RuleDefinition } from "../../audit/rules/rule.js";
import { displayList, displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";

/**
 * Returns the rules of a module: its default export is a list of rules, or a function of
 * `{ houseRules, defineRule, violated, indeterminate }` that returns one, also as a promise.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if the module cannot be loaded, or has no such list.
 */
export async function rulesOfModule(path: string): Promise<Rule[]> {
  const exported = await load(path);
  const rules = typeof exported === "function" ? await call(exported as RulesFunction) : exported;
  if (!Array.isArray(rules)) {
    throw argumentInvalid(
      "the default export must be a list of rules, or a function that returns one. " +
        "For example: export default ({ houseRules }) => houseRules();",
    );
  }
  // A rule is data, which also another copy of this package may have made.
  const defined = rules.map((rule) => defineRule(rule as RuleDefinition));
  const names = defined.map(({ name }) => name);
  const equal = names.filter((name, index) => names.indexOf(name) !== index);
  if (equal.length === 0) return defined;
  throw argumentInvalid(
    `several rules have the name ${displayList([...new Set(equal)])}. Give each rule a name of its own.`,
  );
}

async function load(path: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(resolve(path)).href)) as { default?: unknown };
    // CommonJS code that was compiled from an ES module has its default export one level deeper.
    const exported = (module.default ?? {}) as Record<string, unknown>;
    return exported["__esModule"] === true ? exported["default"] : module.default;
  } catch (error) {
    throw argumentInvalid(`${reasonOf(error)}${hintFor(error, path)}`);
  }
}

function hintFor(error: unknown, path: string): string {
  // Node keeps the line of a syntax error to itself.
  if (error instanceof SyntaxError) return ` Run node --check ${path} to see the line.`;
  return (error as NodeJS.ErrnoException | null | undefined)?.code === "ERR_MODULE_NOT_FOUND"
    ? " If the package of the audit is not installed beside the file, export a function. It receives houseRules, defineRule, violated and indeterminate."
    : "";
}

async function call(create: RulesFunction): Promise<unknown> {
  try {
    return await create(ruleTools);
  } catch (error) {
    throw argumentInvalid(`its function failed: ${reasonOf(error)}`);
  }
}

/** Returns the message of an error of the user's code, as a sentence. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? String(error) : `it threw ${inspect(error)}`;
  const shown = displayText(text.replace(/^Error: /, ""), 500);
  return /[.!?]$/.test(shown) ? shown : `${shown}.`;
}
