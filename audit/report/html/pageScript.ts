/**
 * The script of the HTML report. It filters: it reads the table and the findings from the page and
 * hides those that do not match. Without the script, the page shows everything.
 */
export const pageScript = `
"use strict";
const form = document.querySelector(".filters");
const [text, rule, state] = ["text", "rule", "state"].map((name) => form.elements.namedItem(name));
const count = form.querySelector("output");
const none = document.querySelector(".none");
const projects = [...document.querySelectorAll("tbody tr")].map((row) => {
  const section = document.getElementById(row.dataset.findings);
  const items = section === null ? [] : [...section.querySelectorAll("li")];
  return {
    row,
    section,
    text: row.dataset.text,
    findings: items.map((item) => ({
      item,
      rule: item.dataset.rule,
      state: item.dataset.state,
      text: item.textContent.toLowerCase(),
    })),
  };
});

function filterProject(project, search) {
  const ofRule = project.findings.filter((finding) => rule.value === "" || finding.rule === rule.value);
  const matchesProject = project.text.includes(search);
  const matching = ofRule.filter(
    (finding) =>
      (state.value === "" || finding.state === state.value) &&
      (matchesProject || finding.text.includes(search)),
  );
  for (const { item } of project.findings) {
    item.hidden = !matching.some((finding) => finding.item === item);
  }
  const matchesWithoutFindings = matchesProject && ofRule.length === 0;
  const isVisible =
    state.value === "ok"
      ? matchesWithoutFindings
      : matching.length > 0 || (matchesWithoutFindings && state.value === "" && rule.value === "");
  project.row.hidden = !isVisible;
  if (project.section !== null) project.section.hidden = matching.length === 0;
  return isVisible;
}

function filterPage() {
  const search = text.value.trim().toLowerCase();
  const visibleCount = projects.filter((project) => filterProject(project, search)).length;
  count.textContent = visibleCount + " of " + projects.length + " projects";
  none.hidden = visibleCount > 0;
}

form.addEventListener("input", filterPage);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(filterPage));
form.hidden = false;
filterPage();
`;
