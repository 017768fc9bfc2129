import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { houseRules, type RulesFunction, ruleTools } from "../../audit/houseRules/houseRules.js";
import { defineRule } from "../../audit/rules/defineRule.js";
import type { Rule, RuleDefinition } from "../../audit/rules/rule.js";
import { displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { parseJsonText } from "../parseJsonText.js";

/**
 * Returns the rules of a file. A file with the ending .mjs, .js or .cjs is a module, and with a Node that runs
 * TypeScript one with .ts: its default export is a list of rules, or a function of
 * `{ houseRules, defineRule, violated, indeterminate }` that returns one. A module may await at its top. Every other file
 * contains the options of `houseRules` as JSON.
 */
export async function rulesFromFile(path: string): Promise<Rule[]> {
  try {
    if (/\.[cm]?[jt]s$/i.test(path)) return await rulesOfModule(path);
    const content = "It must contain an object with the options of the rules.";
    return houseRules(parseJsonText(readFileSync(path, "utf8"), content) as object);
  } catch (error) {
    throw argumentInvalid(`Reading --rules ${displayText(path, 200)} failed: ${reasonOf(error)}`);
  }
}

async function rulesOfModule(path: string): Promise<Rule[]> {
  const { default: exported } = (await import(pathToFileURL(resolve(path)).href)) as {
    default?: unknown;
  };
  const rules = typeof exported === "function" ? (exported as RulesFunction)(ruleTools) : exported;
  if (!Array.isArray(rules)) {
    throw argumentInvalid(
      "the default export must be a list of rules, or a function that returns one. " +
        "For example: export default ({ houseRules }) => houseRules();",
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
