import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { displayText } from "../../../provider/errors/displayText.js";
import { displayJson } from "../jsonFormat.js";
import type { AuditReport } from "../report.js";
import { staleSentence, summarySentence } from "../sentences.js";
import { filterForm } from "./filterForm.js";
import { markup, Markup } from "./markup.js";
import { findingsSection, projectsSection } from "./pagedSections.js";
import { pageStyle } from "./pageStyle.js";

/**
 * Returns the report as one HTML file without other files: a table of projects and rules, filters, the
 * findings, and the rules.
 *
 * The page contains the JSON report in the element with the id `report`. A script shows a part of it at a
 * time, because browsers are slow with hundreds of thousands of elements. If scripts are blocked, the
 * page shows the summary, the first 200 findings and the rules.
 *
 * Texts of the service are escaped. In addition, the content security policy of the page allows no
 * requests. It allows only the page's own style and script, by their hashes. Only one function of the
 * script can turn text into HTML, and it takes only text that `markup` has escaped.
 */
export function htmlFormat(report: AuditReport): string {
  // The build bundles page/page.ts with what it imports.
  const script = readFileSync(join(__dirname, "page", "page.js"), "utf8");
  const contentSecurityPolicy = [
    "default-src 'none'",
    `style-src '${hashOf(pageStyle)}'`,
    `script-src '${hashOf(script)}'`,
    "require-trusted-types-for 'script'",
    "trusted-types markup",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const page = markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>Project Service audit</title>
        ${new Markup(`<style>${pageStyle}</style>`)}
      </head>
      <body>
        <main>
          ${headSection(report)} ${filterForm(report)} ${projectsSection(report)}
          ${findingsSection(report)} ${staleSection(report)} ${rulesSection(report)}
        </main>
        ${embeddedReport(report)} ${new Markup(`<script type="module">${script}</script>`)}
      </body>
    </html> `;
  return `${page.text.trimEnd()}\n`;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

/** Returns the head of the page: which service was read, when, and the counts. */
function headSection(report: AuditReport): Markup {
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

/** Returns the section with the accepted entries that match no finding, if there are any. */
function staleSection({ staleAcceptances }: AuditReport): Markup {
  if (staleAcceptances.length === 0) return markup``;
  return markup`<section>
    <h2>Accepted entries without a finding</h2>
    <ul class="stale">
      ${staleAcceptances.map(
        (entry) =>
          markup`<li>
            ${staleSentence(entry)} <span class="faint">Its reason was: ${displayText(entry.reason, 500)}</span>
          </li>`,
      )}
    </ul>
  </section>`;
}

/** Returns the section that explains the rules. */
function rulesSection({ rules }: AuditReport): Markup {
  return markup`<section>
    <h2>Rules</h2>
    <dl class="rules">
      ${rules.map(
        ({ name, severity, description, reason, remedy, comparedProjects }) =>
          markup`<dt id="rule-${name}" tabindex="-1">${name} <span class="level">${severity}</span></dt>
            <dd>${description} <span class="faint">${reason}</span></dd>
            <dd class="remedy">${remedy}</dd>
            ${comparedProjects === undefined ? "" : markup`<dd class="faint">Compared ${comparedProjects.toLocaleString("en")} projects.</dd>`}`,
      )}
    </dl>
  </section>`;
}

/**
 * Returns the element with the id `report`. Its text is the report as in the JSON format, in one line.
 *
 * The browser does not run it. Its JSON contains no `<`, so no text of the service can end the element.
 * Characters that are invisible or change the reading direction are JSON escapes too.
 */
function embeddedReport(report: AuditReport): Markup {
  const json = displayJson({ formatVersion: 1, ...report }, 0).replaceAll("<", "\\u003c");
  return new Markup(`<script type="application/json" id="report">${json}</script>`);
}
