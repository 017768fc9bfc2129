import { houseRules } from "../../audit/houseRules/houseRules.js";
import { dayOf } from "../../audit/report/acceptance.js";
import {
  type AuditReport,
  createAuditReport,
  scannedFindings,
} from "../../audit/report/auditReport.js";
import { compareReports } from "../../audit/report/comparison.js";
import { type AuditFormat, formats } from "../../audit/report/formats.js";
import { sarifLimit } from "../../audit/report/sarifFormat.js";
import { runAudit } from "../../audit/report/runAudit.js";
import { auditSummary, isIdle } from "../../audit/report/sentences.js";
import { readableProject } from "../../audit/rules/readableProject.js";
import type { Rule } from "../../audit/rules/rule.js";
import { displayCount, displayList } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { packageInfo } from "../../provider/http/packageInfo.js";
import type { Settings } from "../../provider/settings/resolveSettings.js";
import { defineCommand } from "../commandLine.js";
import { commandSettings } from "../commandSettings.js";
import { writeReports } from "../outputOption.js";
import { readFleet } from "../readFleet.js";
import { printsColors, printStderr, printStdout } from "../standardStreams.js";
import { acceptFindings, pruneFiles, readAcceptedFile } from "./acceptedFile.js";
import { type AuditOptions, auditOptions, auditUsage, checkedOptions } from "./auditOptions.js";
import { readEarlierReport } from "./earlierReport.js";
import { rulesFromFile } from "./rulesFile.js";

/**
 * Returns 0 without findings that fail the audit, 1 with such findings. The report goes to standard output or
 * into files, everything else goes to standard error.
 */
export const auditCommand = defineCommand(auditUsage, auditOptions, async (values) => {
  const createdAt = new Date().toISOString();
  const today = dayOf(createdAt);
  const options = checkedOptions(values, today);
  const rules = await rulesOf(options);
  const files = options.acceptedFiles.map((path) => readAcceptedFile(path, "--accepted"));
  const { acceptance, isPruning } = options;
  const fileToWrite = acceptance && readAcceptedFile(acceptance.file, "--write-accepted");
  const settings = await commandSettings(options.source);
  const earlierReport =
    options.compareFile === undefined
      ? undefined
      : readEarlierReport(options.compareFile, settings.apiUrl, options.scope);
  const { projects, listed } = await projectsToAudit(settings, options);
  const result = runAudit(projects, rules, !options.isFiltered);
  refuseIdleRules(result);
  const others = files.flatMap(({ content }) => content.accepted);
  const earlier = [...others, ...(fileToWrite?.content.accepted ?? [])];
  const context = {
    tool: packageInfo,
    service: settings.apiUrl,
    createdAt,
    scope: { ...options.scope, listedProjects: listed.length },
    failOn: options.failOn,
    groupBy: options.groupBy,
  };
  const { isFiltered } = options;
  let report = createAuditReport(context, result, earlier, isFiltered);
  if (fileToWrite) {
    const open = report.findings.filter(({ accepted }) => accepted === undefined);
    const own = acceptFindings(open, fileToWrite, acceptance.entry);
    report = createAuditReport(context, result, [...others, ...own], isFiltered);
  }
  if (isPruning) {
    pruneFiles(files, report.staleAcceptances);
    report = { ...report, staleAcceptances: [] };
  }
  if (earlierReport !== undefined) {
    const comparing = rules.flatMap(({ name, checkProjects }) => (checkProjects ? name : []));
    report = { ...report, comparison: compareReports(earlierReport, report, comparing) };
  }
  showReport(report, options);
  return report.summary.failing === 0 ? 0 : 1;
});

async function rulesOf({ rulesFile, onInaccessible }: AuditOptions): Promise<Rule[]> {
  const rules = rulesFile === undefined ? houseRules() : await rulesFromFile(rulesFile);
  const names = [readableProject, ...rules].map(({ name }) => name);
  const equal = names.filter((name, index) => names.indexOf(name) !== index);
  if (equal.length > 0) {
    throw argumentInvalid(
      `Several rules have the name ${displayList([...new Set(equal)])}. Give each rule in --rules a name of its own.`,
    );
  }
  return onInaccessible === "report" ? [readableProject, ...rules] : rules;
}

/** Reads the projects. At the end of the list are those that cannot be read. */
async function projectsToAudit(settings: Settings, { selection, onInaccessible }: AuditOptions) {
  const advice =
    onInaccessible === "fail"
      ? "Ask for access, correct the projects in the service, or pass --on-inaccessible report."
      : undefined;
  const fleet = await readFleet(settings, selection, "audit", advice);
  const codes = new Map(fleet.inaccessible.map(({ projectId, code }) => [projectId, code]));
  const unread = fleet.listed.flatMap((project) => {
    const inaccessible = codes.get(project.projectId);
    return inaccessible === undefined ? [] : { ...project, inaccessible };
  });
  return { ...fleet, projects: [...fleet.projects, ...unread] };
}

/** An audit that checked nothing would be green. */
function refuseIdleRules({ results, projects }: ReturnType<typeof runAudit>): void {
  const houseResults = results.filter(({ rule }) => rule !== readableProject);
  if (!houseResults.every(isIdle)) return;
  throw argumentInvalid(
    `No rule checked anything in ${displayCount(projects.length, "project")}. Check --filter, and the rules in --rules and their environments.`,
  );
}

function showReport(report: AuditReport, options: AuditOptions): void {
  const { outputs, printedFormat, includeAccepted } = options;
  const textIn = (format: AuditFormat, hasColors: boolean) =>
    formats[format].write(report, { hasColors, includeAccepted });
  writeReports(outputs, (format) => textIn(format, false), auditSummary(report));
  const limit = sarifLimit(scannedFindings(report, { includeAccepted }).length);
  const isSarif = [printedFormat, ...outputs.map(({ format }) => format)].includes("sarif");
  if (isSarif && limit !== undefined) printStderr(limit);
  if (printedFormat !== undefined) printStdout(textIn(printedFormat, printsColors()));
}
