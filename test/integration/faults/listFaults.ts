/* Lists that are incomplete or contradict themselves. */
import { type FaultRow, incompleteList } from "./fault.js";
import { body, change, type WireResponse } from "./responses.js";

export const listFaults: readonly FaultRow[] = [
  [
    "the list has a project twice, with different names",
    incompleteList,
    change(({ _embedded: embedded }: WireResponse) => {
      const [first] = embedded?.projectResources ?? [];
      if (first) embedded?.projectResources.push({ ...first, name: "other" });
    }),
  ],
  [
    "a Link header names a next page",
    incompleteList,
    body((correct) => correct, { link: '</projects?page=1>; rel="next"' }),
  ],
  [
    "X-Total-Count is larger than the list",
    incompleteList,
    body((correct) => correct, { "x-total-count": "2" }),
  ],
  ...(
    [
      ["page.totalElements, as text, is larger than the list", { page: { totalElements: "2" } }],
      ["page.number is not the last of page.totalPages", { page: { number: 0, totalPages: 2 } }],
      ["totalElements is larger than the list", { totalElements: 2 }],
      ["last is false", { last: false }],
      ["links names a next page", { links: [{ rel: "next", href: "/projects?page=1" }] }],
    ] as const
  ).map(([name, extra]): FaultRow => [
    name,
    incompleteList,
    change((response: WireResponse) => {
      if (response._embedded !== undefined) Object.assign(response, extra);
    }),
  ]),
  [
    "the link to the next page has a user name",
    ["1", "1: LIST_INCOMPLETE", "1"],
    ({ response, correct, request }) => {
      const next = `http://user@${request.headers.host}/projects?page=1`;
      response.end(
        correct.replace('"_embedded"', `"_links":{"next":{"href":"${next}"}},"_embedded"`),
      );
    },
  ],
];
