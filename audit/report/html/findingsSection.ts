import { displayText } from "../../../provider/errors/displayText.js";
import { groupBy } from "../../../provider/model/groupBy.js";
import type { ReportedFinding } from "../acceptance.js";
import type { AuditReport } from "../report.js";
import { acceptanceSentence, subjectSentence } from "../sentences.js";
import { markup, type Markup } from "./markup.js";
import { pagerOf } from "./pagerOf.js";

/** A page whose script is blocked shows this number of findings. */
const maxStaticFindings = 200;

/**
 * Returns the section with a card for each project that has findings: the first 200 findings, accepted
 * ones last. The script replaces them with the findings that match the filters.
 */
export function findingsSection({ projects, findings }: AuditReport): Markup {
  const shown = firstFindings(findings);
  const byProject = groupBy(shown, ({ projectId }) => projectId);
  const hidden = findings.length - shown.length;
  const all = `${findings.length.toLocaleString("en")} findings`;
  const range = hidden === 0 ? all : `${shown.length} of ${all}`;
  return markup`<section id="findings">
    <h2 tabindex="-1">Findings <span class="range">${range}</span></h2>
    <div class="cards">
      ${projects.map(({ projectId, name }) => {
        const ofProject = byProject.get(projectId);
        if (ofProject === undefined) return markup``;
        return markup`<section class="project">
          <h3>
            <bdi>${displayText(name)}</bdi> <span class="id"><bdi>${displayText(projectId)}</bdi></span>
          </h3>
          <ul>
            ${ofProject.map(itemOf)}
          </ul>
        </section>`;
      })}
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
function firstFindings(findings: readonly ReportedFinding[]): readonly ReportedFinding[] {
  const isAccepted = ({ accepted }: ReportedFinding) => accepted !== undefined;
  const open = findings.filter((finding) => !isAccepted(finding));
  const first = new Set([...open, ...findings.filter(isAccepted)].slice(0, maxStaticFindings));
  return findings.filter((finding) => first.has(finding));
}

/** Returns a finding. `findingItem` of the script creates the same. */
function itemOf(finding: ReportedFinding): Markup {
  const { rule, state, level, environmentId, message, remedy, accepted } = finding;
  return markup`<li${accepted === undefined ? "" : markup` class="accepted"`}>
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
