import { houseRules } from "../../audit/houseRules/houseRules.js";
import { acceptAll, type AcceptedEntry, dayOf } from "../../audit/report/acceptance.js";
import { createReport, readableProject } from "../../audit/report/createReport.js";
import { type FormatName, formats } from "../../audit/report/formats.js";
import type { AuditReport } from "../../audit/report/report.js";
import { countOf, summarySentence } from "../../audit/report/sentences.js";
import type { Finding } from "../../audit/rules/finding.js";
import type { Rule } from "../../audit/rules/rule.js";
import { displayJson, displayList, displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { packageInfo } from "../../provider/service/packageInfo.js";
import { defineCommand } from "../commandLine.js";
import { commandSettings } from "../commandSettings.js";
import { writeReports } from "../outputOption.js";
import { printsColors, printText, say } from "../standardStreams.js";
import { requireRegularFile, writeFile } from "../writeFile.js";
import { type AcceptedFile, noAcceptedFindings, readAcceptedFile } from "./acceptedFile.js";
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
  const acceptedFile = acceptedFileOf(options);
  const { filters, onInaccessible, failOn } = options;
  const settings = commandSettings(options.location);
  // This module loads axios. A wrong command line fails before, without that cost.
  const { readProjects } = await import("./readProjects.js");
  const { projects, listed } = await readProjects(settings, filters, onInaccessible);
  const scope = { filters: options.filterTexts, listedProjects: listed };
  const context = { tool: packageInfo, service: settings.apiUrl, createdAt, scope, failOn };
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

function acceptedFileOf({ acceptedFile, acceptance }: AuditOptions): AcceptedFile {
  if (acceptedFile === undefined) return noAcceptedFindings;
  // Reading a pipe or standard output would wait for ever.
  if (acceptance !== undefined) requireRegularFile(acceptedFile, "--write-accepted");
  return readAcceptedFile(acceptedFile, acceptance !== undefined);
}

/** Returns the accepted entries. With `--write-accepted`, accepts all findings first. */
function acceptedEntries(
  findings: readonly Finding[],
  { acceptance, acceptedFile = "" }: AuditOptions,
  earlier: AcceptedFile,
  today: string,
): readonly AcceptedEntry[] {
  if (acceptance === undefined) return earlier.accepted;
  const updated = acceptAll(findings, earlier.accepted, acceptance, today);
  const { entries, added, renewed } = updated;
  const kept = entries.length - added - renewed;
  const text = `${displayJson({ ...earlier, accepted: entries })}\n`;
  writeFile(acceptedFile, text, false, "--write-accepted");
  say(
    `${displayText(acceptedFile, 1000)} has ${countOf(entries.length, "accepted finding")}: ${added} added, ${renewed} renewed, ${kept} kept.`,
  );
  return entries;
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
