/** The script of the HTML report. It shows the filters, and hides what does not match them. */
export const pageScript = `
"use strict";
const form = document.querySelector("form");
const textOf = (element) => element.textContent.toLowerCase();
const rows = [...document.querySelectorAll("#projects > li")].map((element) => ({
  element,
  head: textOf(element.querySelector("summary") ?? element),
  items: [...element.querySelectorAll("[data-rule] > li")].map((item) => ({
    element: item,
    text: item.parentElement.dataset.rule + " " + textOf(item),
  })),
}));

/** A word may be in the head of a project, or in a finding, which is then shown alone. */
function filter() {
  const words = form.words.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const [rule, state] = [form.rule.value, form.state.value];
  const wanted = (rule && '[data-rule="' + rule + '"] > ') + (state && ".") + (state || "li");
  let shown = 0;
  for (const { element, head, items } of rows) {
    const others = words.filter((word) => !head.includes(word));
    const found = items.filter(
      (item) =>
        item.element.matches(wanted) && others.every((word) => item.text.includes(word)),
    );
    // Unlike the property hidden, toggleAttribute costs nothing if there is nothing to change.
    for (const item of items) item.element.toggleAttribute("hidden", !found.includes(item));
    const isEmptyMatch = items.length + others.length === 0 && rule + state === "";
    const isShown = found.length > 0 || isEmptyMatch;
    element.toggleAttribute("hidden", !isShown);
    if (isShown) shown++;
  }
  form.querySelector("output").textContent = shown + " of " + rows.length + " projects";
}

// The letter shows first, then the rows.
form.addEventListener("input", () => requestAnimationFrame(() => setTimeout(filter)));
form.addEventListener("submit", (event) => event.preventDefault());
form.hidden = false;
// The browser restores the fields when it comes back to the page.
addEventListener("pageshow", () => setTimeout(filter));
`;
