import { displayText } from "../../../provider/errors/displayText.js";
import { groupBy } from "../../../provider/model/groupBy.js";
import type { ReportedFinding } from "../acceptance.js";
import type { ReportedProject } from "../report.js";
import { acceptanceSentence, subjectSentence } from "../sentences.js";
import { markup, type Markup } from "./markup.js";

/** A finding with its index in the report, by which the page links to it. */
export interface IndexedFinding {
  readonly finding: ReportedFinding;
  readonly index: number;
}

/** Returns a card for each project of the findings. */
export function findingCards(findings: readonly IndexedFinding[]): Markup {
  const byProject = groupBy(findings, ({ finding }) => finding.projectId);
  return markup`${[...byProject].map(([projectId, ofProject]) => {
    const name = ofProject[0]?.finding.projectName ?? "";
    return markup`<section class="project">
      <h3>${projectTitle({ projectId, name })}</h3>
      <ul>
        ${ofProject.map(itemOf)}
      </ul>
    </section>`;
  })}`;
}

/** Returns the name and the id of a project. */
export function projectTitle({
  name,
  projectId,
}: Pick<ReportedProject, "name" | "projectId">): Markup {
  return markup`<bdi>${displayText(name)}</bdi> <span class="id"><bdi>${displayText(projectId)}</bdi></span>`;
}

function itemOf({ finding, index }: IndexedFinding): Markup {
  const { rule, state, level, environmentId, message, remedy, accepted } = finding;
  return markup`<li id="finding-${index}" tabindex="-1"${accepted === undefined ? "" : markup` class="accepted"`}>
    <div>
      <span class="state ${accepted === undefined ? level : "accepted"}">${state === "violated" ? "✗" : "?"} ${state}</span>
      <span class="level">${level}</span>
    </div>
    ${
      environmentId === undefined
        ? markup`<span class="environment faint">whole project</span>`
        : markup`<bdi class="environment">${displayText(environmentId)}</bdi>`
    }
    <div>
      <p>${message}</p>
      ${subjectSentence(finding).map((sentence) => markup`<p class="faint">${sentence}</p>`)}
      ${acceptanceSentence(finding).map((sentence) => markup`<p class="acceptance">${sentence}</p>`)}
      <p class="remedy">${remedy} <a href="#rule-${rule}">${rule}</a></p>
    </div>
  </li>`;
}
