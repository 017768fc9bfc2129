import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReportedRule } from "./auditReport.js";

let guides: ReadonlyMap<string, string> | undefined;

/** Returns what to know about a rule, in Markdown: its section of docs/rules.md, or what an own rule says of itself. */
export function ruleGuide({ name, description, reason, remedy }: ReportedRule): string {
  guides ??= sectionsOf(readFileSync(join(__dirname, "../../../docs/rules.md"), "utf8"));
  return guides.get(name) ?? `${description}\n\n${reason}\n\n${remedy}`;
}

function sectionsOf(document: string): Map<string, string> {
  const sections = document.split(/^## /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [name = "", ...lines] = section.split("\n");
      return [name, lines.join("\n").trim()];
    }),
  );
}
