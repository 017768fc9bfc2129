import { argumentInvalid, ProjectServiceError } from "../provider/errors/projectServiceError.js";
import { acceptAll, dayOf } from "../audit/report/acceptance.js";
import { createReport, withAcceptances } from "../audit/report/createReport.js";
import { type FormatName, formatReport } from "../audit/report/formatReport.js";
import type { AuditReport } from "../audit/report/report.js";
import { summarySentence } from "../audit/report/sentences.js";
import { houseRules } from "../audit/houseRules/houseRules.js";
import { readableProject } from "../audit/houseRules/readableProject.js";
import type { Rule } from "../audit/rules/rule.js";
import { displayText } from "../provider/errors/displayText.js";
import { packageInfo } from "../provider/service/packageInfo.js";
import type { Settings } from "../provider/settings/resolveSettings.js";
import { type AcceptedFile, acceptedFileText, readAcceptedFile } from "./acceptedFile.js";
import { acceptedSentences } from "./acceptedSentences.js";
import { type AuditOptions, auditUsage, parseAuditOptions } from "./auditOptions.js";
import { commandSettings } from "./commandSettings.js";
import { mentioningEarlierReports } from "./earlierReports.js";
import { placeSentence } from "./outputOption.js";
import { printsColors, printText, say } from "./standardStreams.js";
import { progressBar } from "./progressBar.js";
import type { ReadProjects } from "./readProjects.js";
import { rulesFromFile } from "./rulesFile.js";
import { type FileToWrite, type NamedFile, requireRegularFile, writeFiles } from "./writeFiles.js";

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
  return mentioningEarlierReports(options.outputs, "an earlier audit", () =>
    audit(options, createdAt),
  );
}

async function audit(options: AuditOptions, createdAt: string): Promise<number> {
  const rules = await rulesOf(options);
  const acceptedFile = acceptedFileOf(options);
  const settings = await commandSettings({
    directory: options.directory,
    stackName: options.stackName,
    namespace: options.namespace,
    warn: (message) => say(`Warning: ${message}`),
  });
  const { projects, listed, noMatch } = await readAllProjects(settings, options);
  if (projects.length === 0 && !options.allowEmpty) throw noProjects(options, listed, noMatch);
  if (noMatch !== undefined) say(`Warning: ${noMatch}`);
  const context = {
    tool: packageInfo,
    service: settings.apiUrl,
    createdAt,
    scope: { filters: options.filterTexts, listedProjects: listed },
    failOn: options.failOn,
    // To accept findings, the entries are compared with all of them first.
    acceptedEntries: options.write === undefined ? acceptedFile.accepted : [],
  };
  const report = createReport(context, projects, rules);
  return options.write === undefined
    ? reportFindings(report, options)
    : acceptFindings(report, options.write, options);
}

async function rulesOf({ rulesFile, onInaccessible }: AuditOptions): Promise<Rule[]> {
  const rules = rulesFile === undefined ? houseRules() : await rulesFromFile(rulesFile);
  if (rules.some(({ name }) => name === readableProject.name)) {
    throw argumentInvalid(
      `The file in --rules has a rule ${readableProject.name}. The audit uses this name itself. Choose another one.`,
    );
  }
  if (rules.length > 0) return onInaccessible === "report" ? [readableProject, ...rules] : rules;
  throw argumentInvalid(
    "The file in --rules leaves no rule for the audit, so every project would pass. Add a rule to it.",
  );
}

function acceptedFileOf({ acceptedFile, write }: AuditOptions): AcceptedFile {
  if (write !== undefined) {
    // Reading a pipe or standard output would wait for ever.
    requireRegularFile(namedAcceptedFile(write.file));
    return readAcceptedFile(write.file, noAcceptedFindings);
  }
  return acceptedFile === undefined ? noAcceptedFindings : readAcceptedFile(acceptedFile);
}

const noAcceptedFindings: AcceptedFile = { version: 1, accepted: [] };

