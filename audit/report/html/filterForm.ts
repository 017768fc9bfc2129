import type { AuditReport } from "../report.js";
import { markup, type Markup } from "./markup.js";

/** Returns the filters. The script shows them, because they need it. */
export function filterForm({ rules, findings }: AuditReport): Markup {
  const hasAcceptances = findings.some(
    ({ accepted, expired }) => accepted !== undefined || expired !== undefined,
  );
  return markup`<form class="filters" role="search" aria-label="Filters" autocomplete="off" hidden>
      <label
        >Search
        <input
          type="search"
          name="search"
          placeholder="Project, environment, finding"
      /></label>
      ${selectOf("Rule", "rule", [["", "All rules"], ...rules.map(({ name }) => [name, name] as const)])}
      ${selectOf("State", "state", [
        ["", "All states"],
        ["violated", "Violated"],
        ["unknown", "Unknown"],
        ["ok", "Without findings"],
      ])}
      ${selectOf("Level", "level", [
        ["", "All levels"],
        ["error", "Error"],
        ["warning", "Warning"],
        ["note", "Note"],
      ])}
      ${
        hasAcceptances
          ? selectOf("Acceptance", "acceptance", [
              ["", "All findings"],
              ["open", "Not accepted"],
              ["accepted", "Accepted"],
              ["expired", "Acceptance expired"],
            ])
          : ""
      }
      <button type="button">Show all</button>
      <output aria-live="polite"></output>
    </form>
    <p class="printed-filters"></p>`;
}

function selectOf(
  label: string,
  name: string,
  options: readonly (readonly [value: string, label: string])[],
): Markup {
  return markup`<label
    >${label}
    <select name="${name}">
      ${options.map(([value, text]) => markup`<option value="${value}">${text}</option>`)}
    </select></label
  >`;
}
