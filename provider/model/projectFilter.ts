import type * as Re2js from "re2js";
import { argumentInvalid } from "../errors/argumentInvalid.js";
import type { ProjectServiceError } from "../errors/projectServiceError.js";
import {
  filterKeys,
  listKeys,
  type Kind,
  type ProjectFilterKey,
  scalarsAt,
} from "./filterAndSortKeys.js";

/** Selects projects by the value of a field. */
export interface ProjectFilter<K extends ProjectFilterKey = ProjectFilterKey> {
  /**
   * The path of the field. A path through lists, such as `environments.branch.name`, stands for the
   * values of all elements.
   */
  key: K;
  /** At least one value. A number or boolean may also be given as text. */
  values: (string | number | boolean)[];
  /**
   * How values are compared: `exact` (default) with the whole field, `substring` with any part of it,
   * `re` as a regular expression in RE2 syntax that may match anywhere in it.
   */
  matchBy?: MatchBy;
  /**
   * Whether each of the `values` must match, for instance another element of a list each. Default
   * false: one matching value is enough.
   */
  all?: boolean;
}

export type MatchBy = (typeof matchBys)[number];

export const matchBys = ["exact", "re", "substring"] as const;

/** Whether a project matches. A project without the field does not. */
export type ProjectPredicate = (project: object) => boolean;

/**
 * Makes one predicate from several filters. A project must match all of them.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID`
 */
export function compileFilters(filters: readonly ProjectFilter[]): ProjectPredicate {
  const tests = filters.map(({ key, values, matchBy, all = false }, index): ProjectPredicate => {
    const path = key.split(".");
    const matchers = values.map((value, number) =>
      compileMatcher(`filters[${index}].values[${number}]`, value, key, matchBy),
    );
    return (project) => {
      const texts = scalarsAt(project, path).map(String);
      const isMatched = (matcher: Matcher): boolean => texts.some(matcher);
      return all ? matchers.every(isMatched) : matchers.some(isMatched);
    };
  });
  return (project) => tests.every((test) => test(project));
}

/** Whether a filter can be applied to the list form, before any project is read. */
export function appliesToListForm({ key }: ProjectFilter): boolean {
  return Object.hasOwn(listKeys, key);
}

type Matcher = (text: string) => boolean;

/**
 * Makes the comparison with one value of a filter.
 *
 * @param place where the value is, for the message. The value itself may be secret.
 * @throws ProjectServiceError `ARGUMENT_INVALID` for a value that matches nothing or everything.
 */
export function compileMatcher(
  place: string,
  value: unknown,
  key: ProjectFilterKey,
  matchBy: MatchBy = "exact",
): Matcher {
  if (matchBy === "exact") {
    if (!isOfKind(value, filterKeys[key]))
      throw refused(
        place,
        `must be a ${filterKeys[key]}, because the field ${key} is a ${filterKeys[key]}`,
      );
    const text = String(value);
    return (candidate) => candidate === text;
  }
  if (typeof value !== "string" || value === "") {
    throw refused(place, `must be a non-empty string if matchBy is ${matchBy}`);
  }
  return matchBy === "re" ? search(place, value) : (candidate) => candidate.includes(value);
}

/** Accepts the text of a number or a boolean as well. */
function isOfKind(value: unknown, kind: Kind): boolean {
  if (typeof value === kind) return !Number.isNaN(value);
  if (kind === "number") return value === String(Number(value)) && value !== "NaN";
  return kind === "boolean" && (value === "true" || value === "false");
}

/** Uses RE2, whose time is linear in the length of the text. JavaScript's own patterns backtrack. */
function search(place: string, pattern: string): Matcher {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only if a filter has a pattern
  const { RE2JS, RE2JSSyntaxException } = require("re2js") as typeof Re2js;
  try {
    const compiled = RE2JS.compile(pattern);
    return (candidate) => compiled.test(candidate);
  } catch (error) {
    const reason =
      error instanceof RE2JSSyntaxException ? error.getDescription() : "it cannot be compiled";
    throw refused(
      place,
      `is not a regular expression in RE2 syntax (${reason}). RE2 has no lookahead, lookbehind and backreferences`,
    );
  }
}

function refused(place: string, reason: string): ProjectServiceError {
  return argumentInvalid(`${place} ${reason}.`);
}
