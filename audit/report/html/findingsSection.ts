import { displayText } from "../../../provider/errors/displayText.js";
import type { Finding } from "../../rules/finding.js";
import { findingsByProject } from "../findingsByProject.js";
import type { AuditReport } from "../report.js";
import { markup, type Markup } from "./markup.js";

/** Returns a section with a card for each project that has findings. */
export function findingsSection({ projects, findings }: AuditReport): Markup {
  if (findings.length === 0) return markup``;
  const byProject = findingsByProject(findings);
  return markup`<section>
    <h2>Findings</h2>
    ${projects.map(({ projectId, name }, index) => {
      const ofProject = byProject.get(projectId);
      if (ofProject === undefined) return markup``;
      return markup`<section class="project" id="p${index}">
        <h3>
          <bdi>${displayText(name)}</bdi> <span class="id"><bdi>${displayText(projectId)}</bdi></span>
        </h3>
        <ul>
          ${ofProject.map((finding, place) => itemOf(finding, ofProject.slice(0, place), `p${index}`))}
        </ul>
      </section>`;
    })}
  </section>`;
}

/** Returns a list item. The first finding of each rule and state has the id to which the table links. */
function itemOf(finding: Finding, earlier: readonly Finding[], sectionId: string): Markup {
  const { rule, state, environmentId, message, remedy } = finding;
  const isFirst = !earlier.some((other) => other.rule === rule && other.state === state);
  return markup`<li
    ${isFirst ? markup`id="${sectionId}-${rule}-${state}"` : ""}
    data-rule="${rule}"
    data-state="${state}"
    data-environment="${displayText(environmentId ?? "")}"
  >
    <span class="state ${state}">${state === "violated" ? "✗" : "?"} ${state}</span>
    <span class="environment">
      ${
        environmentId === undefined
          ? markup`<span class="faint">whole project</span>`
          : markup`<bdi>${displayText(environmentId)}</bdi>`
      }
    </span>
    <div>
      <p>${message}</p>
      <p class="remedy">${remedy} <a href="#rule-${rule}">${rule}</a></p>
    </div>
  </li>`;
}
