import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { type RulesFunction, ruleTools } from "../audit/houseRules/houseRules.js";
import { defineRule } from "../audit/rules/defineRule.js";
import type { Rule, RuleDefinition } from "../audit/rules/rule.js";
import { argumentInvalid } from "../provider/errors/projectServiceError.js";
import { displayList, displayText } from "../provider/errors/displayText.js";

/**
 * Returns the rules of a module: its default export is a list of rules, or a function of
 * `{ houseRules, defineRule, violated, indeterminate }` that returns one, also as a promise.
 *
 * @param limitMs how long the module may load, and then how long its function may run.
 * @throws ProjectServiceError `ARGUMENT_INVALID` if the module cannot be loaded, or has no such list.
 */
export async function rulesOfModule(path: string, limitMs = 60_000): Promise<Rule[]> {
  const exported = await load(path, limitMs);
  const rules =
    typeof exported === "function" ? await call(exported as RulesFunction, limitMs) : exported;
  if (!Array.isArray(rules)) {
    throw argumentInvalid(
      "the default export must be a list of rules, or a function that returns one. " +
        "For example: export default ({ houseRules }) => houseRules();",
    );
  }
  // A rule is data, which another copy of this package may have made.
  const defined = rules.map((rule) => defineRule(rule as RuleDefinition));
  refuseEqualNames(defined);
  return defined;
}

async function load(path: string, limitMs: number): Promise<unknown> {
  try {
    const imported = import(pathToFileURL(resolve(path)).href) as Promise<{ default?: unknown }>;
    const module = await settled(imported, limitMs);
    return defaultOf(module.default);
  } catch (error) {
    throw argumentInvalid(`${sentence(reasonOf(error))}${hintFor(error, path)}`);
  }
}

function hintFor(error: unknown, path: string): string {
  // Node keeps the line of a syntax error to itself.
  if (error instanceof SyntaxError) return ` Run node --check ${path} to see the line.`;
  return (error as NodeJS.ErrnoException | null | undefined)?.code === "ERR_MODULE_NOT_FOUND"
    ? " If the package of the audit is not installed beside the file, export a function. It receives houseRules, defineRule, violated and indeterminate."
    : "";
}

/** CommonJS code that was compiled from an ES module has its default export one level deeper. */
function defaultOf(exported: unknown): unknown {
  const { __esModule: isCompiled, default: inner } = (exported ?? {}) as Record<string, unknown>;
  return isCompiled === true ? inner : exported;
}

async function call(create: RulesFunction, limitMs: number): Promise<unknown> {
  try {
    return await settled(Promise.resolve(create(ruleTools)), limitMs);
  } catch (error) {
    throw argumentInvalid(`its function failed: ${sentence(reasonOf(error))}`);
  }
}

/** Rejects if the promise has not settled in time, or if nothing else is left to do in the process. */
async function settled<T>(promise: Promise<T>, limitMs: number): Promise<T> {
  let giveUp = (): void => {};
  const idle = new Promise<never>((_, reject) => {
    giveUp = () => reject(new Error("it never settles: it waits for something that does not come"));
  });
  process.once("beforeExit", giveUp);
  const timer = setTimeout(giveUp, limitMs).unref();
  try {
    return await Promise.race([promise, idle]);
  } finally {
    process.off("beforeExit", giveUp);
    clearTimeout(timer);
  }
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
  if (!(error instanceof Error)) return `it threw ${displayText(inspect(error), 500)}`;
  const { name, message } = error;
  return displayText(`${name === "Error" ? "" : `${name}: `}${message}`, 500);
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
