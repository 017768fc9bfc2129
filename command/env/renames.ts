import { didYouMean, displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { isVariableName, type NamedField } from "./variables.js";

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
  fields: readonly NamedField[],
  renames: ReadonlyMap<string, string>,
): NamedField[] {
  const known = fields.map(({ name }) => name);
  for (const ours of renames.keys()) {
    if (known.includes(ours)) continue;
    const advice = didYouMean(ours, known, "variables");
    throw argumentInvalid(`--rename: there is no variable ${displayText(ours)}. ${advice}.`);
  }
  const names = new Set<string>();
  return fields.map((field) => {
    const name = renames.get(field.name) ?? field.name;
    if (names.has(name)) {
      throw argumentInvalid(`--rename: two variables would have the name ${name}.`);
    }
    names.add(name);
    return { ...field, name };
  });
}
