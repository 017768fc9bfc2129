import { displayText } from "../../provider/errors/displayText.js";
import type { ReportedFinding } from "./acceptance.js";
import { escapeMarkdown } from "./escapeMarkdown.js";
import type { AuditReport, ReportedRule } from "./report.js";
import {
  acceptanceSentence,
  countOf,
  staleSentence,
  subjectSentence,
  summarySentence,
} from "./sentences.js";

/** A comment on GitHub may have 65,536 characters. */
const maxLength = 64_000;
/** Before it is escaped. An escape makes at most five characters of one. */
const maxHeadLength = 10_000;
const maxTableLength = 40_000;
const maxStaleLength = 10_000;

const elsewhere = "The formats json and html contain everything.";

const tableHead = [
  "| | Project | Environment | Rule | Finding |",
  "| --- | --- | --- | --- | --- |",
];

/**
 * Returns the report as Markdown that fits a comment on a merge request.
 *
 * Texts of the service are escaped, so they create no table cell, HTML, link or mention. A line after
 * each list counts the elements that do not fit. A head that is too long ends early, and says so.
 */
export function markdownFormat(report: AuditReport): string {
  const { findings, rules, staleAcceptances, service } = report;
  const open = findings.filter(({ accepted }) => accepted === undefined);
  const accepted = findings.filter((finding) => finding.accepted !== undefined);
  const ruleNames = new Set(open.map(({ rule }) => rule));
  const parts: string[] = [];
  const spaceLeft = () => maxLength - parts.reduce((sum, part) => sum + part.length + 1, 0);
  /** Adds a list, up to a length. Each of its lines is made only if there may be space for it. */
  const add = <T>(list: TextList<T>, length = spaceLeft()) => {
    if (list.elements.length > 0) parts.push(fittingText(list, Math.min(length, spaceLeft())));
  };
  const head = `${summarySentence(report)} Read from ${service}.`;
  parts.push(`### Project Service audit\n\n${escapeMarkdown(displayText(head, maxHeadLength))}\n`);
  if (head.length > maxHeadLength) parts.push(`This summary ends early. ${elsewhere}\n`);
  add(
    { before: tableHead, elements: open, lineOf: rowOf, name: "finding", after: [] },
    maxTableLength,
  );
  add({
    ...folded("Remedies and reasons"),
    elements: rules.filter(({ name }) => ruleNames.has(name)),
    lineOf: ruleLine,
    name: "rule",
  });
  add(
    {
      ...folded("Accepted entries that match no finding"),
      elements: staleAcceptances,
      lineOf: (entry) => `- ${escapeMarkdown(staleSentence(entry))}`,
      name: "accepted entry",
    },
    maxStaleLength,
  );
  const acceptedList = folded(countOf(accepted.length, "accepted finding"));
  add({
    before: [...acceptedList.before, ...tableHead],
    elements: accepted,
    lineOf: rowOf,
    name: "accepted finding",
    after: acceptedList.after,
  });
  return `${parts.join("\n").trimEnd()}\n`;
}

/** Lines of text, one for each element, between other lines. */
interface TextList<T> {
  readonly before: readonly string[];
  readonly elements: readonly T[];
  readonly lineOf: (element: T) => string;
  /** The name of an element, for the line that counts those that do not fit. */
  readonly name: string;
  readonly after: readonly string[];
}

function folded(title: string): { before: string[]; after: string[] } {
  return {
    before: [`\n<details><summary>${title}</summary>\n`],
    after: ["\n</details>"],
  };
}

/** Space for the text around the lines of a list, and for the line that counts the hidden elements. */
const reservedLength = 400;

function fittingText<T>(list: TextList<T>, length: number): string {
  const { before, elements, lineOf, name, after } = list;
  const lines: string[] = [];
  let left = length - reservedLength;
  for (const element of elements) {
    const line = lineOf(element);
    left -= line.length + 1;
    if (left < 0) break;
    lines.push(line);
  }
  const hidden = elements.length - lines.length;
  const others = hidden === 1 ? `${name} does` : `${pluralOf(name)} do`;
  const note = hidden === 0 ? [] : [`\n${hidden} more ${others} not fit here. ${elsewhere}`];
  return [...(lines.length === 0 ? before.slice(0, 1) : before), ...lines, ...note, ...after].join(
    "\n",
  );
}

function pluralOf(name: string): string {
  return name.replace(/y$/, "ie").concat("s");
}

const icons = { error: "❌", warning: "⚠️", note: "ℹ️" } as const;

function rowOf(finding: ReportedFinding): string {
  const { level, state, projectName, projectId, environmentId, rule, message, accepted } = finding;
  const cells = [
    `${accepted === undefined ? icons[level] : "☑️"} ${level}${state === "unknown" ? ", unknown" : ""}`,
    `${escapeMarkdown(displayText(projectName))} (${escapeMarkdown(displayText(projectId))})`,
    environmentId === undefined ? "" : escapeMarkdown(displayText(environmentId)),
    escapeMarkdown(rule),
    escapeMarkdown(
      [message, ...subjectSentence(finding), ...acceptanceSentence(finding)].join(" "),
    ),
  ];
  return `| ${cells.join(" | ")} |`;
}

function ruleLine({ name, remedy, reason }: ReportedRule): string {
  return `- **${escapeMarkdown(name)}**: ${escapeMarkdown(remedy)} ${escapeMarkdown(reason)}`;
}
