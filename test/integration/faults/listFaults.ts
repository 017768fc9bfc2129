/* Lists that are incomplete or contradict themselves. */
import { type Fault, fails, incompleteList, ok } from "./fault.js";
import { body, change, type WireResponse } from "./responses.js";

export const listFaults: readonly Fault[] = [
  {
    name: "the list has a project twice, with different names",
    respond: change(({ _embedded: embedded }: WireResponse) => {
      const [first] = embedded?.projectResources ?? [];
      if (first) embedded?.projectResources.push({ ...first, name: "other" });
    }),
    outcome: incompleteList,
  },
  {
    name: "a Link header names a next page",
    respond: body((correct) => correct, { link: '</projects?page=1>; rel="next"' }),
    outcome: incompleteList,
  },
  {
    name: "X-Total-Count is larger than the list",
    respond: body((correct) => correct, { "x-total-count": "2" }),
    outcome: incompleteList,
  },
  ...(
    [
      ["page.totalElements, as text, is larger than the list", { page: { totalElements: "2" } }],
      ["page.number is not the last of page.totalPages", { page: { number: 0, totalPages: 2 } }],
      ["totalElements is larger than the list", { totalElements: 2 }],
      ["last is false", { last: false }],
      ["links names a next page", { links: [{ rel: "next", href: "/projects?page=1" }] }],
    ] as const
  ).map(([name, extra]) => ({
    name,
    respond: change((response: WireResponse) => {
      if (response._embedded !== undefined) Object.assign(response, extra);
    }),
    outcome: incompleteList,
  })),
  {
    name: "the link to the next page has a user name",
    respond: ({ response, correct, request }) =>
      response.end(
        correct.replace(
          '"_embedded"',
          `"_links":{"next":{"href":"http://user@${request.headers.host}/projects?page=1"}},"_embedded"`,
        ),
      ),
    outcome: { token: ok(1), list: fails(1, "LIST_INCOMPLETE"), read: ok(1) },
  },
];
