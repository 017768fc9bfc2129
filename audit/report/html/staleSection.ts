import type { AuditReport } from "../report.js";
import { displayText } from "../../../provider/errors/displayText.js";
import { staleSentence } from "../sentences.js";
import { markup, type Markup } from "./markup.js";

/** Returns the section with the accepted entries that match no finding, if there are any. */
export function staleSection({ staleAcceptances }: AuditReport): Markup {
  if (staleAcceptances.length === 0) return markup``;
  return markup`<section>
    <h2>Accepted entries without a finding</h2>
    <ul class="stale">
      ${staleAcceptances.map(
        (entry) =>
          markup`<li>
            ${staleSentence(entry)} <span class="faint">Its reason was: ${displayText(entry.reason, 500)}</span>
          </li>`,
      )}
    </ul>
  </section>`;
}
