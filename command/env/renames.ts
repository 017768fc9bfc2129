import { didYouMean, displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { isVariableName, type Variable } from "./variables.js";

/**
 * Returns the new names of variables by their old ones, from the values of `--rename`.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID`
 */
export function parseRenames(texts: readonly string[]): ReadonlyMap<string, string> {
  const renames = new Map<string, string>();
  for (const text of texts) {
    const [, ours = "", theirs = ""] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    if (ours === "" || !isVariableName(theirs)) {
      throw argumentInvalid(
        `--rename ${displayText(text)} must be <old>=<new>. The new name may contain only letters, digits and underscores, and must not start with a digit.`,
      );
    }
    if (renames.has(ours)) throw argumentInvalid(`--rename renames ${displayText(ours)} twice.`);
    renames.set(ours, theirs);
  }
  return renames;
}

/** @throws ProjectServiceError `ARGUMENT_INVALID` if there is no such variable, or another one has the new name. */
export function renamed(
  variables: readonly Variable[],
  renames: ReadonlyMap<string, string>,
): Variable[] {
  const known = variables.map(({ name }) => name);
  for (const ours of renames.keys()) {
    if (known.includes(ours)) continue;
    const isLeftOut = (part: RegExp) => part.test(ours) && !known.some((name) => part.test(name));
    const advice =
      isLeftOut(/DATABASE_/) || isLeftOut(/DATABASE_URL$/)
        ? "--credentials adds the variables of a database, and --database-url adds its URL"
        : didYouMean(ours, known, "variables");
    throw argumentInvalid(`--rename: there is no variable ${displayText(ours)}. ${advice}.`);
  }
  const names = new Set<string>();
  return variables.map((variable) => {
    const name = renames.get(variable.name) ?? variable.name;
    if (names.has(name)) {
      throw argumentInvalid(`--rename: two variables would have the name ${name}.`);
    }
    names.add(name);
    return { ...variable, name };
  });
}
