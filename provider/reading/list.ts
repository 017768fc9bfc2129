/* The list of projects. The service documents no pages. Services of this kind use HAL, with `_links.next.href`. */
import { IncompleteListError, InvalidResponseError } from "../errors/requestFailure.js";
import { displayCount, displayText } from "../errors/displayText.js";
import type { ProjectSummary } from "../model/project.js";
import { isUrlSegment } from "../model/projectId.js";
import { mapSummary } from "../wire/mapping.js";
import type { HttpResponse } from "../http/httpResponse.js";
import { type Announced, addAnnounced, membersOf, signOfMore } from "./listEnd.js";
import { parseJson, validateProjectList, type WireProjectList } from "../wire/validate.js";

const noEmbedded =
  "_embedded is missing. Some services omit it if the user has access to no project";

/**
 * Reads the list, with all its pages.
 *
 * @throws IncompleteListError, InvalidResponseError
 */
export async function readList(
  url: string,
  getPage: (url: string) => Promise<HttpResponse>,
): Promise<readonly ProjectSummary[]> {
  const projects = new Map<string, ProjectSummary>();
  const announced: Announced = { ids: 0, idsInHeader: 0, pages: 0 };
  let next: string | undefined = url;
  for (let pages = 1; ; pages++) {
    const { body, headers } = await getPage(next);
    const page = validateProjectList(parseJson(body));
    const sizeBefore = projects.size;
    // Also errors and single projects have _links. Pulumi would delete for an empty list.
    if (page._embedded === undefined) throw new InvalidResponseError(noEmbedded);
    for (const wire of page._embedded.projectResources) {
      const project = mapSummary(wire);
      if (!isUrlSegment(project.projectId)) {
        throw new InvalidResponseError("an _id cannot be part of a URL");
      }
      if (projects.has(project.projectId)) {
        throw new IncompleteListError(`it has project ${displayText(project.projectId)} twice`);
      }
      projects.set(project.projectId, project);
    }
    next = nextAddress(page, next);
    addAnnounced(announced, page, headers);
    if (next === undefined) {
      const sign = signOfMore(page, headers, announced, projects.size, pages);
      if (sign === undefined) return [...projects.values()];
      const shown = displayCount(projects.size, "project");
      throw new IncompleteListError(
        `it shows ${shown}, but the response says that there are more (${sign})`,
      );
    }
    if (projects.size === sizeBefore) {
      throw new IncompleteListError("a page has no new projects, but links to a next page");
    }
  }
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
