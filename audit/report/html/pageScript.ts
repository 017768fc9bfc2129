/** The script of the HTML report. It shows the filters, and hides what does not match them. */
export const pageScript = `
"use strict";
const form = document.querySelector("form");
const textOf = (element) => element.textContent.toLowerCase();
const rows = [...document.querySelectorAll("#projects > li")].map((element) => ({ element }));
const textOfRow = (row) => (row.text ??= textOf(row.element));

function filter() {
  const words = form.words.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const [rule, state] = [form.rule.value, form.state.value];
  const wanted = (rule && '[data-rule="' + rule + '"] > ') + (state && ".") + (state || "li");
  const isAny = rule + state === "";
  let shown = 0;
  for (const row of rows) {
    const matches = isShown(row, words, isAny, wanted);
    hide(row.element, !matches);
    if (matches) shown++;
  }
  form.querySelector("output").textContent = shown + " of " + rows.length + " projects";
}

/** Texts are read once, and findings only in a project that has all the words. */
function isShown(row, words, isAny, wanted) {
  if (words.some((word) => !textOfRow(row).includes(word))) return false;
  const head = row.element.querySelector("summary") ?? row.element;
  const others = words.filter((word) => !(row.head ??= textOf(head)).includes(word));
  if (isAny && others.length === 0 && row.items === undefined) return true;
  row.items ??= [...row.element.querySelectorAll("[data-rule] > li")].map((element) => ({
    element,
    text: element.parentElement.dataset.rule + " " + textOf(element),
  }));
  const found = row.items.filter(
    ({ element, text }) => element.matches(wanted) && others.every((word) => text.includes(word)),
  );
  if (found.length > 0) for (const item of row.items) hide(item.element, !found.includes(item));
  return found.length > 0 || (isAny && row.items.length + others.length === 0);
}

/** Each change of an element costs time, also one to the same value. */
function hide(element, isHidden) {
  if (element.hidden !== isHidden) element.hidden = isHidden;
}

// The letter shows first, then the rows.
form.addEventListener("input", () => requestAnimationFrame(() => setTimeout(filter)));
form.addEventListener("submit", (event) => event.preventDefault());
form.hidden = false;
// The browser restores the fields when it comes back to the page.
addEventListener("pageshow", () => setTimeout(filter));
// Reading the texts takes a moment, which nobody notices after the page is drawn.
setTimeout(() => rows.forEach(textOfRow), 500);
`;
