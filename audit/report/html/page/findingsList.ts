import { displayText } from "./displayText.js";
import { element, projectName } from "./elements.js";
import type { PageAcceptance, PageFinding, PageProject } from "./pageReport.js";
import type { SearchableFinding } from "./search.js";

/** Creates a card for each project of the findings. `findingsSection` creates the same without a script. */
export function findingCards(findings: readonly SearchableFinding[]): HTMLElement[] {
  const cards: HTMLElement[] = [];
  let lastProject: PageProject | undefined;
  let list: HTMLElement | undefined;
  for (const { finding, index, project } of findings) {
    if (list === undefined || project !== lastProject) {
      list = element("ul", {});
      cards.push(
        element("section", { class: "project" }, element("h3", {}, ...projectName(project)), list),
      );
      lastProject = project;
    }
    list.append(findingItem(finding, index));
  }
  return cards;
}

function findingItem(finding: PageFinding, index: number): HTMLElement {
  const { rule, state, level, environmentId, subject, message, remedy, accepted } = finding;
  const acceptance = acceptanceSentence(finding);
  return element(
    "li",
    {
      id: `finding-${index}`,
      tabindex: "-1",
      ...(accepted === undefined ? {} : { class: "accepted" }),
    },
    element(
      "div",
      {},
      element(
        "span",
        { class: `state ${accepted === undefined ? level : "accepted"}` },
        `${state === "violated" ? "✗" : "?"} ${state}`,
      ),
      " ",
      element("span", { class: "level" }, level),
    ),
    environmentId === undefined
      ? element("span", { class: "environment faint" }, "whole project")
      : element("bdi", { class: "environment" }, displayText(environmentId)),
    element(
      "div",
      {},
      element("p", {}, message),
      ...(subject === message ? [] : [element("p", { class: "faint" }, `Subject: ${subject}.`)]),
      ...(acceptance === undefined ? [] : [element("p", { class: "acceptance" }, acceptance)]),
      element("p", { class: "remedy" }, remedy, " ", element("a", { href: `#rule-${rule}` }, rule)),
    ),
  );
}

/** The same sentence as in the other formats. */
function acceptanceSentence(finding: PageFinding): string | undefined {
  const { accepted, expired, acceptedHere = [] } = finding;
  if (accepted !== undefined) {
    const until = accepted.until === undefined ? "" : ` until ${accepted.until}`;
    return `Accepted${byWhom(accepted)}${until}: ${displayText(accepted.reason, 500)}`;
  }
  if (expired !== undefined) {
    return `The acceptance${byWhom(expired)} expired, its last day was ${expired.until}: ${displayText(expired.reason, 500)}`;
  }
  const [first, ...others] = acceptedHere;
  if (first === undefined) return undefined;
  const more = others.length === 0 ? "" : ` So are ${others.length} more.`;
  return `Not accepted: this rule has an accepted finding here, but it is about something else, ${first.state} "${displayText(first.subject, 200)}": ${displayText(first.reason, 500)}${more}`;
}

function byWhom({ acceptedBy }: PageAcceptance): string {
  return acceptedBy === undefined ? "" : ` by ${displayText(acceptedBy)}`;
}
