import type { AuditReport } from "../../report.js";
import { findingCards } from "../findingCards.js";
import { markup } from "../markup.js";
import { find, showMarkup } from "./elements.js";
import { type Filters, formatFragment, noFilters, parseFragment } from "./filters.js";
import { pagedSection } from "./pagedSection.js";
import { projectRows } from "./projectRows.js";
import {
  findMatches,
  type SearchableFinding,
  searchableProjects,
  type SearchableProject,
} from "./search.js";

const report = JSON.parse(find(document, "#report").textContent) as AuditReport;
const projects = searchableProjects(report);
const form = find<HTMLFormElement>(document, ".filters");
const hits = find<HTMLOutputElement>(form, "output");
const printedFilters = find(document, ".printed-filters");
const projectsSection = find(document, "#projects");
const findingsSection = find(document, "#findings");
const table = find<HTMLTableElement>(projectsSection, "table");

let filters = noFilters;
let addressTimer: ReturnType<typeof setTimeout> | undefined;

const showProjects = pagedSection<SearchableProject>(
  projectsSection,
  "projects",
  50,
  (rows, firstIndex) => {
    // Before the rows change: scrolling computes the layout, and it would have to do so again.
    find(projectsSection, ".matrix").scrollTop = 0;
    showMarkup(find(table, "tbody"), projectRows(rows, firstIndex, report.rules, filters));
  },
);
const showFindings = pagedSection<SearchableFinding>(findingsSection, "findings", 100, (rows) =>
  showMarkup(find(findingsSection, ".cards"), findingCards(rows)),
);

/** Shows what matches the filters, and the finding with the index in the report. */
function showMatches(newFilters: Filters, findingIndex?: number): void {
  filters = newFilters;
  const matches = findMatches(projects, filters);
  const place = matches.findings.findIndex(({ index }) => index === findingIndex);
  if (place === -1 && findingIndex !== undefined && report.findings[findingIndex] !== undefined) {
    // The table also links to findings that the filters leave out.
    fillForm(noFilters);
    return showMatches(noFilters, findingIndex);
  }
  table.setAttribute("aria-rowcount", String(matches.projects.length + 1));
  showProjects(matches.projects);
  showFindings(matches.findings, Math.max(place, 0));
  hits.textContent = `${countOf(matches.projects, projects)} projects, ${countOf(matches.findings, report.findings)} findings`;
  printedFilters.textContent = displayFilters();
  if (place !== -1) focusOn(find(document, `#finding-${findingIndex}`));
}

function countOf(matching: readonly unknown[], all: readonly unknown[]): string {
  return `${matching.length.toLocaleString("en")} of ${all.length.toLocaleString("en")}`;
}

function displayFilters(): string {
  const labels = [...form.querySelectorAll("select, input")] as (
    HTMLSelectElement | HTMLInputElement
  )[];
  const set = labels
    .filter(({ value }) => value.trim() !== "")
    .map((field) => {
      const value =
        field instanceof HTMLSelectElement ? field.selectedOptions[0]?.label : field.value;
      return `${field.name}: ${value}`;
    });
  return set.length === 0 ? "" : `Filters: ${set.join(", ")}`;
}

function focusOn(target: HTMLElement): void {
  target.focus({ preventScroll: true });
  target.scrollIntoView();
}

function fillForm(values: Filters): void {
  for (const [name, value] of Object.entries(values) as [string, string][]) {
    const field = form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement | null;
    if (field === null) continue;
    field.value = value;
    // A select without this option would be blank.
    if (field.value !== value) field.value = "";
  }
}

function readForm(): Filters {
  const values = Object.fromEntries(new FormData(form)) as Partial<Filters>;
  return { ...noFilters, ...values };
}

function openAddress(): void {
  clearTimeout(addressTimer);
  const { filters: wanted, finding } = parseFragment(location.hash);
  fillForm(wanted);
  showMatches(readForm(), finding);
}

function filterByForm(): void {
  showMatches(readForm());
  clearTimeout(addressTimer);
  // Browsers limit how often a page may change its address.
  addressTimer = setTimeout(() => history.replaceState(null, "", formatFragment(filters)), 300);
}

/** Makes the number of a tile a link to what it counts. */
function linkTile(number: HTMLElement): void {
  const { filter } = number.dataset;
  if (filter === undefined) return;
  showMarkup(number, markup`<a href="#${filter}">${number.textContent}</a>`);
}

document.querySelectorAll<HTMLElement>(".tile dd").forEach(linkTile);
form.addEventListener("input", filterByForm);
form.addEventListener("submit", (event) => event.preventDefault());
find(form, "button").addEventListener("click", () => {
  fillForm(noFilters);
  filterByForm();
});
document.addEventListener("click", (event) => {
  const link = (event.target as Element).closest<HTMLAnchorElement>("a[href^='#']");
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (link.hash.startsWith("#rule-")) {
    // A link to a rule must not replace the filters in the address.
    event.preventDefault();
    focusOn(document.getElementById(decodeURIComponent(link.hash.slice(1))) as HTMLElement);
  } else if (link.hash === location.hash) {
    // The browser fires no hashchange event.
    openAddress();
  }
});
addEventListener("hashchange", openAddress);
projectsSection.hidden = false;
form.hidden = false;
openAddress();

// Without an export, esbuild takes a file of this package for a CommonJS module, and wraps every module.
export {};
