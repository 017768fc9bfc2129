/*
 * The list of projects. The document does not show paging. Services of this kind use HAL, with a link
 * `_links.next.href` to the next page.
 */
import { IncompleteListError, InvalidResponseError } from "../errors/requestFailure.js";
import { displayCount, displayText } from "../errors/displayText.js";
import type { ProjectSummary } from "../model/project.js";
import { isUrlSegment } from "../model/projectId.js";
import { mapSummary } from "../wire/mapping.js";
import type { HttpResponse } from "./http.js";
import { type Announced, addAnnounced, membersOf, signOfMore } from "./listEnd.js";
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
 * Reads the list. Several pages are read until two consecutive readings have the same projects: if projects are
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
    const isOnePage = pages === 1;
    if (isOnePage && problem !== undefined) throw new IncompleteListError(problem);
    if (isOnePage || isConfirmed(reading, earlier)) return [...projects.values()];
    earlier = reading;
  }
  throw new IncompleteListError(
    earlier?.problem ?? `its pages had different projects in each of ${maxReadings} readings`,
  );
}

/** Whether both readings are without a problem, and have the same projects. */
function isConfirmed({ projects, problem }: Reading, earlier: Reading | undefined): boolean {
  if (problem !== undefined || earlier === undefined || earlier.problem !== undefined) return false;
  if (projects.size !== earlier.projects.size) return false;
  return [...projects.keys()].every((id) => earlier.projects.has(id));
}

async function readPages(
  url: string,
  getPage: (url: string) => Promise<HttpResponse>,
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
        throw new InvalidResponseError("an _id cannot be part of a URL");
      }
      if (projects.has(project.projectId)) {
        const problem = `it has project ${displayText(project.projectId)} twice`;
        return { projects, pages, problem };
      }
      projects.set(project.projectId, project);
    }
    next = nextAddress(page, next);
    addAnnounced(announced, page, headers);
    if (next === undefined) {
      const sign = signOfMore(page, headers, announced, projects.size, pages);
      const problem = sign && moreProblem(projects.size, sign);
      return { projects, pages, problem };
    }
    if (projects.size === sizeBefore) {
      throw new IncompleteListError("a page has no new projects, but links to a next page");
    }
  }
}

function moreProblem(ids: number, sign: string): string {
  return `it shows ${displayCount(ids, "project")}, but the response says that there are more (${sign})`;
}

/** Spring HATEOAS leaves out what is empty: https://github.com/spring-projects/spring-hateoas/issues/522 */
function resourcesOf({ _embedded, _links, page }: WireProjectList): readonly object[] {
  if (_embedded !== undefined) return _embedded.projectResources;
  const isHal = [_links, page].some((value) => typeof value === "object" && value !== null);
  if (isHal) return [];
  throw new InvalidResponseError(
    "_embedded is missing. Some services omit it if the user has access to no project",
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
    throw new IncompleteListError("the link to the next page leads to another address");
  }
  list.search = search;
  return list.href;
}
