import { displayText } from "../provider/errors/displayText.js";
import { argumentInvalid } from "../provider/errors/projectServiceError.js";

/** A part of a command line, as `parseArgs` of Node returns it. */
interface Token {
  readonly kind: string;
  readonly name?: string;
  readonly value?: string | undefined;
}

/**
 * Refuses an option that is given twice, because the first one would be ignored, and one without a value, which
 * an unset variable of a CI job leaves.
 */
export function checkOptions(tokens: readonly Token[], repeatable: readonly string[] = []): void {
  const empty = tokens.find(({ kind, value }) => kind === "option" && value === "")?.name;
  if (empty !== undefined) {
    throw argumentInvalid(`--${empty} is empty. Give it a value, or leave it out.`);
  }
  const names = tokens.flatMap(({ kind, name }) =>
    kind === "option" && name !== undefined && !repeatable.includes(name) ? [name] : [],
  );
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated === undefined) return;
  throw argumentInvalid(`--${repeated} is given more than once. Give it once.`);
}

/** Returns the value of an option that takes one of several words. */
export function wordOption<W extends string>(
  option: string,
  text: string | undefined,
  words: readonly W[],
): W {
  const known = words.find((word) => word === text);
  if (known !== undefined) return known;
  const given = text === undefined ? "is missing and" : displayText(text);
  throw argumentInvalid(`${option} ${given} must be one of ${words.join(", ")}.`);
}
