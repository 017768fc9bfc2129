import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Rule } from "../audit/rules/rule.js";
import { type RulesFunction, ruleTools } from "../audit/houseRules/houseRules.js";
import { argumentInvalid } from "../provider/errors/argumentInvalid.js";
import { displayList, displayText } from "../provider/errors/displayText.js";

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
  for (const [index, rule] of rules.entries()) checkRule(index, rule);
  refuseEqualNames(rules as Rule[]);
  return rules as Rule[];
}

async function load(path: string): Promise<unknown> {
  try {
    const imported = import(pathToFileURL(resolve(path)).href) as Promise<{ default?: unknown }>;
    const module = await settled(imported);
    return defaultOf(module.default);
  } catch (error) {
    throw argumentInvalid(`${sentence(reasonOf(error))}${hintFor(error, path)}`);
  }
}

function hintFor(error: unknown, path: string): string {
  // Node keeps the line of a syntax error to itself.
  if (error instanceof SyntaxError) return ` Run node --check ${path} to see the line.`;
  return (error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND"
    ? " If the package of the audit is not installed beside the file, export a function. It receives houseRules, defineRule, violated and indeterminate."
    : "";
}

/** CommonJS code that was compiled from an ES module has its default export one level deeper. */
function defaultOf(exported: unknown): unknown {
  const { __esModule: isCompiled, default: inner } = (exported ?? {}) as Record<string, unknown>;
  return isCompiled === true ? inner : exported;
}

async function call(create: RulesFunction): Promise<unknown> {
  try {
    return await settled(Promise.resolve(create(ruleTools)));
  } catch (error) {
    throw argumentInvalid(`its function failed: ${sentence(reasonOf(error))}`);
  }
}

/** Rejects if nothing is left to do in the process, and the promise has not settled. */
async function settled<T>(promise: Promise<T>): Promise<T> {
  let giveUp = (): void => {};
  const idle = new Promise<never>((_, reject) => {
    giveUp = () => reject(new Error("it never settles: it waits for something that does not come"));
  });
  process.once("beforeExit", giveUp);
  try {
    return await Promise.race([promise, idle]);
  } finally {
    process.off("beforeExit", giveUp);
  }
}

function checkRule(index: number, rule: unknown): void {
  const { name, check, checks } = (rule ?? {}) as Partial<Rule>;
  if (typeof name === "string" && typeof check === "function" && Array.isArray(checks)) return;
  throw argumentInvalid(`element ${index} of the list is not a rule. Create it with defineRule.`);
}

function refuseEqualNames(rules: readonly Rule[]): void {
  const names = rules.map(({ name }) => name);
  const equal = names.filter((name, index) => names.indexOf(name) !== index);
  if (equal.length === 0) return;
  throw argumentInvalid(
    `several rules have the name ${displayList([...new Set(equal)])}. Give each rule a name of its own.`,
  );
}

/** Returns the message of an error of the user's code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return displayText(String(error), 500);
  const { name, message } = error;
  return displayText(`${name === "Error" ? "" : `${name}: `}${message}`, 500);
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
