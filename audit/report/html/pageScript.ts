/** The script of the HTML report. It shows the filters, and hides what does not match them. */
export const pageScript = `
"use strict";
const form = document.querySelector("form");
const textOf = (element) => element.textContent.toLowerCase();
const number = (count) => count.toLocaleString("en");
let rows;

/** A page of 40,000 findings is drawn before their texts are read. */
function readRows() {
  return [...document.querySelectorAll("#projects > [data-group]")].map((element) => ({
    element,
    details: element.firstElementChild,
    group: element.dataset.group,
    head: textOf(element.querySelector("summary")),
    findings: findingsIn(element.querySelector("pre").textContent.split("\\n")),
  }));
}

function findingsIn(lines) {
  const findings = [];
  for (let index = 0; index < lines.length; index += 2) {
    const [head, text] = [lines[index], lines[index + 1]];
    const [level, state, rule, ...place] = head.split(" ");
    findings.push({ level, state, rule, place: place.join(" "), text, all: (head + " " + text).toLowerCase() });
  }
  return findings;
}

/** A word may be in the head of a project, or in a finding, which is then shown alone. */
function filter() {
  rows ??= readRows();
  const words = form.words.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const [rule, state, group] = ["rule", "state", "group"].map((name) => form[name]?.value);
  let shown = 0;
  for (const row of rows) {
    const others = words.filter((word) => !row.head.includes(word));
    const isFound = (finding) =>
      (!rule || finding.rule === rule) &&
      (!state || (finding.level === "accepted" ? "accepted" : finding.state) === state) &&
      others.every((word) => finding.all.includes(word));
    row.found = !group || row.group === group ? row.findings.filter(isFound) : [];
    if (row.found.length > 0) shown++;
    // Unlike the property hidden, toggleAttribute costs nothing if there is nothing to change.
    row.element.toggleAttribute("hidden", row.found.length === 0);
    if (row.details.open) showFindings(row);
  }
  const isFiltered = Boolean(words.length || rule || state || group);
  document.querySelector("#projects > :not([data-group])")?.toggleAttribute("hidden", isFiltered);
  const counts = number(shown) + " of " + number(rows.length);
  form.querySelector("output").textContent = counts + " projects with findings";
}

/** Makes elements of the lines, which also somebody without a script can read. */
function showFindings({ details, found }) {
  const list = document.createElement("ul");
  for (const { level, state, rule, place, text } of found) {
    const item = list.appendChild(document.createElement("li"));
    const badge = document.createElement("i");
    badge.className = level;
    badge.textContent = state === "unknown" ? level + ", unknown" : level;
    const [name, link] = [document.createElement("b"), document.createElement("a")];
    name.textContent = place;
    link.href = "#rule-" + rule;
    link.textContent = rule;
    item.append(badge, " ", name, " ", text, " ", link);
  }
  details.lastElementChild.replaceWith(list);
}

// The letter shows first, then the rows.
const filterLater = () => requestAnimationFrame(() => setTimeout(filter));
form.addEventListener("input", filterLater);
form.addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("toggle", ({ target }) => {
  const row = rows?.find(({ details }) => details === target);
  if (row) showFindings(row);
}, true);
document.addEventListener("click", ({ target }) => {
  const { name, value } = target.dataset;
  if (name === undefined) return;
  form[name].value = value;
  filterLater();
});
form.hidden = false;
if (document.querySelector("#projects [open]")) filter();
// The browser restores the fields when it comes back to the page.
addEventListener("pageshow", () => setTimeout(filter));
`;
