import { displayList } from "../../../provider/errors/displayText.js";
import type { ReportedFinding } from "../acceptance.js";
import { checkedPlaces } from "../checkedPlaces.js";
import type { AuditReport, ReportedRule } from "../report.js";
import { findingCards, type IndexedFinding } from "./findingCards.js";
import { markup, type Markup } from "./markup.js";

/** A page whose script is blocked shows this number of findings. */
const maxStaticFindings = 200;

/** Returns the section with the table of projects and rules. The script fills the table and shows it. */
export function projectsSection(report: AuditReport): Markup {
  return markup`<section id="projects" hidden>
    <h2 tabindex="-1">Projects and rules <span class="range"></span></h2>
    <div class="matrix" tabindex="0" role="region" aria-label="Table of projects and rules">
      <table>
        <caption>
          Findings of each project by rule
        </caption>
        <thead>
          <tr aria-rowindex="1">
            <th scope="col">Project</th>
            ${report.rules.map((rule) => headerOf(rule, report))}
          </tr>
        </thead>
        <tbody></tbody>
      </table>
    </div>
    ${pagerOf("Pages of projects")}
  </section>`;
}

function headerOf(rule: ReportedRule, { projects, findings }: AuditReport): Markup {
  const { name, severity, checkedEnvironments } = rule;
  const ofRule = findings.filter(({ rule }) => rule === name);
  const open = ofRule.filter(({ accepted }) => accepted === undefined);
  const count = new Set(open.map(({ projectId }) => projectId)).size;
  const unchecked = projects.filter((project) => checkedPlaces(rule, project).length === 0).length;
  const only = checkedEnvironments === undefined ? "" : `only ${displayList(checkedEnvironments)}`;
  const ok = unchecked === 0 ? "all ok" : unchecked < projects.length ? "all others ok" : "";
  const found =
    count === 0
      ? "all accepted"
      : count === 1
        ? "1 project"
        : `${count.toLocaleString("en")} projects`;
  const notChecked = unchecked === 0 ? "" : `${unchecked.toLocaleString("en")} not checked`;
  const texts = [severity, only, ofRule.length === 0 ? ok : found, notChecked];
  return markup`<th scope="col">
    <a href="#rule-${name}">${name}</a>
    <span class="count">${texts.filter((text) => text !== "").join(" · ")}</span>
  </th>`;
}

/**
 * Returns the section with the first 200 findings, accepted ones last. The script replaces them with the
 * findings that match the filters.
 */
export function findingsSection({ findings }: AuditReport): Markup {
  const shown = firstFindings(findings);
  const hidden = findings.length - shown.length;
  const all = `${findings.length.toLocaleString("en")} findings`;
  const range = hidden === 0 ? all : `${shown.length} of ${all}`;
  return markup`<section id="findings">
    <h2 tabindex="-1">Findings <span class="range">${range}</span></h2>
    <div class="cards">
      ${findingCards(shown)}
      ${
        hidden === 0
          ? ""
          : markup`<p>
              ${hidden.toLocaleString("en")} more findings. Allow the script of this page to see them,
              or read the report in the format json.
            </p>`
      }
    </div>
    ${pagerOf("Pages of findings")}
  </section>`;
}

/** Returns the findings to show without a script, in the order of the report. */
function firstFindings(findings: readonly ReportedFinding[]): IndexedFinding[] {
  const indexed = findings.map((finding, index) => ({ finding, index }));
  const isAccepted = ({ finding }: IndexedFinding) => finding.accepted !== undefined;
  const openFirst = [...indexed.filter((each) => !isAccepted(each)), ...indexed.filter(isAccepted)];
  return openFirst.slice(0, maxStaticFindings).sort((one, other) => one.index - other.index);
}

/** Returns the buttons that turn the pages of a section. The script shows them if there are several. */
function pagerOf(label: string): Markup {
  return markup`<nav class="pager" aria-label="${label}" hidden>
    <button type="button">← Previous</button>
    <button type="button">Next →</button>
  </nav>`;
}
