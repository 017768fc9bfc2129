import type * as Re2js from "re2js";
import { ProjectServiceError } from "./errors.js";
import {
  filterKeys,
  listKeys,
  type Kind,
  type ProjectFilterKey,
  scalarsAt,
} from "./projectKeys.js";

/** Lets pass the projects in which a fact has one of some values. */
export interface ProjectFilter<K extends ProjectFilterKey = ProjectFilterKey> {
  /** The fact. A path through lists, such as `environments.branch.name`, is all they have there. */
  key: K;
  /** At least one. A number or boolean may also be given as its text. */
  values: (string | number | boolean)[];
  /**
   * How a value is compared: with the whole (`exact`, the default), as a part of it (`substring`), or
   * as a regular expression in RE2 syntax that is looked for anywhere in it (`re`).
   */
  matchBy?: MatchBy;
  /** Whether all values have to be met, for instance each by one of a list, and not just one. */
  all?: boolean;
}

export type MatchBy = (typeof matchBys)[number];

export const matchBys = ["exact", "re", "substring"] as const;

/** True for the projects that a filter lets pass; those that lack the fact are not among them. */
export type ProjectTest = (project: object) => boolean;

/**
 * One test of several filters, which all have to let a project pass.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID`
 */
export function testOf(filters: readonly ProjectFilter[]): ProjectTest {
  const tests = filters.map(({ key, values, matchBy, all = false }, index): ProjectTest => {
    const path = key.split(".");
    const matchers = values.map((value, number) =>
      matcherOf(`filters[${index}].values[${number}]`, value, key, matchBy),
    );
    return (project) => {
      const texts = scalarsAt(project, path).map(String);
      const isMet = (matcher: Matcher): boolean => texts.some(matcher);
      return all ? matchers.every(isMet) : matchers.some(isMet);
    };
  });
  return (project) => tests.every((test) => test(project));
}

/** True where the list form suffices, so that no project has to be read for it. */
export function isOfListForm({ key }: ProjectFilter): boolean {
  return Object.hasOwn(listKeys, key);
}

type Matcher = (text: string) => boolean;

/**
 * How one value of a filter is compared.
 *
 * @param place of the value, for the message: the value itself may be secret.
 * @throws ProjectServiceError `ARGUMENT_INVALID` for a value that can match nothing, or that all match.
 */
export function matcherOf(
  place: string,
  value: unknown,
  key: ProjectFilterKey,
  matchBy: MatchBy = "exact",
): Matcher {
  if (matchBy === "exact") {
    if (!isOfKind(value, filterKeys[key]))
      throw refused(place, `must be a ${filterKeys[key]}, as ${key} is`);
    const text = String(value);
    return (candidate) => candidate === text;
  }
  if (typeof value !== "string" || value === "") {
    throw refused(place, `must be a string that is not empty, with matchBy ${matchBy}`);
  }
  return matchBy === "re" ? search(place, value) : (candidate) => candidate.includes(value);
}

/** Of a number or a boolean also the text. */
function isOfKind(value: unknown, kind: Kind): boolean {
  if (typeof value === kind) return !Number.isNaN(value);
  if (kind === "number") return value === String(Number(value)) && value !== "NaN";
  return kind === "boolean" && (value === "true" || value === "false");
}

/** By RE2, in time that grows with the text and no faster: JavaScript's own would backtrack. */
function search(place: string, pattern: string): Matcher {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only where there is one
  const { RE2JS, RE2JSSyntaxException } = require("re2js") as typeof Re2js;
  try {
    const compiled = RE2JS.compile(pattern);
    return (candidate) => compiled.test(candidate);
  } catch (error) {
    const reason = error instanceof RE2JSSyntaxException ? error.getDescription() : "not usable";
    throw refused(place, `is no regular expression in RE2 syntax: ${reason}`);
  }
}

function refused(place: string, reason: string): ProjectServiceError {
  return new ProjectServiceError("ARGUMENT_INVALID", `${place} ${reason}.`);
}
