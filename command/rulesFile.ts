import { readFileSync } from "node:fs";
import { argumentInvalid } from "../provider/errors/argumentInvalid.js";
import { houseRules, type HouseRulesOptions } from "../audit/rules/houseRules.js";
import type { Rule } from "../audit/rules/rule.js";
import { displayText } from "../provider/errors/displayText.js";
import { ProjectServiceError } from "../provider/errors/projectServiceError.js";
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
      : houseRules(parse(read(path)) as HouseRulesOptions);
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw argumentInvalid(
      "the file is not valid JSON. It must contain an object with the options of the rules.",
    );
  }
}
