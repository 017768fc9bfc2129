import { builtInRules } from "../../audit/builtInRules/builtInRules.js";
import { dayOf } from "../../audit/report/acceptance.js";
import { createAuditReport } from "../../audit/report/auditReport.js";
import { type AuditFormat, formats } from "../../audit/report/formats.js";
import { runAudit } from "../../audit/report/runAudit.js";
import { auditSummary } from "../../audit/report/sentences.js";
import type { Rule } from "../../audit/rules/rule.js";
import { readableProject } from "../../audit/rules/runRules.js";
import { displayList } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { packageInfo } from "../../provider/http/packageInfo.js";
import type { Settings } from "../../provider/settings/resolveSettings.js";
import { defineCommand } from "../commandLine.js";
import { commandSettings } from "../commandSettings.js";
import { writeReports } from "../outputOption.js";
import { readFleet } from "../readFleet.js";
import { acceptFindings, pruneFiles, readAcceptedFile } from "./acceptedFile.js";
import { type AuditOptions, auditOptions, auditUsage, checkedOptions } from "./auditOptions.js";
import { rulesFromFile } from "./rulesFile.js";

/**
 * Returns 0 without findings that fail the audit, 1 with such findings. The report goes to standard output or
 * into files, everything else goes to standard error.
 */
export const auditCommand = defineCommand(auditUsage, auditOptions, async (values) => {
  const createdAt = new Date().toISOString();
  const today = dayOf(createdAt);
  const options = checkedOptions(values, today);
  const rules = await loadRules(options);
  const { acceptedFiles, acceptance, isFiltered, isPruning } = options;
  const files = acceptedFiles.map((path) => readAcceptedFile(path, "--accepted"));
  const fileToWrite = acceptance && readAcceptedFile(acceptance.file, "--write-accepted");
  const settings = await commandSettings(options.source);
  const { projects, listed } = await projectsToAudit(settings, options);
  const result = runAudit(projects, rules, isFiltered);
  const others = files.flatMap(({ accepted }) => accepted);
  const earlier = [...others, ...(fileToWrite?.accepted ?? [])];
  const context = {
    tool: packageInfo,
    service: settings.apiUrl,
    createdAt,
    scope: { ...options.scope, listedProjects: listed.length },
    failOn: options.failOn,
    groupBy: options.groupBy,
  };
  let report = createAuditReport(context, result, earlier, isFiltered);
  if (acceptance) {
    const own = acceptFindings(report.findings, acceptance.file, acceptance.entry, today);
    report = createAuditReport(context, result, [...others, ...own], isFiltered);
  }
  if (isPruning) {
    pruneFiles(acceptedFiles, report.staleAcceptances);
    report = { ...report, staleAcceptances: [] };
  }
  const textIn = (format: AuditFormat) => formats[format].write(report);
  writeReports(options.outputs, textIn, auditSummary(report));
  return report.summary.failing === 0 ? 0 : 1;
});

async function loadRules({ rulesFile, onInaccessible }: AuditOptions): Promise<Rule[]> {
  const rules = rulesFile === undefined ? builtInRules() : await rulesFromFile(rulesFile);
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
