import { readFileSync } from "node:fs";
import { ProjectServiceError } from "../provider/errors.js";
import { shown } from "../provider/shown.js";
import { houseRules, type HouseRulesOptions } from "./houseRules.js";
import type { Rule } from "./rule.js";

/**
 * The rules that a JSON file configures: it holds what `houseRules` takes.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID`
 */
export function rulesFromFile(path: string): Rule[] {
  try {
    return houseRules(parse(path) as HouseRulesOptions);
  } catch (error) {
    if (!(error instanceof ProjectServiceError)) throw error;
    throw new ProjectServiceError(error.code, `${shown(path, 200)}: ${error.message}`);
  }
}

function parse(path: string): unknown {
  const text = read(path);
  try {
    return JSON.parse(text);
  } catch {
    throw new ProjectServiceError("ARGUMENT_INVALID", "This is not JSON.");
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new ProjectServiceError("ARGUMENT_INVALID", `The file cannot be read (${code}).`);
  }
}
