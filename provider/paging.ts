/*
 * How a list goes on. The document shows no paging. Services of this kind use HAL, with the next
 * page's address in `_links.next.href` and the count of all in `page.totalElements`: those are
 * followed. Other signs that there is more are not followed, but a list that has one of them is
 * incomplete.
 */
import type { WireProjectList } from "./schemas.js";

const maxPages = 10_000;

/** Why a list cannot be read to its end. */
export class Unfinished extends Error {}

/** One page of a list. */
export interface Page {
  readonly body: WireProjectList;
  /** Value of a header of the response, its name in lower case. */
  readonly header: (name: "link" | "x-total-count") => string | undefined;
}

/** Counts the pages and finds the next one. */
export class Paging {
  private readonly seen = new Set<string>();

  /**
   * The next page's address, or undefined after the last page. Throws {@link Unfinished}.
   *
   * @param hasNews whether the page has projects that no page before it had.
   */
  next({ body }: Page, address: string, hasNews: boolean): string | undefined {
    this.seen.add(address);
    const link = fieldsOf(body._links)["next"] ?? undefined;
    if (link === undefined) return undefined;
    const { href } = fieldsOf(link);
    const next =
      typeof href === "string" && URL.canParse(href, address) ? new URL(href, address) : undefined;
    // The origin of a blob: address is that of the address in it.
    if (next === undefined || !/^https?:$/.test(next.protocol)) {
      throw new Unfinished("its next page has no address");
    }
    if (next.origin !== new URL(address).origin) {
      throw new Unfinished("its next page is on another server");
    }
    if (next.username !== "" || next.password !== "") {
      throw new Unfinished("the address of its next page has a user name or a password");
    }
    next.hash = "";
    // Of pages that go on without end, each may have another address.
    if (!hasNews) throw new Unfinished("a page brings nothing new, and names a next one");
    if (this.seen.has(next.href)) throw new Unfinished("its pages go in a circle");
    if (this.seen.size >= maxPages) throw new Unfinished(`it has over ${maxPages} pages`);
    return next.href;
  }
}

/**
 * Why the list is longer than what it shows, although its last page has no next link in HAL.
 *
 * @param count how many projects all pages together show.
 */
export function signOfMore({ body, header }: Page, count: number): string | undefined {
  if (hasNextRelation(header("link"))) return "a Link header names a next page";
  const links = (body as { links?: unknown }).links;
  if (Array.isArray(links) && links.some((link) => fieldsOf(link)["rel"] === "next")) {
    return "links names a next page";
  }
  if ((body as { last?: unknown }).last === false) return "last is false";
  const { number, totalPages } = fieldsOf(body.page);
  const [page, pages] = [countIn(number), countIn(totalPages)];
  if (page !== undefined && pages !== undefined && page + 1 < pages) {
    return `it is page ${page + 1} of ${pages}`;
  }
  for (const [name, value] of [
    ["totalElements", (body as { totalElements?: unknown }).totalElements],
    ["X-Total-Count", header("x-total-count")],
  ] as const) {
    const total = countIn(value) ?? 0;
    if (total > count) return `it shows ${count} projects, and ${name} counts ${total}`;
  }
  return undefined;
}

/** How many projects there are on all pages, where a page says so in HAL. */
export function totalElements({ body }: Page): number | undefined {
  return countIn(fieldsOf(body.page)["totalElements"]);
}

/** By RFC 8288: `<address>; rel="next"`, with other relations in the same text or beside it. */
function hasNextRelation(link: string | undefined): boolean {
  return /;\s*rel\s*=\s*("[^"]*\bnext\b[^"]*"|next\b)/i.test(link ?? "");
}

/** A count as a number, or as its text. */
function countIn(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\s*\d+\s*$/.test(value) ? Number(value) : value;
  return Number.isInteger(number) ? (number as number) : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return (value ?? {}) as Record<string, unknown>;
}
