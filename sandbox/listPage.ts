import { inListForm, type SandboxProject } from "./projects/project.js";

/**
 * Returns one page of the list, with the links of the HAL format: the relative URL of the next page,
 * and the total number of projects.
 *
 * @param pageSize if undefined, one page has all projects.
 * @param url path and query of the request. Its parameter `page` counts from 0.
 */
export function listPage(
  projects: readonly SandboxProject[],
  pageSize: number | undefined,
  url: string,
): object {
  const summaries = projects.map(inListForm);
  if (pageSize === undefined) return { _embedded: { projectResources: summaries } };
  const number = Number(/[?&]page=(\d+)/.exec(url)?.[1] ?? 0);
  const end = (number + 1) * pageSize;
  const totalElements = summaries.length;
  return {
    _embedded: { projectResources: summaries.slice(number * pageSize, end) },
    _links: end < totalElements ? { next: { href: `projects?page=${number + 1}` } } : {},
    page: {
      size: pageSize,
      totalElements,
      totalPages: Math.ceil(totalElements / pageSize),
      number,
    },
  };
}
