import type { AuditReport } from "../report.js";
import { markup, type Markup } from "./markup.js";

/** Returns the section that explains the rules. */
export function rulesSection({ rules }: AuditReport): Markup {
  return markup`<section>
    <h2>Rules</h2>
    <dl class="rules">
      ${rules.map(
        ({ name, severity, description, reason, remedy, comparedProjects }) =>
          markup`<dt id="rule-${name}" tabindex="-1">${name} <span class="level">${severity}</span></dt>
            <dd>${description} <span class="faint">${reason}</span></dd>
            <dd class="remedy">${remedy}</dd>
            ${comparedProjects === undefined ? "" : markup`<dd class="faint">Compared ${comparedProjects.toLocaleString("en")} projects.</dd>`}`,
      )}
    </dl>
  </section>`;
}
