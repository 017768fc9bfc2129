import { argumentInvalid } from "../../provider/errors/argumentInvalid.js";
import { type MatchBy, matchBys, compileMatcher } from "../../provider/model/projectFilter.js";
import {
  filterKeys,
  listKeys,
  type ProjectFilterKey,
  sortKeys,
} from "../../provider/model/filterAndSortKeys.js";
import { sortDirections } from "../../provider/model/projectSort.js";
import { displayText } from "../../provider/errors/displayText.js";
import { type Caller, checkKeys, checkLiteral, checkPending } from "./checkArguments.js";

/** Checks the arguments of a function that reads many projects. */
export function checkProjectsArguments(caller: Caller, args: object): void {
  const { name } = caller;
  checkKeys(`The arguments of ${name}`, args, [
    "filters",
    "sorts",
    "details",
    "includeCredentials",
    "onInaccessible",
  ]);
  const { filters, sorts, details, includeCredentials, onInaccessible } = args as Record<
    string,
    unknown
  >;
  checkLiteral(name, "details", details, [true, false]);
  checkLiteral(name, "includeCredentials", includeCredentials, [true, false]);
  checkLiteral(name, "onInaccessible", onInaccessible, ["fail", "skip"]);
  if (details !== true) {
    for (const [key, value] of Object.entries({ includeCredentials, onInaccessible })) {
      if (value !== undefined) {
        throw argumentInvalid(`${name} accepts ${key} only with details: true.`);
      }
    }
  }
  checkFilters(caller, filters, details === true);
  for (const [index, sort] of elementsOf("sorts", sorts)) {
    const place = `sorts[${index}]`;
    checkKeys(place, sort, ["key", "direction"]);
    const { key, direction } = sort as Record<string, unknown>;
    checkKey(place, key, sortKeys, details === true);
    checkLiteral(place, "direction", direction, sortDirections);
  }
}

/** Checks the filters of a function or of a resource. */
export function checkFilters(caller: Caller, filters: unknown, details: boolean): void {
  for (const [index, filter] of elementsOf("filters", filters)) {
    checkFilter(caller, `filters[${index}]`, filter, details);
  }
}

function checkFilter(caller: Caller, place: string, filter: unknown, details: boolean): void {
  checkKeys(place, filter, ["key", "values", "matchBy", "all"]);
  const { key, values, matchBy, all } = filter as Record<string, unknown>;
  checkKey(place, key, filterKeys, details);
  checkLiteral(place, "matchBy", matchBy, matchBys);
  checkLiteral(place, "all", all, [true, false]);
  if (checkPending(caller, `${place}.values`, values)) return;
  if (!Array.isArray(values)) {
    throw argumentInvalid(`values of ${place} must be a list, such as values: ["TYPO3"].`);
  }
  if (values.length === 0) {
    throw argumentInvalid(`values of ${place} must contain at least one value.`);
  }
  for (const [index, value] of values.entries()) {
    const valuePlace = `${place}.values[${index}]`;
    if (checkPending(caller, valuePlace, value)) continue;
    compileMatcher(valuePlace, value, key as ProjectFilterKey, matchBy as MatchBy | undefined);
  }
}

function checkKey(place: string, key: unknown, detailKeys: object, details: boolean): void {
  const known = Object.keys(details ? detailKeys : listKeys);
  if (typeof key === "string" && known.includes(key)) return;
  const problem =
    typeof key === "string"
      ? `has the unknown key ${displayText(key)}`
      : "must have a string as key";
  const hint =
    !details && Object.hasOwn(detailKeys, String(key)) ? " That key needs details: true." : "";
  throw argumentInvalid(`${place} ${problem}.${hint} The keys are ${known.join(", ")}.`);
}

function elementsOf(key: string, list: unknown): [number, unknown][] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw argumentInvalid(`${key} must be a list of objects.`);
  return [...list.entries()];
}
