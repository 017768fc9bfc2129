/*
 * How a list continues. The document does not show paging. Services of this kind use HAL: the link
 * `_links.next.href` to the next page, and the total count in `page.totalElements`. These links are
 * followed. Other signs of further pages are not followed: a list with such a sign is incomplete.
 */
import { IncompleteListError } from "../errors/internalErrors.js";
import type { WireProjectList } from "./validate.js";

const maxPages = 10_000;
const followedLink = "_links.next";

/** One page of a list. */
export class Page {
  /** The fields of the body that may describe the page. */
  readonly fields: readonly PagingField[];

  constructor(
    readonly body: WireProjectList,
    /** Without query and fragment, it is the address of the list. */
    readonly address: string,
    /** Returns a header of the response. */
    readonly header: (name: string) => string | undefined,
  ) {
    this.fields = pagingFields(body);
  }
}

/** Follows the pages of a list, and collects the reasons why it may be incomplete. */
export class Paging {
  private readonly seen = new Set<string>();
  private readonly counts = new Map<string, number>();
  private lastPage: Page | undefined;
  private changedCount: string | undefined;

  /**
   * Returns the address of the next page, or undefined after the last page.
   *
   * @param hasNews whether the page has projects that no earlier page had.
   * @throws IncompleteListError
   */
  next(page: Page, hasNews: boolean): string | undefined {
    const { address } = page;
    this.seen.add(address);
    this.lastPage = page;
    this.recordCounts(page);
    const link = linkOf(page, "next");
    if (link === undefined) return undefined;
    const next = urlIn(link, address);
    // The origin of a blob: address is the origin of the address inside.
    if (next === undefined || !/^https?:$/.test(next.protocol)) {
      throw new IncompleteListError("the link to the next page has no address");
    }
    const { origin, pathname } = new URL(address);
    if (next.origin !== origin) throw new IncompleteListError("the next page is on another server");
    if (next.pathname !== pathname) {
      throw new IncompleteListError("the next page has another path than the list");
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

  /**
   * Returns the reason why the pages are not the complete list, or undefined.
   *
   * @param count the number of projects on all pages.
   */
  problem(count: number): string | undefined {
    if (this.changedCount !== undefined) return this.changedCount;
    const page = this.lastPage as Page;
    const sign = signOfMore(page);
    if (sign !== undefined) return sign;
    for (const [name, pages] of countsOfPages(page)) {
      if (pages > this.seen.size) return `it has ${this.seen.size} of ${pages} pages (${name})`;
    }
    for (const [name, total] of this.counts) {
      // The total of HAL is exact. Those of others may be of something else, but not too large.
      if (name === totalOfHal ? total !== count : total > count) {
        return `it has ${count} projects, but ${name} is ${total}`;
      }
    }
    return undefined;
  }

  /** Whether the service says exactly how many projects there are. */
  get hasExactTotal(): boolean {
    return this.counts.has(totalOfHal);
  }

  /** The pages were read one after the other: if a count changes, one page may lack a project. */
  private recordCounts(page: Page): void {
    for (const [name, count] of countsOfProjects(page)) {
      const before = this.counts.get(name) ?? count;
      if (before !== count) this.changedCount ??= `${name} changed from ${before} to ${count}`;
      this.counts.set(name, count);
    }
  }
}

/** Whether a page says that the list has no projects. */
export function isEmptyList(page: Page): boolean {
  return countsOfProjects(page).some(([name, count]) => name === totalOfHal && count === 0);
}

/** Returns a sign that more pages follow, although the last page has no link `_links.next`. */
function signOfMore(page: Page): string | undefined {
  const { fields, header } = page;
  if (hasNextRelation(header("link"))) return "a Link header names a next page";
  const next = [header("x-next-page"), header("x-next-cursor")];
  if (next.some(isNext) || isTrue(header("x-has-more"))) return "a header names a next page";
  if (fields.some(namesNextPage)) return "a field names a next page";
  if (hasOtherLastPage(page)) return "_links names another page as the last one";
  if (fields.some(saysThereIsMore)) return "a field says that there is more";
  return undefined;
}

function namesNextPage({ path, name, value }: PagingField): boolean {
  if (name === "links") return hasNextElement(value);
  return fieldsWithNext.has(name) && path !== followedLink && isNext(value);
}

function saysThereIsMore({ name, value }: PagingField): boolean {
  if (fieldsWithMore.has(name)) return isTrue(value);
  return fieldsWithLast.has(name) && (value === false || value === "false");
}

/* Names of fields in lower case, without other characters than letters: `@odata.nextLink` is odatanextlink. */
const fieldsWithNext = new Set([
  ...["next", "nextcursor", "nexthref", "nextlink", "nextpage", "nextpagetoken", "nexttoken"],
  ...["nexturl", "nexturi", "odatanextlink"],
]);
const fieldsWithMore = new Set(["hasmore", "hasnext", "hasnextpage", "istruncated", "truncated"]);
const fieldsWithLast = new Set(["last", "islast", "islastpage"]);
const fieldsWithTotal = new Set([
  ...["total", "totalcount", "totalelements", "totalitems", "totalrecords", "totalresults"],
]);
const fieldsWithPages = new Set(["totalpages", "pagecount"]);
/** Objects that describe the page. */
const objectsOfPaging = new Set([
  ...["embedded", "links", "meta", "metadata", "page", "pageinfo", "pagination", "paging"],
]);

/** A field of the body that may describe the page, at the top or in one of the objects for that. */
interface PagingField {
  /** As it stands in the body, such as `page.totalElements`. */
  readonly path: string;
  /** As in the sets above. */
  readonly name: string;
  readonly value: unknown;
}

function pagingFields(object: unknown, path: readonly string[] = []): PagingField[] {
  if (typeof object !== "object" || object === null || Array.isArray(object)) return [];
  return Object.entries(object as Record<string, unknown>).flatMap(
    ([key, value]): PagingField[] => {
      const name = key.toLowerCase().replace(/[^a-z]/g, "");
      const own = [...path, key];
      const field = { path: own.join("."), name, value };
      return objectsOfPaging.has(name) && path.length < 3
        ? [field, ...pagingFields(value, own)]
        : [field];
    },
  );
}

function isNext(value: unknown): boolean {
  if (typeof value !== "object") return value !== undefined && value !== "" && value !== false;
  const href = fieldsOf(value)["href"];
  return href !== undefined && href !== null && href !== "";
}

function isTrue(value: unknown): boolean {
  return value === true || value === "true";
}

type Counts = readonly (readonly [name: string, count: number])[];

const totalOfHal = "page.totalElements";

function countsOfProjects({ fields, header }: Page): Counts {
  return counts([
    ...countFields(fields, fieldsWithTotal),
    ["X-Total-Count", header("x-total-count")],
    ["X-Total", header("x-total")],
    ["X-Pagination-Total-Count", header("x-pagination-total-count")],
    ["Content-Range", /\/\s*(\d+)\s*$/.exec(header("content-range") ?? "")?.[1]],
  ]);
}

function countsOfPages({ fields, header }: Page): Counts {
  return counts([
    ...countFields(fields, fieldsWithPages),
    ["X-Total-Pages", header("x-total-pages")],
    ["X-Page-Count", header("x-page-count")],
  ]);
}

function countFields(
  fields: readonly PagingField[],
  names: ReadonlySet<string>,
): (readonly [name: string, value: unknown])[] {
  return fields.flatMap(({ path, name, value }) =>
    names.has(name) ? [[path, value] as const] : [],
  );
}

/** Leaves out what is not a count. A header that was sent twice has two. */
function counts(values: readonly (readonly [name: string, value: unknown])[]): Counts {
  return values.flatMap(([name, value]) =>
    (typeof value === "string" ? value.split(",") : [value])
      .map((part) => (typeof part === "string" && /^\s*\d+\s*$/.test(part) ? Number(part) : part))
      .filter((part): part is number => Number.isInteger(part) && (part as number) >= 0)
      .map((count) => [name, count] as const),
  );
}

/** Whether a Link header has the relation "next" (RFC 8288), possibly among others. */
function hasNextRelation(link: string | undefined): boolean {
  const relations = (link ?? "").matchAll(/;\s*rel\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;,]+))/gi);
  return [...relations].some(([, quoted, single, bare]) =>
    isNextRelation(quoted ?? single ?? bare),
  );
}

function hasNextElement(links: unknown): boolean {
  if (!Array.isArray(links)) return false;
  return links.some((link) => [fieldsOf(link)["rel"]].flat().some(isNextRelation));
}

function isNextRelation(relation: unknown): boolean {
  return (
    typeof relation === "string" && relation.trim().toLowerCase().split(/\s+/).includes("next")
  );
}

/** A list of one page may name itself as the last page, with its number or without. */
function hasOtherLastPage(page: Page): boolean {
  const { address } = page;
  const last = urlIn(linkOf(page, "last"), address);
  if (last === undefined || last.searchParams.get("page") === "0") return false;
  return last.href !== address && last.href !== urlIn(linkOf(page, "self"), address)?.href;
}

function linkOf({ body }: Page, relation: string): unknown {
  return fieldsOf(body._links)[relation] ?? undefined;
}

function urlIn(link: unknown, address: string): URL | undefined {
  const { href } = fieldsOf(link);
  return typeof href === "string" && URL.canParse(href, address)
    ? new URL(href, address)
    : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return (value ?? {}) as Record<string, unknown>;
}
