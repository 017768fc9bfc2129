import { shown } from "../../../provider/shown.js";
import type { Finding } from "../../finding.js";
import { findingsByProject } from "../../findingsByProject.js";
import type { AuditReport } from "../../report.js";
import { markup, type Markup } from "./markup.js";

/** A card for each project with findings. */
export function findingsSection({ projects, findings }: AuditReport): Markup {
  if (findings.length === 0) return markup``;
  const byProject = findingsByProject(findings);
  return markup`<section>
    <h2>Findings</h2>
    ${projects.map(({ projectId, name }, index) => {
      const own = byProject.get(projectId);
      if (own === undefined) return markup``;
      return markup`<section class="project" id="p${index}">
        <h3>
          <bdi>${shown(name)}</bdi> <span class="id"><bdi>${shown(projectId)}</bdi></span>
        </h3>
        <ul>
          ${own.map((finding, place) => itemOf(finding, own.slice(0, place), `p${index}`))}
        </ul>
      </section>`;
    })}
  </section>`;
}

/** The first of a rule and state has the id to which the table links. */
function itemOf(finding: Finding, before: readonly Finding[], section: string): Markup {
  const { rule, state, environmentId, message, remedy } = finding;
  const isFirst = !before.some((other) => other.rule === rule && other.state === state);
  return markup`<li
    ${isFirst ? markup`id="${section}-${rule}-${state}"` : ""}
    data-rule="${rule}"
    data-state="${state}"
    data-environment="${shown(environmentId ?? "")}"
  >
    <span class="state ${state}">${state === "violated" ? "✗" : "?"} ${state}</span>
    <span class="environment">
      ${
        environmentId === undefined
          ? markup`<span class="faint">whole project</span>`
          : markup`<bdi>${shown(environmentId)}</bdi>`
      }
    </span>
    <div>
      <p>${message}</p>
      <p class="remedy">${remedy} <a href="#rule-${rule}">${rule}</a></p>
    </div>
  </li>`;
}
