import { createHash } from "node:crypto";
import type { AuditReport } from "../report.js";
import { embeddedReport } from "./embeddedReport.js";
import { filterForm } from "./filterForm.js";
import { findingsSection } from "./findingsSection.js";
import { headSection } from "./headSection.js";
import { markup, Markup } from "./markup.js";
import { matrixSection } from "./matrixSection.js";
import { pageScript } from "./pageScript.js";
import { pageStyle } from "./pageStyle.js";
import { rulesSection } from "./rulesSection.js";
import { staleSection } from "./staleSection.js";

/**
 * Returns the report as one HTML file without other files: a table of projects and rules, filters, the
 * findings, and the rules.
 *
 * The page contains the JSON report in the element with the id `report`. A script shows a part of it at a
 * time, because browsers are slow with hundreds of thousands of elements. If scripts are blocked, the
 * page shows the summary, the first 200 findings and the rules.
 *
 * Texts of the service are escaped. In addition, the content security policy of the page allows no
 * requests. It allows only the page's own style and script, by their hashes, and the script cannot
 * turn text into HTML.
 */
export function htmlFormat(report: AuditReport): string {
  const script = pageScript();
  const contentSecurityPolicy = [
    "default-src 'none'",
    `style-src '${hashOf(pageStyle)}'`,
    `script-src '${hashOf(script)}'`,
    "require-trusted-types-for 'script'",
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
          ${headSection(report)} ${filterForm(report)} ${matrixSection(report)}
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
