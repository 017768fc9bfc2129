import { markup, type Markup } from "./markup.js";

/** Returns the buttons that turn the pages of a section. The script shows them if there are several. */
export function pagerOf(label: string): Markup {
  return markup`<nav class="pager" aria-label="${label}" hidden>
    <button type="button">← Previous</button>
    <button type="button">Next →</button>
  </nav>`;
}
