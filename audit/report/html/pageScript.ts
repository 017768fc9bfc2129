/** The script of the HTML report. It shows the filters, and hides what does not match them. */
export const pageScript = `
"use strict";
const form = document.querySelector("form");
const textOf = (element) => element.textContent.toLowerCase();
let rows;

function filter() {
  rows ??= [...document.querySelectorAll("#projects > li")].map((row) => ({
    row,
    head: textOf(row.querySelector("summary") ?? row),
    items: [...row.querySelectorAll("[data-rule] > li")].map((element) => ({
      element,
      text: element.parentElement.dataset.rule + " " + textOf(element),
    })),
  }));
  const words = form.words.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const [rule, state] = [form.rule.value, form.state.value];
  const wanted = (rule && '[data-rule="' + rule + '"] > ') + (state && ".") + (state || "li");
  let shown = 0;
  for (const { row, head, items } of rows) {
    const others = words.filter((word) => !head.includes(word));
    const found = items.filter(
      ({ element, text }) => element.matches(wanted) && others.every((word) => text.includes(word)),
    );
    const isEmpty = items.length + others.length === 0 && rule + state === "";
    const matches = found.length > 0 || isEmpty;
    if (matches) for (const item of items) hide(item.element, !found.includes(item));
    hide(row, !matches);
    if (matches) shown++;
  }
  form.querySelector("output").textContent = shown + " of " + rows.length + " projects";
}

/** Each change of an element costs time, also one to the same value. */
function hide(element, isHidden) {
  if (element.hidden !== isHidden) element.hidden = isHidden;
}

// The letter shows first, then the rows.
form.addEventListener("input", () => requestAnimationFrame(() => setTimeout(filter)));
form.addEventListener("submit", (event) => event.preventDefault());
form.hidden = false;
// The browser restores the fields when it comes back to the page. Reading the texts takes a moment.
addEventListener("pageshow", () => setTimeout(filter));
`;
