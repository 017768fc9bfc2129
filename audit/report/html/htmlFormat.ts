import { createHash } from "node:crypto";
import type { AuditReport } from "../report.js";
import { findingsSection } from "./findingsSection.js";
import { markup, Markup } from "./markup.js";
import { matrixSection } from "./matrixSection.js";
import { pageScript } from "./pageScript.js";
import { pageStyle } from "./pageStyle.js";

/**
 * Returns the report as one HTML file without other files: a table of projects and rules, filters, and
 * the findings.
 *
 * Texts of the service are escaped. In addition, the content security policy of the page allows no
 * requests. It allows only the page's own style and script, by their hashes.
 */
export function htmlFormat(report: AuditReport): string {
  const contentSecurityPolicy = [
    "default-src 'none'",
    `style-src '${hashOf(pageStyle)}'`,
    `script-src '${hashOf(pageScript)}'`,
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
          ${headSection(report)} ${matrixSection(report)} ${findingsSection(report)}
          ${rulesSection(report)}
        </main>
        ${new Markup(`<script>${pageScript}</script>`)}
      </body>
    </html> `;
  return `${page.text.trimEnd()}\n`;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function headSection({ tool, service, createdAt, summary }: AuditReport): Markup {
  const tiles = [
    ["Projects", summary.projects, ""],
    ["Projects without findings", summary.clean, "ok"],
    ["Findings: violated", summary.violated, summary.violated > 0 ? "violated" : ""],
    ["Findings: unknown", summary.unknown, summary.unknown > 0 ? "unknown" : ""],
  ] as const;
  return markup`<header>
    <h1>Project Service audit</h1>
    <p class="faint">
      <span class="address">${service}</span> · read
      <time datetime="${createdAt}">${createdAt.replace("T", " ").replace(/\..*$/, " UTC")}</time> ·
      ${tool.name} ${tool.version}
    </p>
    <dl class="tiles">
      ${tiles.map(
        ([title, value, state]) =>
          markup`<div class="tile ${state}">
            <dt>${title}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
  </header>`;
}

function rulesSection({ rules }: AuditReport): Markup {
  return markup`<section>
    <h2>Rules</h2>
    <dl class="rules">
      ${rules.map(
        ({ name, description, reason, remedy }) =>
          markup`<dt id="rule-${name}">${name}</dt>
            <dd>${description} <span class="faint">${reason}</span></dd>
            <dd class="remedy">${remedy}</dd>`,
      )}
    </dl>
  </section>`;
}
