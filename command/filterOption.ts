import { displayText } from "../provider/errors/displayText.js";
import { argumentInvalid } from "../provider/errors/projectServiceError.js";
import type { ProjectFilter } from "../provider/model/projectFilter.js";
import { checkArgument } from "../provider/wire/validate.js";

/** Returns the filter that a value of `--filter` names: `<key>=<value>` or `<key>*=<value>`. */
export function parseFilter(text: string): ProjectFilter {
  const [, key, operator, value] = /^([^=*]*)(\*?=)(.*)$/s.exec(text) ?? [];
  const option = `--filter ${displayText(text, 200)}`;
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
