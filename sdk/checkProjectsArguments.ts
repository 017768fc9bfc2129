import { type MatchBy, matchBys, matcherOf } from "../provider/projectFilter.js";
import { filterKeys, listKeys, type ProjectFilterKey, sortKeys } from "../provider/projectKeys.js";
import { sortDirections } from "../provider/projectSort.js";
import { shown } from "../provider/shown.js";
import { argumentInvalid, checkKeys, checkLiteral, isPending } from "./checkArguments.js";

/**
 * Checks the arguments of a function that reads many projects. Of the Output form (its name ends so)
 * the values of filters may be pending; they are checked again when they are there.
 */
export function checkProjectsArguments(caller: string, args: object): void {
  checkKeys(`The arguments of ${caller}`, args, [
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
  checkLiteral(caller, "details", details, [true, false]);
  checkLiteral(caller, "includeCredentials", includeCredentials, [true, false]);
  checkLiteral(caller, "onInaccessible", onInaccessible, ["fail", "skip"]);
  if (details !== true) {
    for (const [key, value] of Object.entries({ includeCredentials, onInaccessible })) {
      if (value !== undefined) {
        throw argumentInvalid(`${caller} takes ${key} only with details: true.`);
      }
    }
  }
  for (const [index, filter] of elementsOf("filters", filters)) {
    checkFilter(caller, `filters[${index}]`, filter, details === true);
  }
  for (const [index, sort] of elementsOf("sorts", sorts)) {
    const place = `sorts[${index}]`;
    checkKeys(place, sort, ["key", "direction"]);
    const { key, direction } = sort as Record<string, unknown>;
    checkKey(place, key, sortKeys, details === true);
    checkLiteral(place, "direction", direction, sortDirections);
  }
}

function checkFilter(caller: string, place: string, filter: unknown, details: boolean): void {
  checkKeys(place, filter, ["key", "values", "matchBy", "all"]);
  const { key, values, matchBy, all } = filter as Record<string, unknown>;
  checkKey(place, key, filterKeys, details);
  checkLiteral(place, "matchBy", matchBy, matchBys);
  checkLiteral(place, "all", all, [true, false]);
  if (isPendingIn(caller, `${place}.values`, values)) return;
  if (!Array.isArray(values) || values.length === 0) {
    throw argumentInvalid(`${place} needs at least one value in values.`);
  }
  for (const [index, value] of values.entries()) {
    const valuePlace = `${place}.values[${index}]`;
    if (isPendingIn(caller, valuePlace, value)) continue;
    matcherOf(valuePlace, value, key as ProjectFilterKey, matchBy as MatchBy | undefined);
  }
}

function checkKey(place: string, key: unknown, ofDetails: object, details: boolean): void {
  const known = Object.keys(details ? ofDetails : listKeys);
  if (typeof key === "string" && known.includes(key)) return;
  const named = typeof key === "string" ? `no key ${shown(key)}` : "no string as key";
  const hint =
    !details && Object.hasOwn(ofDetails, String(key)) ? " With details: true it may be used." : "";
  throw argumentInvalid(`${place} has ${named}.${hint} The keys are ${known.join(", ")}.`);
}

function isPendingIn(caller: string, place: string, value: unknown): boolean {
  if (!isPending(value)) return false;
  if (caller.endsWith("Output")) return true;
  throw argumentInvalid(`${place} of ${caller} must be there. ${caller}Output takes Outputs.`);
}

function elementsOf(key: string, list: unknown): [number, unknown][] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw argumentInvalid(`${key} must be a list.`);
  return [...list.entries()];
}
