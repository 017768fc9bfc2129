import type { AuditReport } from "../report.js";
import { summarySentence } from "../sentences.js";
import { markup, type Markup } from "./markup.js";

/** Returns the head of the page: which service was read, when, and the counts. */
export function headSection(report: AuditReport): Markup {
  const { tool, service, createdAt, summary } = report;
  const { projects, clean, violated, unknown, accepted } = summary;
  return markup`<header>
    <h1>Project Service audit</h1>
    <p class="faint">
      <span class="address">${service}</span> · read
      <time datetime="${createdAt}">${createdAt.replace("T", " ").replace(/\..*$/, " UTC")}</time> ·
      ${tool.name} ${tool.version}
    </p>
    <p>${summarySentence(report)}</p>
    <dl class="tiles">
      ${tileOf("Projects", projects, "")} ${tileOf("Projects without findings", clean, "ok", "state=ok")}
      ${tileOf("Findings: violated", violated, "violated", "state=violated&acceptance=open")}
      ${tileOf("Findings: unknown", unknown, "unknown", "state=unknown&acceptance=open")}
      ${accepted === 0 ? "" : tileOf("Findings: accepted", accepted, "accepted", "acceptance=accepted")}
    </dl>
  </header>`;
}

/** @param filter the filters that show what the tile counts. */
function tileOf(title: string, value: number, kind: string, filter?: string): Markup {
  return markup`<div class="tile ${value === 0 ? "" : kind}">
    <dt>${title}</dt>
    <dd${value === 0 || filter === undefined ? "" : markup` data-filter="${filter}"`}>${value.toLocaleString("en")}</dd>
  </div>`;
}
