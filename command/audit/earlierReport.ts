import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { AuditReport } from "../../audit/report/auditReport.js";
import { displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { parseJsonText } from "../parseJsonText.js";

/** Reads an earlier JSON report, which must be about the same service and projects. */
export function readEarlierReport(
  path: string,
  service: string,
  { filters, exclude }: Pick<AuditReport["scope"], "filters" | "exclude">,
): AuditReport {
  const report = parsedReport(path);
  const shown = displayText(path, 200);
  if (report.service !== service) {
    throw argumentInvalid(
      `--compare ${shown} is a report on ${displayText(report.service, 200)}, but this audit reads ${service}.`,
    );
  }
  const { scope } = report;
  if (isDeepStrictEqual([scope.filters, scope.exclude], [filters, exclude])) return report;
  throw argumentInvalid(
    `--compare ${shown} was made with other values of --filter or --exclude. Pass the same values in the same order.`,
  );
}

function parsedReport(path: string): AuditReport {
  try {
    const report = parseJsonText(readFileSync(path, "utf8"), "") as AuditReport | null;
    const { formatVersion, createdAt, scope, rules, projects, findings } = Object(
      report,
    ) as Partial<AuditReport> & { readonly formatVersion?: unknown };
    if (
      formatVersion === 1 &&
      typeof createdAt === "string" &&
      [scope?.filters, scope?.exclude, rules, projects, findings].every(Array.isArray)
    ) {
      return report as AuditReport;
    }
    throw argumentInvalid("it is not a JSON report with formatVersion 1.");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = error instanceof ProjectServiceError ? message : `${code}.`;
    throw argumentInvalid(
      `Reading --compare ${displayText(path, 200)} failed: ${reason} Pass a report that --output report.json wrote.`,
    );
  }
}
