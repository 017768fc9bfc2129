/** The script of the HTML report. It shows the filters, and hides what does not match them. */
export const pageScript = `
"use strict";
const form = document.querySelector("form");
const textOf = (element) => element.textContent.toLowerCase();
const number = (count) => count.toLocaleString("en");
let rows;

/** A page of 40,000 findings is drawn before their texts are read. */
function readRows() {
  return [...document.querySelectorAll("#projects > li")].map((element) => ({
    element,
    details: element.firstElementChild,
    group: element.dataset.group,
    head: textOf(element.querySelector("summary")),
    findings: Array.from(element.querySelector("ul").children, (item) => ({
      item,
      badge: item.firstChild.textContent,
      rule: item.lastChild.textContent,
      text: textOf(item),
    })),
  }));
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
      (!group || row.group === group) &&
      (!rule || finding.rule === rule) &&
      (!state || stateOf(finding) === state) &&
      others.every((word) => finding.text.includes(word));
    let count = 0;
    for (const finding of row.findings) if ((finding.isFound = isFound(finding))) count++;
    if (count > 0) shown++;
    hide(row.element, count === 0);
    if (row.details.open) hideOthers(row);
  }
  const counts = number(shown) + " of " + number(rows.length);
  form.querySelector("output").textContent = counts + " projects with findings";
}

/** Unlike the property hidden, this costs nothing if there is nothing to change. */
function hide(element, isHidden) {
  element.toggleAttribute("hidden", isHidden);
}

function hideOthers({ findings }) {
  for (const { item, isFound } of findings) hide(item, !isFound);
}

function stateOf({ badge }) {
  if (badge.startsWith("accepted")) return "accepted";
  return badge.endsWith("undecided") ? "undecided" : "violated";
}

// The letter shows first, then the rows.
const filterLater = () => requestAnimationFrame(() => setTimeout(filter));
form.addEventListener("input", filterLater);
form.addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("toggle", ({ target }) => {
  const row = rows?.find(({ details }) => details === target);
  if (row) hideOthers(row);
}, true);
document.addEventListener("click", ({ target }) => {
  const { name, value } = target.dataset;
  if (name === undefined) return;
  form[name].value = value;
  filterLater();
});
form.hidden = false;
// The browser restores the fields when it comes back to the page.
addEventListener("pageshow", () => setTimeout(filter));
`;
