import { argumentInvalid, unknownKey } from "../errors/projectServiceError.js";
import { displayText } from "../errors/displayText.js";
import {
  compileMatcher,
  filterKeys,
  type MatchBy,
  type ProjectFilter,
  type ProjectFilterKey,
} from "./selection.js";

const operators: Readonly<Record<string, MatchBy>> = {
  "=": "exact",
  "*=": "substring",
  "~=": "re",
};

/**
 * Returns the filter that a text names: `<key>=<value>`, `<key>*=<value>` or `<key>~=<value>`.
 *
 * @param place where the text is, for messages, such as `--filter`.
 * @throws ProjectServiceError `ARGUMENT_INVALID`
 */
export function parseFilterText(place: string, text: string): ProjectFilter {
  const [, key = "", operator = "", value = ""] = /^([^=*~]*)([*~]?=)(.*)$/s.exec(text) ?? [];
  const option = `${place} ${displayText(text, 200)}`;
  const matchBy = operators[operator];
  if (matchBy === undefined) {
    throw argumentInvalid(
      `${option} must be a key, an operator and a value, such as name*=shop. The operators are = for the whole value, *= for a part of it and ~= for a regular expression.`,
    );
  }
  if (!isFilterKey(key)) throw unknownKey(option, key, Object.keys(filterKeys));
  compileMatcher(`The value of ${option}`, value, key, matchBy);
  return { key, values: [value], matchBy };
}

function isFilterKey(key: string): key is ProjectFilterKey {
  return Object.hasOwn(filterKeys, key);
}
