/*
 * The list of projects. The document does not show paging. Services of this kind use HAL, with a link
 * `_links.next.href` to the next page.
 */
import { IncompleteListError, InvalidResponseError } from "../errors/requestFailure.js";
import { didYouMean, displayList, displayText } from "../errors/displayText.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import type { ProjectSummary } from "../model/project.js";
import { isUrlSegment } from "../model/projectId.js";
import { mapSummary } from "../wire/mapping.js";
import type { HttpResponse } from "./http.js";
import { parseJson, validateProjectList, type WireProjectList } from "../wire/validate.js";

/** All pages, read one after the other. */
interface Reading {
  readonly projects: ReadonlyMap<string, ProjectSummary>;
  readonly pages: number;
  /** Why the projects are not the complete list. */
  readonly problem: string | undefined;
}

const maxReadings = 4;

/**
 * Reads the list. Several pages are read until two readings in a row have the same projects: if projects are
 * created or deleted meanwhile, others move from page to page, and one can be missing.
 *
 * @param maxProjects An endless list must not fill the memory.
 * @throws IncompleteListError, InvalidResponseError
 */
export async function readList(
  url: string,
  getPage: (url: string) => Promise<HttpResponse>,
  maxProjects = 1_000_000,
): Promise<readonly ProjectSummary[]> {
  let earlier: Reading | undefined;
  for (let number = 1; number <= maxReadings; number++) {
    const reading = await readPages(url, getPage, maxProjects);
    const { projects, pages, problem } = reading;
    const isSame = earlier?.problem === undefined && hasSameIds(earlier, reading);
    if (problem === undefined && (pages === 1 || isSame)) return [...projects.values()];
    if (pages === 1) throw new IncompleteListError(problem);
    earlier = reading;
  }
  throw new IncompleteListError(
    earlier?.problem ?? `its pages had other projects in each of ${maxReadings} readings`,
  );
}

function hasSameIds(earlier: Reading | undefined, { projects }: Reading): boolean {
  if (earlier?.projects.size !== projects.size) return false;
  return [...projects.keys()].every((id) => earlier.projects.has(id));
}

async function readPages(
  url: string,
  getPage: (url: string) => Promise<HttpResponse>,
  maxProjects: number,
): Promise<Reading> {
  const projects = new Map<string, ProjectSummary>();
  const announced: Announced = { ids: 0, idsInHeader: 0, pages: 0 };
  let next: string | undefined = url;
  for (let pages = 1; ; pages++) {
    const { body, headers } = await getPage(next);
    const page = validateProjectList(parseJson(body));
    const sizeBefore = projects.size;
    for (const wire of resourcesOf(page)) {
      const project = mapSummary(wire);
      if (!isUrlSegment(project.projectId)) {
        throw new InvalidResponseError("an _id cannot be part of an address");
      }
      if (projects.has(project.projectId)) {
        const problem = `it has project ${displayText(project.projectId)} twice`;
        return { projects, pages, problem };
      }
      projects.set(project.projectId, project);
    }
    if (projects.size > maxProjects) {
      throw new IncompleteListError(
        `it has more than ${maxProjects.toLocaleString("en")} projects`,
      );
    }
    next = nextAddress(page, next);
    addAnnounced(announced, page, headers);
    if (next === undefined) {
      const problem = signOfMore(page, headers, announced, projects.size, pages);
      return { projects, pages, problem };
    }
    if (projects.size === sizeBefore) {
      throw new IncompleteListError("a page has no new projects and links to a next page");
    }
  }
}

/** Spring HATEOAS leaves out what is empty: https://github.com/spring-projects/spring-hateoas/issues/522 */
function resourcesOf({ _embedded, _links, page }: WireProjectList): readonly object[] {
  if (_embedded !== undefined) return _embedded.projectResources;
  const isHal = [_links, page].some((value) => typeof value === "object" && value !== null);
  if (isHal) return [];
  throw new InvalidResponseError(
    "_embedded is missing. A service leaves it out if the user sees no project",
  );
}

/** Returns the address of the next page. It differs from that of the list in its query only. */
function nextAddress({ _links: links }: WireProjectList, address: string): string | undefined {
  const link = membersOf(links)["next"] ?? undefined;
  if (link === undefined) return undefined;
  const { href } = membersOf(link);
  if (typeof href !== "string" || !URL.canParse(href, address)) {
    throw new IncompleteListError("the link to the next page has no address");
  }
  const list = new URL(address);
  const { origin, username, password, pathname, search } = new URL(href, address);
  if (origin !== list.origin || username + password !== "" || pathname !== list.pathname) {
    throw new IncompleteListError("the next page has another address than the list");
  }
  list.search = search;
  return list.href;
}

