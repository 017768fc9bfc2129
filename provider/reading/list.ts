/*
 * The list of projects. The service documents no pages. The fields are those of HAL, which has `_links.next.href`:
 * https://datatracker.ietf.org/doc/html/draft-kelly-json-hal
 */
import { incompleteList, InvalidResponseError } from "../errors/requestFailure.js";
import { displayCount, displayNumber, displayText } from "../errors/displayText.js";
import type { HttpResponse } from "../http/httpResponse.js";
import type { ProjectSummary } from "../model/project.js";
import { isUrlSegment } from "../model/projectId.js";
import { mapSummary } from "../wire/mapping.js";
import { parseJson, validateProjectList, type WireProjectList } from "../wire/validate.js";

const noEmbedded =
  "_embedded is missing. Some services omit it if the user has access to no project";

/** Reads all pages. Throws RequestFailure `LIST_INCOMPLETE`, InvalidResponseError. */
export async function readList(
  url: string,
  getPage: (url: string) => Promise<HttpResponse>,
): Promise<readonly ProjectSummary[]> {
  const projects = new Map<string, ProjectSummary>();
  // The largest of any page: a project that is deleted between two pages hides another one.
  let [totalPages, totalElements] = [0, 0];
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
        throw incompleteList(`it has project ${displayText(project.projectId)} twice`);
      }
      projects.set(project.projectId, project);
    }
    const counts = asObject(page.page);
    totalPages = Math.max(totalPages, Number(counts["totalPages"]) || 0);
    totalElements = Math.max(totalElements, Number(counts["totalElements"]) || 0);
    next = nextAddress(page, next);
    if (next !== undefined) {
      if (projects.size > sizeBefore) continue;
      throw incompleteList("a page has no new projects, but links to a next page");
    }
    const sign = isNextLink(headers["link"] ?? "")
      ? 'the header Link of its last page has rel="next"'
      : totalPages > pages
        ? `page.totalPages is ${displayNumber(totalPages)}`
        : totalElements > projects.size
          ? `page.totalElements is ${displayNumber(totalElements)}`
          : undefined;
    if (sign === undefined) return [...projects.values()];
    const shown = `${displayCount(projects.size, "project")} on ${displayCount(pages, "page")}`;
    throw incompleteList(`it shows ${shown}, but ${sign}`);
  }
}

/** Returns the address of the next page. It differs from that of the list in its query only. */
function nextAddress({ _links: links }: WireProjectList, address: string): string | undefined {
  const { next } = asObject(links);
  const link: unknown = Array.isArray(next) && next.length < 2 ? next[0] : next;
  if (link === undefined || link === null) return undefined;
  const { href } = asObject(link);
  if (typeof href !== "string" || !URL.canParse(href, address)) {
    throw incompleteList("the link to the next page has no address");
  }
  const list = new URL(address);
  const { origin, username, password, pathname, search } = new URL(href, address);
  if (origin !== list.origin || username + password !== "" || pathname !== list.pathname) {
    throw incompleteList("the link to the next page leads to another address");
  }
  list.search = search;
  return list.href;
}

/** Whether a Link header has the relation "next" (RFC 8288), possibly among others. */
function isNextLink(header: string): boolean {
  const relations = [...header.matchAll(/;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/gi)];
  return relations.some(([, quoted, bare]) =>
    (quoted ?? bare ?? "").toLowerCase().split(/\s+/).includes("next"),
  );
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return (value ?? {}) as Record<string, unknown>;
}
