/* Finds signs that a list has more pages. The service documents none, so each common sign counts. */
import type { WireProjectList } from "../wire/validate.js";
import type { HttpResponse } from "../http/httpResponse.js";

/** The largest counts that the pages announce. The pages themselves are not kept, because there may be many. */
export interface Announced {
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

export function addAnnounced(
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

/** Returns where the last page says that there is more than the list shows, or an earlier one with its counts. */
export function signOfMore(
  lastPage: WireProjectList,
  headers: HttpResponse["headers"],
  announced: Announced,
  ids: number,
  pages: number,
): string | undefined {
  if (isNextLink(headers["link"] ?? "")) return "header Link";
  if (headers["x-next-page"]) return "header X-Next-Page";
  if (announced.idsInHeader > ids) return "header X-Total-Count";
  const hasFlag = fieldsOf(lastPage).some(([name, value]) =>
    flags.some(([names, saysMore]) => names.test(name) && saysMore(value)),
  );
  const isMore = hasFlag || announced.ids > ids || announced.pages > pages;
  return isMore ? "a field of the response" : undefined;
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

export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return (value ?? {}) as Record<string, unknown>;
}
