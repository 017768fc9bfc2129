import { houseRules } from "../../audit/houseRules/houseRules.js";
import { dayOf } from "../../audit/report/acceptance.js";
import { createReport } from "../../audit/report/createReport.js";
import { type FormatName, formats } from "../../audit/report/formats.js";
import type { AuditReport } from "../../audit/report/report.js";
import { summarySentence } from "../../audit/report/sentences.js";
import type { Rule } from "../../audit/rules/rule.js";
import { readableProject } from "../../audit/rules/runRules.js";
import { displayList } from "../../provider/errors/displayText.js";
import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { packageInfo } from "../../provider/service/packageInfo.js";
import { readCounter } from "../../provider/service/progress.js";
import type { Settings } from "../../provider/settings/resolveSettings.js";
import { withoutCredentials } from "../../provider/wire/credentials.js";
import { defineCommand } from "../commandLine.js";
import { commandSettings } from "../commandSettings.js";
import { writeReports } from "../outputOption.js";
import { printsColors, printText, showProgress } from "../standardStreams.js";
import { acceptedEntries, readAcceptedFile } from "./acceptedFile.js";
import { type AuditOptions, auditOptions, auditUsage, checkedOptions } from "./auditOptions.js";
import { rulesFromFile } from "./rulesFile.js";

/**
 * Returns 0 without findings that fail the audit, 1 with such findings. The report goes to standard output or
 * into files, everything else goes to standard error.
 */
export const auditCommand = defineCommand(auditUsage, auditOptions, async (values) => {
  const createdAt = new Date().toISOString();
  const options = checkedOptions(values, dayOf(createdAt));
  const rules = await rulesOf(options);
  const acceptedFile = readAcceptedFile(options);
  const settings = await commandSettings(options.location);
  const { projects, listedProjects } = await readProjects(settings, options);
  const context = {
    tool: packageInfo,
    service: settings.apiUrl,
    createdAt,
    scope: { filters: options.filterTexts, listedProjects },
    failOn: options.failOn,
  };
  const report = createReport(context, projects, rules, (findings) =>
    acceptedEntries(findings, options, acceptedFile, dayOf(createdAt)),
  );
  showReport(report, options);
  return report.summary.failing === 0 ? 0 : 1;
});

async function rulesOf({ rulesFile, onInaccessible }: AuditOptions): Promise<Rule[]> {
  const rules = rulesFile === undefined ? houseRules() : await rulesFromFile(rulesFile);
  if (rules.length === 0) {
    throw argumentInvalid(
      "The file in --rules leaves no rule for the audit, so every project would pass. Add a rule to it.",
    );
  }
  const names = [readableProject, ...rules].map(({ name }) => name);
  const equal = names.filter((name, index) => names.indexOf(name) !== index);
  if (equal.length > 0) {
    throw argumentInvalid(
      `Several rules have the name ${displayList([...new Set(equal)])}. Give each rule in --rules a name of its own.`,
    );
  }
  return onInaccessible === "report" ? [readableProject, ...rules] : rules;
}

/**
 * Reads the projects that match the filters, without credentials. At the end of the list are those that this user
 * cannot read.
 *
 * @throws ProjectServiceError `NOT_FOUND` if there are none, or the code of a project that cannot be read, unless
 *   the audit reports such projects and can read others. Other errors are those of getProjects.
 */
async function readProjects(settings: Settings, { filters, onInaccessible }: AuditOptions) {
  // This module loads axios. A wrong command line fails before, without that cost.
  const { getProjectService } = await import("../../provider/service/projectService.js");
  const service = getProjectService(settings);
  const { onProgress, text } = readCounter();
  const result = await showProgress(text, () =>
    service.readProjects(filters, withoutCredentials, { onInaccessible: "skip", onProgress }),
  );
  const { projects, inaccessible, selected, existing } = result;
  const listedProjects = result.listedIds.length;
  const [first] = inaccessible;
  if (first !== undefined && onInaccessible === "fail") {
    const failed = inaccessible.map(({ projectId, code }) => `${projectId} (${code})`);
    throw new ProjectServiceError(
      first.code,
      `The user in the setting username cannot read ${inaccessible.length} of ${selected} projects: ${displayList(failed)}. Ask for access or correct them in the service, or pass --on-inaccessible report.`,
    );
  }
  if (projects.length + inaccessible.length === 0) {
    throw new ProjectServiceError(
      "NOT_FOUND",
      listedProjects === 0
        ? "The user in the setting username has access to no project, so there is nothing to audit. Ask for access to projects."
        : `--filter matches none of ${listedProjects} projects, so there is nothing to audit. Check its keys and values.${existing()}`,
    );
  }
  const unread = inaccessible.map(({ projectId, code }) => {
    return { projectId, name: projectId, inaccessible: code };
  });
  return { projects: [...projects, ...unread], listedProjects };
}

/** Prints the report, or writes it to files. */
function showReport(report: AuditReport, options: AuditOptions): void {
  const { outputs, printedFormat, omitAccepted } = options;
  const form = { width: 100, hasColors: false, omitAccepted };
  const textIn = (format: FormatName) => formats[format](report, form);
  writeReports(outputs, textIn, summarySentence(report));
  if (printedFormat === undefined) return;
  const width = process.stdout.columns ?? form.width;
  printText(formats[printedFormat](report, { width, hasColors: printsColors(), omitAccepted }));
}