/** The largest counts that the pages announce. The pages themselves are not kept, because there may be many. */
interface Announced {
  ids: number;
  idsInHeader: number;
  pages: number;
}

/* The fields that can say that there is more. Their names are without upper case and punctuation. */
const countOfIds = /^total(elements|items|count)?$/;
const countOfPages = /^totalpages$/;
const flags: [name: RegExp, saysMore: (value: unknown) => boolean][] = [
  [/^(next|hasmore|hasnext)/, Boolean],
  [/^last$/, (value) => value === false],
];

function addAnnounced(
  announced: Announced,
  page: WireProjectList,
  headers: HttpResponse["headers"],
): void {
  const add = (key: keyof Announced, value: unknown) =>
    void (announced[key] = Math.max(announced[key], largestIn(value)));
  add("idsInHeader", headers["x-total-count"]);
  for (const [name, value] of fieldsOf(page)) {
    if (countOfIds.test(name)) add("ids", value);
    if (countOfPages.test(name)) add("pages", value);
  }
}

/**
 * Returns how the last page says that there is more than the list shows, or an earlier one with its counts. No text of
 * them gets into the sentence.
 */
function signOfMore(
  lastPage: WireProjectList,
  headers: HttpResponse["headers"],
  announced: Announced,
  ids: number,
  pages: number,
): string | undefined {
  const shows = `it shows ${ids} projects, and the response says that there are more`;
  if (isNextLink(headers["link"] ?? "")) return `${shows} (header Link)`;
  if (headers["x-next-page"]) return `${shows} (header X-Next-Page)`;
  if (announced.idsInHeader > ids) return `${shows} (header X-Total-Count)`;
  const hasFlag = fieldsOf(lastPage).some(([name, value]) =>
    flags.some(([names, saysMore]) => names.test(name) && saysMore(value)),
  );
  const isMore = hasFlag || announced.ids > ids || announced.pages > pages;
  return isMore ? `${shows} (a field of the response)` : undefined;
}

/** Returns the fields of a page, and of its members page and meta. */
function fieldsOf(page: WireProjectList): [name: string, value: unknown][] {
  const top = namedFields(page);
  const inner = top.filter(([name]) => name === "page" || name === "meta");
  return [...top, ...inner.flatMap(([, value]) => namedFields(value))];
}

function namedFields(object: unknown): [name: string, value: unknown][] {
  const entries = Object.entries(membersOf(object));
  return entries.map(([key, value]) => [key.toLowerCase().replace(/[^a-z]/g, ""), value]);
}

/** Returns a count, which is a number or text. A header that was sent twice has two. */
function largestIn(value: unknown): number {
  const parts = typeof value === "string" ? value.split(",") : [value];
  return Math.max(...parts.map((part) => Number(part) || 0));
}

/** Whether a Link header has the relation "next" (RFC 8288), possibly among others. */
function isNextLink(header: string): boolean {
  const relations = [...header.matchAll(/;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/gi)];
  return relations.some(([, quoted, bare]) =>
    (quoted ?? bare ?? "").toLowerCase().split(/\s+/).includes("next"),
  );
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return (value ?? {}) as Record<string, unknown>;
}

/**
 * Returns the listed project with a name.
 *
 * @param isSecret whether an error must contain neither the name nor an id.
 * @throws ProjectServiceError `NOT_FOUND`, `AMBIGUOUS_NAME`
 */
export function findByName(
  name: string,
  projects: readonly ProjectSummary[],
  isSecret = false,
): ProjectSummary {
  const [match, ...others] = projects.filter((project) => project.name === name);
  const named = isSecret ? "with the given name" : `named "${displayText(name)}"`;
  if (match === undefined) {
    const names = projects.map((project) => project.name);
    const similar = isSecret ? "" : ` ${didYouMean(name, names, "projects")}.`;
    throw new ProjectServiceError(
      "NOT_FOUND",
      `There is no project ${named}.${similar} The user in the setting username has access to ${names.length} projects. The project may have been renamed or deleted in the service: restore it there, or change the program.`,
    );
  }
  if (others.length === 0) return match;
  const ids = displayList([match, ...others].map(({ projectId }) => projectId));
  throw new ProjectServiceError(
    "AMBIGUOUS_NAME",
    `There are ${others.length + 1} projects ${named}${isSecret ? "" : `: ${ids}`}. Pass projectId instead of name.`,
  );
}
