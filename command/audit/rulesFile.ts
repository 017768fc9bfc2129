import { readFileSync } from "node:fs";
import { houseRules, type HouseRulesOptions } from "../../audit/houseRules/houseRules.js";
import type { Rule } from "../../audit/rules/rule.js";
import { displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { parseJsonText } from "../parseJsonText.js";
import { rulesOfModule } from "./rulesModule.js";

/**
 * Returns the rules of a file. A file with the ending .mjs or .js is a module with rules. Every other
 * file contains the options of `houseRules` as JSON.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` that names the file.
 */
export async function rulesFromFile(path: string): Promise<Rule[]> {
  try {
    return /\.m?js$/.test(path) ? await rulesOfModule(path) : houseRules(optionsIn(path));
  } catch (error) {
    throw argumentInvalid(
      `Reading the rules in ${displayText(path, 200)} failed: ${reasonOf(error)}`,
    );
  }
}

function optionsIn(path: string): HouseRulesOptions {
  // Editors on Windows write a byte order mark.
  const text = readFileSync(path, "utf8").replace(/^\ufeff/, "");
  return parseJsonText(text, "It must contain an object with the options of the rules.") as object;
}

function reasonOf(error: unknown): string {
  if (error instanceof ProjectServiceError) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  // The parser gives up on JSON that is nested thousands of levels deep.
  return code === undefined ? "it is nested too deeply." : `${code}. Check the path in --rules.`;
}
