/*
 * How a list continues. The document does not show paging. Services of this kind use HAL: the link
 * `_links.next.href` to the next page, and the total count in `page.totalElements`. These links are
 * followed. Other signs of further pages are not followed: a list with such a sign is incomplete.
 */
import { IncompleteListError } from "../errors/internalErrors.js";
import type { WireProjectList } from "./schemas.js";

const maxPages = 10_000;

/** One page of a list. */
export interface Page {
  readonly body: WireProjectList;
  /** Returns a header of the response. */
  readonly header: (name: "link" | "x-total-count") => string | undefined;
}

/** Finds the next page, and guards against endless paging. */
export class Paging {
  private readonly seen = new Set<string>();

  /**
   * Returns the address of the next page, or undefined after the last page.
   *
   * @param hasNews whether the page has projects that no earlier page had.
   * @throws IncompleteListError
   */
  next({ body }: Page, address: string, hasNews: boolean): string | undefined {
    this.seen.add(address);
    const link = fieldsOf(body._links)["next"] ?? undefined;
    if (link === undefined) return undefined;
    const { href } = fieldsOf(link);
    const next =
      typeof href === "string" && URL.canParse(href, address) ? new URL(href, address) : undefined;
    // The origin of a blob: address is the origin of the address inside.
    if (next === undefined || !/^https?:$/.test(next.protocol)) {
      throw new IncompleteListError("the link to the next page has no address");
    }
    if (next.origin !== new URL(address).origin) {
      throw new IncompleteListError("the next page is on another server");
    }
    if (next.username !== "" || next.password !== "") {
      throw new IncompleteListError("the address of the next page has a user name or a password");
    }
    next.hash = "";
    // In endless paging, every page may have an address of its own.
    if (!hasNews)
      throw new IncompleteListError("a page has no new projects and links to a next page");
    if (this.seen.has(next.href))
      throw new IncompleteListError("the pages link to each other in a circle");
    if (this.seen.size >= maxPages)
      throw new IncompleteListError(`there are more than ${maxPages} pages`);
    return next.href;
  }
}

/**
 * Returns the reason why the list continues although its last page has no next link, or undefined.
 *
 * @param count the number of projects on all pages.
 */
export function signOfMore({ body, header }: Page, count: number): string | undefined {
  if (hasNextRelation(header("link"))) return "a Link header names a next page";
  const links = (body as { links?: unknown }).links;
  if (Array.isArray(links) && links.some((link) => fieldsOf(link)["rel"] === "next")) {
    return "links names a next page";
  }
  if ((body as { last?: unknown }).last === false)
    return "the field last of the last page is false";
  const { number, totalPages } = fieldsOf(body.page);
  const [page, pages] = [countIn(number), countIn(totalPages)];
  if (page !== undefined && pages !== undefined && page + 1 < pages) {
    return `the last page is page ${page + 1} of ${pages}`;
  }
  for (const [name, value] of [
    ["totalElements", (body as { totalElements?: unknown }).totalElements],
    ["X-Total-Count", header("x-total-count")],
  ] as const) {
    const total = countIn(value) ?? 0;
    if (total > count) return `it has ${count} projects, but ${name} is ${total}`;
  }
  return undefined;
}

/** Returns the total count that a page has in HAL. */
export function totalElements({ body }: Page): number | undefined {
  return countIn(fieldsOf(body.page)["totalElements"]);
}

/** Whether a Link header has the relation "next" (RFC 8288), possibly among others. */
function hasNextRelation(link: string | undefined): boolean {
  return /;\s*rel\s*=\s*("[^"]*\bnext\b[^"]*"|next\b)/i.test(link ?? "");
}

/** Reads a count that is a number or its text. */
function countIn(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
  return Number.isInteger(number) ? (number as number) : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return (value ?? {}) as Record<string, unknown>;
}
