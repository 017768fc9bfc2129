/* Lists that are incomplete or contradict themselves. */
import { type Exchange, type Fault, faults, incompleteList } from "./fault.js";
import { body, change, type WireResponse } from "./responses.js";

/** Adds fields to a list. */
function withFields(fields: object) {
  return change((response: WireResponse) => {
    if (response._embedded !== undefined) Object.assign(response, fields);
  });
}

/** Adds a link to the next page, at the path of the list. */
function linkToNext(serverOf: (host: string) => string) {
  return ({ response, correct, request }: Exchange) => {
    const next = `${serverOf(request.headers.host ?? "")}${request.url}?page=1`;
    response.end(
      correct.replace('"_embedded"', `"_links":{"next":{"href":"${next}"}},"_embedded"`),
    );
  };
}

export const listFaults: readonly Fault[] = [
  ...faults(incompleteList, {
    "the list has a project twice, with different names": change(
      ({ _embedded: embedded }: WireResponse) => {
        const [first] = embedded?.projectResources ?? [];
        if (first) embedded?.projectResources.push({ ...first, name: "other" });
      },
    ),
    "a Link header names a next page": body((correct) => correct, {
      link: '</projects?page=1>; rel="next"',
    }),
    "X-Total-Count is larger than the list": body((correct) => correct, { "x-total-count": "2" }),
    "page.totalElements, as text, is larger than the list": withFields({
      page: { totalElements: "2" },
    }),
    "page.number is not the last of page.totalPages": withFields({
      page: { number: 0, totalPages: 2 },
    }),
    "totalElements is larger than the list": withFields({ totalElements: 2 }),
    "last is false": withFields({ last: false }),
    "meta.next names a next page": withFields({ meta: { next: "/projects?page=1" } }),
  }),
  ...faults(["1", "1: LIST_INCOMPLETE", "1"], {
    "the link to the next page has a user name": linkToNext((host) => `http://user@${host}`),
    "the link to the next page leads to another host": linkToNext((host) =>
      host.replace("127.0.0.1", "http://localhost"),
    ),
    "the link to the next page leads to another port": linkToNext(() => "http://127.0.0.1:1"),
    "the link to the next page leads to another path": linkToNext((host) => `http://${host}/other`),
  }),
];