async function readAllProjects(
  settings: Settings,
  { filters, onInaccessible }: AuditOptions,
): Promise<ReadProjects> {
  // These modules load axios. A wrong command line fails before, without that cost.
  const { getProjectService } = await import("../provider/service/projectService.js");
  const { readProjects } = await import("./readProjects.js");
  const service = getProjectService(settings, say);
  const { stderr } = process;
  const onProgress = stderr.isTTY ? progressBar((text) => stderr.write(text)) : undefined;
  return readProjects(service, filters, onInaccessible, onProgress);
}

function noProjects(
  { filterTexts }: AuditOptions,
  listed: number,
  noMatch: string | undefined,
): ProjectServiceError {
  const filters = filterTexts.map((text) => displayText(text, 200)).join(" and ");
  const match =
    filterTexts.length === 1 ? `The filter ${filters} matches` : `The filters ${filters} match`;
  return new ProjectServiceError(
    "NOT_FOUND",
    listed === 0
      ? "The user in the setting username has access to no project, so there is nothing to audit. Ask for access to projects. If the service has no projects, pass --allow-empty."
      : `${match} none of ${listed} projects, so there is nothing to audit. ${noMatch ?? "Check --filter."} If it is fine that no project matches, pass --allow-empty.`,
  );
}

/** Shows the report. Returns the exit code of the audit. */
function reportFindings(report: AuditReport, options: AuditOptions): number {
  warnOfGithubLimit(report, options);
  if (options.printedFormat !== undefined) printReport(report, options.printedFormat, options);
  if (options.outputs.length > 0) {
    writeFiles(reportFiles(report, options));
    say(`${summarySentence(report)} ${placeSentence(options.outputs)}`);
  }
  return report.summary.failing === 0 ? 0 : 1;
}

/** Accepts all findings that are not accepted yet, and shows the report in which they are accepted. */
function acceptFindings(
  report: AuditReport,
  { file, reason, until }: NonNullable<AuditOptions["write"]>,
  options: AuditOptions,
): number {
  const acceptance = { reason, ...(until === undefined ? {} : { until }) };
  const today = dayOf(report.createdAt);
  // Another audit may have added entries since this one has started.
  const acceptedFile = readAcceptedFile(file, noAcceptedFindings);
  const updated = acceptAll(report.findings, acceptedFile.accepted, acceptance, today);
  const accepted = withAcceptances(report, updated.entries);
  const text = acceptedFileText({ ...acceptedFile, accepted: updated.entries });
  writeFiles([...reportFiles(accepted, options), { ...namedAcceptedFile(file), text }]);
  warnOfGithubLimit(accepted, options);
  if (options.printedFormat !== undefined) printReport(accepted, options.printedFormat, options);
  if (options.outputs.length > 0)
    say(`${summarySentence(accepted)} ${placeSentence(options.outputs)}`);
  for (const line of acceptedSentences(file, updated, accepted.staleAcceptances)) say(line);
  return 0;
}

const maxSarifResults = 25_000;

function warnOfGithubLimit(
  { findings }: AuditReport,
  { outputs, printedFormat, omitAccepted }: AuditOptions,
): void {
  const isSarif = printedFormat === "sarif" || outputs.some(({ format }) => format === "sarif");
  const results = omitAccepted
    ? findings.filter(({ accepted }) => accepted === undefined).length
    : findings.length;
  if (!isSarif || results <= maxSarifResults) return;
  say(
    `Warning: The SARIF report has ${results} results. GitHub rejects a file with more than ${maxSarifResults}. Divide the fleet with --filter.`,
  );
}

function printReport(
  report: AuditReport,
  format: FormatName,
  { omitAccepted }: AuditOptions,
): void {
  const width = process.stdout.columns ?? 100;
  printText(formatReport(report, format, { width, hasColors: printsColors(), omitAccepted }));
}

function reportFiles(
  report: AuditReport,
  { outputs, omitAccepted }: AuditOptions,
): readonly FileToWrite[] {
  return outputs.map(({ format, file }) => ({
    ...namedReport({ file }),
    text: formatReport(report, format, { width: 100, hasColors: false, omitAccepted }),
  }));
}

function namedAcceptedFile(file: string): NamedFile {
  return { file, content: "the accepted findings", option: "--write-accepted" };
}

function namedReport({ file }: { readonly file: string }): NamedFile {
  return { file, content: "the report", option: "--output" };
}
