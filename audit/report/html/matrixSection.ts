import { displayText } from "../../../provider/errors/displayText.js";
import type { Finding } from "../../rules/finding.js";
import { findingsByProject } from "../findingsByProject.js";
import type { AuditReport } from "../report.js";
import { markup, type Markup } from "./markup.js";

/** Returns the section with the filters and the table of projects and rules. */
export function matrixSection(report: AuditReport): Markup {
  const { rules, projects, findings } = report;
  const byProject = findingsByProject(findings);
  return markup`<section>
    <h2>Projects and rules</h2>
    ${filterForm(report)}
    <div class="matrix" tabindex="0" role="region" aria-label="Projects and rules">
      <table>
        <caption>
          Findings of each project by rule
        </caption>
        <thead>
          <tr>
            <th scope="col">Project</th>
            ${rules.map(
              ({ name }) =>
                markup`<th scope="col">
                  <a href="#rule-${name}">${name}</a>
                  <span class="count">${projectCountOf(findings, name)}</span>
                </th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${projects.map(({ projectId, name, environmentIds }, index) => {
            const ofProject = byProject.get(projectId) ?? [];
            const searchText = [name, projectId, ...environmentIds].join(" ").toLowerCase();
            return markup`<tr data-findings="p${index}" data-text="${displayText(searchText, 10_000)}">
              <th scope="row">
                <bdi>${displayText(name)}</bdi> <span class="id"><bdi>${displayText(projectId)}</bdi></span>
              </th>
              ${rules.map((rule) => markup`<td>${cellOf(ofProject, rule.name, `p${index}`)}</td>`)}
            </tr>`;
          })}
        </tbody>
      </table>
      <p class="none" hidden>No project matches the filters.</p>
    </div>
  </section>`;
}

function filterForm({ rules }: AuditReport): Markup {
  return markup`<form class="filters" hidden>
    <label
      >Search
      <input
        type="search"
        name="text"
        placeholder="Project, environment, finding"
        autocomplete="off"
    /></label>
    <label
      >Rule
      <select name="rule">
        <option value="">All rules</option>
        ${rules.map(({ name }) => markup`<option>${name}</option>`)}
      </select></label
    >
    <label
      >State
      <select name="state">
        <option value="">All states</option>
        <option value="violated">Violated</option>
        <option value="unknown">Unknown</option>
        <option value="ok">Without findings</option>
      </select></label
    >
    <button type="reset">Show all</button>
    <output aria-live="polite"></output>
  </form>`;
}

function projectCountOf(findings: readonly Finding[], rule: string): string {
  const count = new Set(
    findings.filter((finding) => finding.rule === rule).map(({ projectId }) => projectId),
  ).size;
  return count === 0 ? "all ok" : count === 1 ? "1 project" : `${count} projects`;
}

function cellOf(findings: readonly Finding[], rule: string, sectionId: string): Markup[] {
  const ofRule = findings.filter((finding) => finding.rule === rule);
  if (ofRule.length === 0) return [markup`<span class="state ok">✓ ok</span>`];
  return (["violated", "unknown"] as const).flatMap((state) => {
    const count = ofRule.filter((finding) => finding.state === state).length;
    const mark = state === "violated" ? "✗" : "?";
    return count === 0
      ? []
      : [
          markup`<a class="state ${state}" href="#${sectionId}-${rule}-${state}"
            >${mark} ${count} ${state}</a
          > `,
        ];
  });
}
