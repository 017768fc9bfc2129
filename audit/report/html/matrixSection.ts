import type { ReportedFinding } from "../acceptance.js";
import type { AuditReport, ReportedRule } from "../report.js";
import { markup, type Markup } from "./markup.js";
import { pagerOf } from "./pagerOf.js";

/** Returns the section with the table of projects and rules. The script fills the table and shows it. */
export function matrixSection({ rules, findings }: AuditReport): Markup {
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
            ${rules.map((rule) => headerOf(rule, findings))}
          </tr>
        </thead>
        <tbody></tbody>
      </table>
    </div>
    ${pagerOf("Pages of projects")}
  </section>`;
}

function headerOf({ name, severity }: ReportedRule, findings: readonly ReportedFinding[]): Markup {
  const ofRule = findings.filter(({ rule }) => rule === name);
  const open = ofRule.filter(({ accepted }) => accepted === undefined);
  const count = new Set(open.map(({ projectId }) => projectId)).size;
  const text =
    ofRule.length === 0
      ? "all ok"
      : count === 0
        ? "all accepted"
        : count === 1
          ? "1 project"
          : `${count.toLocaleString("en")} projects`;
  return markup`<th scope="col">
    <a href="#rule-${name}">${name}</a>
    <span class="count">${severity} · ${text}</span>
  </th>`;
}
