import { displayList, displayText } from "../errors/displayText.js";
import { argumentInvalid } from "../errors/projectServiceError.js";
import { compileValues, type ProjectFilter, scalarsAt } from "./projectFilter.js";

/** The values that projects have at the keys of filters, to say why a filter matches nothing. */
export class FilterValues {
  private readonly found: readonly (readonly [ProjectFilter, Set<string>])[];

  constructor(
    filters: readonly ProjectFilter[],
    /** Whether messages must contain no value. */
    private readonly isSecret: boolean,
  ) {
    this.found = filters.map((filter) => [filter, new Set()]);
  }

  /** Adds the values of a project, in list form or in full form. */
  add(project: object): void {
    for (const [{ key }, texts] of this.found) {
      for (const value of scalarsAt(project, key.split("."))) texts.add(String(value));
    }
  }

  /** @throws ProjectServiceError `ARGUMENT_INVALID` if an exact value exists in other letters only. */
  checkSpelling(): void {
    for (const [{ key, values, matchBy }, texts] of this.found) {
      const wanted = values.map(String);
      for (const value of matchBy === "substring" ? [] : wanted) {
        const isSame = (text: string) => text.toLowerCase() === value.toLowerCase();
        const similar = [...texts].find(isSame);
        if (similar === undefined || texts.has(value) || wanted.includes(similar)) continue;
        throw argumentInvalid(
          this.isSecret
            ? `No project has a secret value of the filter ${key}, but a project has it in other letters. Filters distinguish upper and lower case.`
            : `No project has the value ${displayText(value)} of the filter ${key}, but a project has ${displayText(similar)}. Filters distinguish upper and lower case.`,
        );
      }
    }
  }

  /** Returns a sentence with values that exist, for the first filter that matches none of them. */
  existing(): string {
    const unmatched = this.found.find(([filter, texts]) => ![...texts].some(compileValues(filter)));
    if (unmatched === undefined || this.isSecret) return "";
    const [{ key }, texts] = unmatched;
    return texts.size === 0
      ? ""
      : ` The values of ${key} are ${displayList([...texts].sort(), 5)}.`;
  }
}
