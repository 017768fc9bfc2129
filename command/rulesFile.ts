import { readFileSync } from "node:fs";
import { argumentInvalid, ProjectServiceError } from "../provider/errors/projectServiceError.js";
import { houseRules, type HouseRulesOptions } from "../audit/houseRules/houseRules.js";
import type { Rule } from "../audit/rules/rule.js";
import { displayText } from "../provider/errors/displayText.js";
import { parseJsonText } from "./parseJsonText.js";
import { rulesOfModule } from "./rulesModule.js";

/**
 * Returns the rules of a file. A file with the ending .mjs or .js is a module with rules. Every other
 * file contains the options of `houseRules` as JSON.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID`
 */
export async function rulesFromFile(path: string): Promise<Rule[]> {
  try {
    return /\.m?js$/.test(path)
      ? await rulesOfModule(path)
      : houseRules(
          parseJsonText(
            read(path),
            "It must contain an object with the options of the rules.",
          ) as HouseRulesOptions,
        );
  } catch (error) {
    if (!(error instanceof ProjectServiceError)) throw error;
    throw new ProjectServiceError(
      error.code,
      `Reading the rules in ${displayText(path, 200)} failed: ${error.message}`,
    );
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw argumentInvalid(`${code}. Check the path in --rules.`);
  }
}
