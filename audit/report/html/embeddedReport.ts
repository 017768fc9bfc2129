import type { AuditReport } from "../report.js";
import { displayJson } from "../displayJson.js";
import { Markup } from "./markup.js";
import type { PageReport } from "./page/pageReport.js";

/**
 * Returns the element with the id `report`. Its text is the report as in the JSON format, in one line.
 *
 * The browser does not run it. Its JSON contains no `<`, so no text of the service can end the element.
 * Characters that are invisible or change the reading direction are JSON escapes too.
 */
export function embeddedReport(report: AuditReport): Markup {
  const data: PageReport & { formatVersion: number } = { formatVersion: 1, ...report };
  const json = displayJson(data, 0).replaceAll("<", "\\u003c");
  return new Markup(`<script type="application/json" id="report">${json}</script>`);
}
