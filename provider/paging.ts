/*
 * How a list goes on. The document shows no paging; services of this kind use HAL, with the next
 * page's address in `_links.next.href` and the count of all in `page.totalElements`.
 */
import type { WireProjectList } from "./schemas.js";

const maxPages = 10_000;

/** Why a list cannot be read to its end. */
export class Unfinished extends Error {}

/** Counts the pages and finds the next one. */
export class Paging {
  private readonly seen = new Set<string>();

  /**
   * The next page's address, or undefined after the last page. Throws {@link Unfinished}.
   *
   * @param hasNews whether the page has projects that no page before it had.
   */
  next(page: WireProjectList, address: string, hasNews: boolean): string | undefined {
    this.seen.add(address);
    const link = (page._links as { next?: unknown } | null | undefined)?.next ?? undefined;
    if (link === undefined) return undefined;
    const { href } = link as { href?: unknown };
    const next =
      typeof href === "string" && URL.canParse(href, address) ? new URL(href, address) : undefined;
    // The origin of a blob: address is that of the address in it.
    if (next === undefined || !/^https?:$/.test(next.protocol)) {
      throw new Unfinished("its next page has no address");
    }
    if (next.origin !== new URL(address).origin) {
      throw new Unfinished("its next page is on another server");
    }
    next.hash = "";
    // Of pages that go on without end, each may have another address.
    if (!hasNews) throw new Unfinished("a page brings nothing new, and names a next one");
    if (this.seen.has(next.href)) throw new Unfinished("its pages go in a circle");
    if (this.seen.size >= maxPages) throw new Unfinished(`it has over ${maxPages} pages`);
    return next.href;
  }
}

/** How many projects there are on all pages, where a page says so. */
export function totalElements(page: WireProjectList): number | undefined {
  const total = (page.page as { totalElements?: unknown } | null | undefined)?.totalElements;
  return Number.isInteger(total) ? (total as number) : undefined;
}
