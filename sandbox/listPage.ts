import type { SandboxProject } from "./project.js";

/**
 * One page of the list, with HAL links as services of this kind have them: the address of the next
 * page, relative, and the count of all. All in one page without a page size.
 *
 * @param address of the page, path and query; `page` in it counts from 0.
 */
export function listPage(
  projects: readonly SandboxProject[],
  pageSize: number | undefined,
  address: string,
): object {
  const inListForm = projects.map(({ _id, name, type, status, domain }) => ({
    _id,
    name,
    type,
    status,
    domain,
  }));
  if (pageSize === undefined) return { _embedded: { projectResources: inListForm } };
  const number = Number(/[?&]page=(\d+)/.exec(address)?.[1] ?? 0);
  const end = (number + 1) * pageSize;
  const totalElements = inListForm.length;
  return {
    _embedded: { projectResources: inListForm.slice(number * pageSize, end) },
    _links: end < totalElements ? { next: { href: `projects?page=${number + 1}` } } : {},
    page: {
      size: pageSize,
      totalElements,
      totalPages: Math.ceil(totalElements / pageSize),
      number,
    },
  };
}
