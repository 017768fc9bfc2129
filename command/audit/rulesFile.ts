import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { builtInRules, type RuleTools, ruleTools } from "../../audit/builtInRules/builtInRules.js";
import { defineRule } from "../../audit/rules/defineRule.js";
import type { Rule, RuleDefinition } from "../../audit/rules/rule.js";
import { displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { readJsonFile } from "../readJson.js";

/**
 * Returns the rules of a file. A file with the ending .mjs, .js or .cjs is a module, and with a Node that runs
 * TypeScript one with .ts: its default export is a list of rules, or a function of {@link ruleTools} that returns one or a
 * promise of one. Every other file contains the options of `builtInRules` as JSON.
 */
export async function rulesFromFile(path: string): Promise<Rule[]> {
  if (!/\.[cm]?[jt]s$/i.test(path)) {
    return readJsonFile(path, "--rules", (options) => builtInRules(options as object));
  }
  try {
    return await rulesOfModule(path);
  } catch (error) {
    throw argumentInvalid(`Reading --rules ${displayText(path, 200)} failed: ${reasonOf(error)}`);
  }
}

type Values = Readonly<Record<string, unknown>>;

async function rulesOfModule(path: string): Promise<Rule[]> {
  const module = (await import(pathToFileURL(resolve(path)).href)) as { default?: unknown };
  // TypeScript compiles a default export to the member default of a CommonJS module, which is a default export itself.
  const { __esModule: isCompiled, default: inner } = Object(module.default) as Values;
  const exported = isCompiled === true ? inner : module.default;
  const rules =
    typeof exported === "function"
      ? await (exported as (tools: RuleTools) => unknown)(ruleTools)
      : exported;
  if (!Array.isArray(rules)) {
    throw argumentInvalid(
      "the default export must be a list of rules, or a function that returns one. " +
        "For example: export default ({ builtInRules }) => builtInRules();",
    );
  }
  // A rule is data, which also another copy of this package may have made.
  return rules.map((rule) => defineRule(rule as RuleDefinition));
}

/** Returns the message of an error, which may be one of the user's code, as a sentence. */
function reasonOf(error: unknown): string {
  if (error instanceof ProjectServiceError) return error.message;
  // The text of a parser can quote what it read.
  if (error instanceof SyntaxError) return "SyntaxError. To see it, run the file with node.";
  const text = error instanceof Error ? String(error) : `it threw ${inspect(error)}`;
  if (/: Unknown file extension "\.[cm]?ts" /.test(text)) {
    return "this Node does not run TypeScript. Compile the file, or use a newer Node.";
  }
  return `${displayText(text.replace(/^Error: |\.$/g, ""), 500)}.`;
}
