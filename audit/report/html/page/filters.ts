/** The values of the filters. An empty text lets everything pass. */
export interface Filters {
  /** Words that a finding or its project must contain, in any order. */
  readonly search: string;
  /** Name of a rule. */
  readonly rule: string;
  /** `violated`, `unknown`, or `ok` for projects without findings that are not accepted. */
  readonly state: string;
  /** `error`, `warning` or `note`. */
  readonly level: string;
  /** `open` for findings that are not accepted, `accepted`, or `expired`. */
  readonly acceptance: string;
}

export const noFilters: Filters = { search: "", rule: "", state: "", level: "", acceptance: "" };

const filterNames = Object.keys(noFilters) as (keyof Filters)[];

/**
 * Reads a fragment such as `#rule=linked-assets&finding=12`: the filters, and the index of the finding to
 * show. They are in the address so that a reload and a link keep them.
 */
export function parseFragment(fragment: string): { filters: Filters; finding?: number } {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ""));
  const filters = Object.fromEntries(
    filterNames.map((name) => [name, parameters.get(name) ?? ""]),
  ) as unknown as Filters;
  const finding = parameters.get("finding");
  return finding === null ? { filters } : { filters, finding: Number(finding) };
}

/** Returns the fragment of filters, and of a finding. `#` alone if there is nothing to keep. */
export function formatFragment(filters: Filters, finding?: number): string {
  const parameters = new URLSearchParams();
  for (const name of filterNames) if (filters[name] !== "") parameters.set(name, filters[name]);
  if (finding !== undefined) parameters.set("finding", String(finding));
  return `#${parameters.toString()}`;
}
