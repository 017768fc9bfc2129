import { shown } from "../../../provider/shown.js";
import type { Finding } from "../../finding.js";
import { findingsByProject } from "../../findingsByProject.js";
import type { AuditReport } from "../../report.js";
import { markup, type Markup } from "./markup.js";

/** The filters, and the table of projects by rules. */
export function matrixSection(report: AuditReport): Markup {
  const { rules, projects, findings } = report;
  const byProject = findingsByProject(findings);
  return markup`<section>
    <h2>Projects by rules</h2>
    ${filters(report)}
    <div class="matrix" tabindex="0" role="region" aria-label="Projects by rules">
      <table>
        <caption>
          How each project does by each rule
        </caption>
        <thead>
          <tr>
            <th scope="col">Project</th>
            ${rules.map(
              ({ name }) =>
                markup`<th scope="col">
                  <a href="#rule-${name}">${name}</a>
                  <span class="count">${countOf(findings, name)}</span>
                </th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${projects.map(({ projectId, name, environmentIds }, index) => {
            const own = byProject.get(projectId) ?? [];
            const texts = [name, projectId, ...environmentIds].join(" ").toLowerCase();
            return markup`<tr data-findings="p${index}" data-text="${shown(texts, 10_000)}">
              <th scope="row">
                <bdi>${shown(name)}</bdi> <span class="id"><bdi>${shown(projectId)}</bdi></span>
              </th>
              ${rules.map((rule) => markup`<td>${cell(own, rule.name, `p${index}`)}</td>`)}
            </tr>`;
          })}
        </tbody>
      </table>
      <p class="none" hidden>No project matches the filters.</p>
    </div>
  </section>`;
}

function filters({ rules }: AuditReport): Markup {
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

function countOf(findings: readonly Finding[], rule: string): string {
  const count = new Set(
    findings.filter((finding) => finding.rule === rule).map(({ projectId }) => projectId),
  ).size;
  return count === 0 ? "all ok" : count === 1 ? "1 project" : `${count} projects`;
}

function cell(findings: readonly Finding[], rule: string, section: string): Markup[] {
  const ofRule = findings.filter((finding) => finding.rule === rule);
  if (ofRule.length === 0) return [markup`<span class="state ok">✓ ok</span>`];
  return (["violated", "unknown"] as const).flatMap((state) => {
    const count = ofRule.filter((finding) => finding.state === state).length;
    const mark = state === "violated" ? "✗" : "?";
    return count === 0
      ? []
      : [
          markup`<a class="state ${state}" href="#${section}-${rule}-${state}"
            >${mark} ${count} ${state}</a
          > `,
        ];
  });
}
