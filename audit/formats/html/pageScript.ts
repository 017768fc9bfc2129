/**
 * The filter of the HTML report. Reads what is on the page and hides what does not match; without it
 * the page shows everything.
 */
export const pageScript = `
"use strict";
const filters = document.querySelector(".filters");
const [text, rule, state] = ["text", "rule", "state"].map((name) => filters.elements.namedItem(name));
const count = filters.querySelector("output");
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

function show(project, wanted) {
  const ofRule = project.findings.filter((finding) => rule.value === "" || finding.rule === rule.value);
  const isNamed = project.text.includes(wanted);
  const matching = ofRule.filter(
    (finding) =>
      (state.value === "" || finding.state === state.value) &&
      (isNamed || finding.text.includes(wanted)),
  );
  for (const { item } of project.findings) {
    item.hidden = !matching.some((finding) => finding.item === item);
  }
  const isClean = isNamed && ofRule.length === 0;
  const isShown =
    state.value === "ok"
      ? isClean
      : matching.length > 0 || (isClean && state.value === "" && rule.value === "");
  project.row.hidden = !isShown;
  if (project.section !== null) project.section.hidden = matching.length === 0;
  return isShown;
}

function filter() {
  const wanted = text.value.trim().toLowerCase();
  const shown = projects.filter((project) => show(project, wanted)).length;
  count.textContent = shown + " of " + projects.length + " projects";
  none.hidden = shown > 0;
}

filters.addEventListener("input", filter);
filters.addEventListener("submit", (event) => event.preventDefault());
filters.addEventListener("reset", () => setTimeout(filter));
filters.hidden = false;
filter();
`;
