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
 * @throws IncompleteListError, InvalidResponseError
 */
export async function readList(
  url: string,
  getPage: (url: string) => Promise<HttpResponse>,
): Promise<readonly ProjectSummary[]> {
  let earlier: Reading | undefined;
  for (let number = 1; number <= maxReadings; number++) {
    const reading = await readPages(url, getPage);
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
): Promise<Reading> {
  const projects = new Map<string, ProjectSummary>();
  const read: [WireProjectList, HttpResponse["headers"]][] = [];
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
    next = nextAddress(page, next);
    read.push([page, headers]);
    if (next === undefined) {
      const signs = read.flatMap(
        (each, index) => signOfMore(...each, projects.size, pages, index === pages - 1) ?? [],
      );
      return { projects, pages, problem: signs[0] };
    }
    if (projects.size === sizeBefore) {
      throw new IncompleteListError("a page has no new projects and links to a next page");
    }
  }
}

function resourcesOf({ _embedded: embedded, page }: WireProjectList): readonly object[] {
  if (embedded !== undefined) return embedded.projectResources;
  // HAL leaves out what is empty.
  if (Number(membersOf(page)["totalElements"] ?? NaN) === 0) return [];
  throw new InvalidResponseError("_embedded is missing");
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

type Sign = [name: RegExp, saysMore: (value: unknown, ids: number, pages: number) => boolean];

/* The fields that can say that there is more. Their names are without upper case and punctuation. */
const flags: Sign[] = [
  [/^(next|hasmore|hasnext)/, (value) => Boolean(value)],
  [/^last$/, (value) => value === false],
];
const counts: Sign[] = [
  [/^total(elements|items|count)?$/, (value, ids) => isLarger(value, ids)],
  [/^totalpages$/, (value, _ids, pages) => isLarger(value, pages)],
];

/**
 * Returns how a page says that there is more than the list shows. No text of it gets into the sentence.
 *
 * @param isLast whether this is the last page. Of an earlier page, only the counts are compared.
 */
function signOfMore(
  page: WireProjectList,
  headers: HttpResponse["headers"],
  ids: number,
  pages: number,
  isLast: boolean,
): string | undefined {
  const shows = `it shows ${ids} projects, and the response says that there are more`;
  if (isLast && isNextLink(headers["link"] ?? "")) return `${shows} (header Link)`;
  if (isLast && headers["x-next-page"]) return `${shows} (header X-Next-Page)`;
  if (isLarger(headers["x-total-count"], ids)) return `${shows} (header X-Total-Count)`;
  const top = namedFields(page);
  const inner = top.filter(([name]) => name === "page" || name === "meta");
  const fields = [...top, ...inner.flatMap(([, value]) => namedFields(value))];
  const signs = isLast ? [...flags, ...counts] : counts;
  const hasSign = fields.some(([name, value]) =>
    signs.some(([names, saysMore]) => names.test(name) && saysMore(value, ids, pages)),
  );
  return hasSign ? `${shows} (a field of the response)` : undefined;
}

function namedFields(object: unknown): [name: string, value: unknown][] {
  const entries = Object.entries(membersOf(object));
  return entries.map(([key, value]) => [key.toLowerCase().replace(/[^a-z]/g, ""), value]);
}

/** Whether a count, as a number or text, is larger. A header that was sent twice has two. */
function isLarger(value: unknown, count: number): boolean {
  const parts = typeof value === "string" ? value.split(",") : [value];
  return parts.some((part) => Number(part) > count);
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
  isSecret: boolean,
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
