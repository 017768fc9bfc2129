import { displayText } from "../errors/displayText.js";
import { argumentInvalid } from "../errors/projectServiceError.js";
import type { ProjectFilter } from "../model/projectFilter.js";
import { checkArgument } from "./validate.js";

/**
 * Returns the filter that a text names: `<key>=<value>` or `<key>*=<value>`.
 *
 * @param place where the text is, for messages, such as `--filter`.
 * @throws ProjectServiceError `ARGUMENT_INVALID`
 */
export function parseFilterText(place: string, text: string): ProjectFilter {
  const [, key, operator, value] = /^([^=*]*)(\*?=)(.*)$/s.exec(text) ?? [];
  const option = `${place} ${displayText(text, 200)}`;
  if (operator === undefined) {
    throw argumentInvalid(
      `${option} must be a key, an operator and a value, such as name*=shop. The operators are = for the whole value and *= for a part of it.`,
    );
  }
  const matchBy = operator === "=" ? "exact" : "substring";
  const filter = { key, values: [value], matchBy };
  const at = (path: string) => `${option}: the ${path === "key" ? "key" : "value"}`;
  return checkArgument("isFilter", filter, option, at);
}
