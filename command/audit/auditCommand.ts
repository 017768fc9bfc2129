import { houseRules } from "../../audit/houseRules/houseRules.js";
import { readableProject } from "../../audit/houseRules/readableProject.js";
import { type Acceptance, acceptAll, dayOf } from "../../audit/report/acceptance.js";
import { createReport, withAcceptances } from "../../audit/report/createReport.js";
import { type FormatName, formatReport } from "../../audit/report/formatReport.js";
import type { AuditReport } from "../../audit/report/report.js";
import { countOf, summarySentence } from "../../audit/report/sentences.js";
import type { Rule } from "../../audit/rules/rule.js";
import { displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { packageInfo } from "../../provider/service/packageInfo.js";
import type { Settings } from "../../provider/settings/resolveSettings.js";
import { type AcceptedFile, acceptedFileText, readAcceptedFile } from "./acceptedFile.js";
import { type AuditOptions, auditUsage, parseAuditOptions } from "./auditOptions.js";
import { commandSettings } from "../commandSettings.js";
import { writeReports } from "../outputOption.js";
import type { ReadProjects } from "./readProjects.js";
import { rulesFromFile } from "./rulesFile.js";
import { printsColors, printText, say } from "../standardStreams.js";
import { type NamedFile, requireRegularFile, writeFiles } from "../writeFiles.js";

/**
 * Runs the audit with its command line. The report goes to standard output or into files, everything
 * else goes to standard error.
 *
 * @param now returns the present time, by which acceptances expire.
 * @returns the exit code: 0 without findings that fail the audit, 1 with such findings.
 * @throws ProjectServiceError if the audit could not check all projects.
 */
export async function auditCommand(args: string[], now = () => new Date()): Promise<number> {
  const createdAt = now().toISOString();
  const options = parseAuditOptions(args, dayOf(createdAt));
  if (options === undefined) {
    printText(auditUsage);
    return 0;
  }
  const rules = await rulesOf(options);
  const acceptedFile = acceptedFileOf(options);
  const settings = await commandSettings({
    directory: options.directory,
    stackName: options.stackName,
    namespace: options.namespace,
    warn: (message) => say(`Warning: ${message}`),
  });
  const { projects, listed } = await readAllProjects(settings, options);
  const { acceptance, failOn } = options;
  const context = {
    tool: packageInfo,
    service: settings.apiUrl,
    createdAt,
    scope: { filters: options.filterTexts, listedProjects: listed },
    failOn,
    // To accept findings, the entries are compared with all of them first.
    acceptedEntries: acceptance === undefined ? acceptedFile.accepted : [],
  };
  const report = createReport(context, projects, rules);
  if (acceptance === undefined) {
    showReport(report, options);
    return report.summary.failing === 0 ? 0 : 1;
  }
  const { acceptedFile: file = "" } = options;
  showReport(acceptFindings(report, acceptance, file, acceptedFile), options);
  return 0;
}

async function readAllProjects(
  settings: Settings,
  { filters, onInaccessible }: AuditOptions,
): Promise<ReadProjects> {
  // This module loads axios. A wrong command line fails before, without that cost.
  const { readProjects } = await import("./readProjects.js");
  return readProjects(settings, filters, onInaccessible);
}

async function rulesOf({ rulesFile, onInaccessible }: AuditOptions): Promise<Rule[]> {
  const rules = rulesFile === undefined ? houseRules() : await rulesFromFile(rulesFile);
  if (rules.some(({ name }) => name === readableProject.name)) {
    throw argumentInvalid(
      `The file in --rules has a rule ${readableProject.name}. The audit uses this name itself. Choose another one.`,
    );
  }
  if (rules.length === 0) {
    throw argumentInvalid(
      "The file in --rules leaves no rule for the audit, so every project would pass. Add a rule to it.",
    );
  }
  return onInaccessible === "report" ? [readableProject, ...rules] : rules;
}

const noAcceptedFindings: AcceptedFile = { version: 1, accepted: [] };

function acceptedFileOf({ acceptedFile, acceptance }: AuditOptions): AcceptedFile {
  if (acceptedFile === undefined) return noAcceptedFindings;
  if (acceptance === undefined) return readAcceptedFile(acceptedFile);
  // Reading a pipe or standard output would wait for ever.
  requireRegularFile(named(acceptedFile));
  return readAcceptedFile(acceptedFile, noAcceptedFindings);
}

/** Accepts all findings that are not accepted yet. Returns the report in which they are accepted. */
function acceptFindings(
  report: AuditReport,
  acceptance: Acceptance,
  file: string,
  earlier: AcceptedFile,
): AuditReport {
  const today = dayOf(report.createdAt);
  const updated = acceptAll(report.findings, earlier.accepted, acceptance, today);
  const { entries, added, renewed, kept } = updated;
  writeFiles([{ ...named(file), text: acceptedFileText({ ...earlier, accepted: entries }) }]);
  say(
    `${displayText(file, 1000)} has ${countOf(entries.length, "accepted finding")}: ${added.length} added, ${renewed.length} renewed, ${kept.length} kept.`,
  );
  return withAcceptances(report, entries);
}

function named(file: string): NamedFile {
  return { file, content: "the accepted findings", option: "--write-accepted" };
}

/** Prints the report, or writes it to files. */
function showReport(
  report: AuditReport,
  { outputs, printedFormat, omitAccepted }: AuditOptions,
): void {
  if (printedFormat !== undefined) {
    const width = process.stdout.columns ?? 100;
    const form = { width, hasColors: printsColors(), omitAccepted };
    printText(formatReport(report, printedFormat, form));
  }
  const form = { width: 100, hasColors: false, omitAccepted };
  const textIn = (format: FormatName) => formatReport(report, format, form);
  writeReports(outputs, textIn, summarySentence(report));
}
