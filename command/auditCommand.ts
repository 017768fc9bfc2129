import { fstatSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { type FormatName, formatReport } from "../audit/report/formatReport.js";
import { type AuditReport, createReport, summarySentence } from "../audit/report/report.js";
import { houseRules } from "../audit/rules/houseRules.js";
import { ProjectServiceError } from "../provider/errors/projectServiceError.js";
import type { Project } from "../provider/model/project.js";
import { packageInfo } from "../provider/packageInfo.js";
import type { Settings } from "../provider/settings/resolveSettings.js";
import { type AuditOptions, auditUsage, formatOption, parseAuditOptions } from "./auditOptions.js";
import { commandSettings } from "./commandSettings.js";
import { progressBar } from "./progressBar.js";
import { rulesFromFile } from "./rulesFile.js";
import { writeReport } from "./writeReport.js";

/**
 * Runs the audit with its command line. The report goes to standard output or into a file, everything
 * else goes to standard error.
 *
 * @returns the exit code: 0 without findings, 1 with findings.
 * @throws ProjectServiceError if the audit could not check all projects.
 */
export async function auditCommand(args: string[]): Promise<number> {
  const options = parseAuditOptions(args);
  if (options.help === true) {
    process.stdout.write(auditUsage);
    return 0;
  }
  try {
    return await audit(options);
  } catch (error) {
    throw options.output === undefined ? error : mentionEarlierReport(error, options.output);
  }
}

async function audit(options: AuditOptions): Promise<number> {
  const format = formatOption(options.format ?? "table");
  const rules = options.rules === undefined ? houseRules() : rulesFromFile(options.rules);
  const settings = await commandSettings({
    directory: resolve(options.cwd ?? "."),
    stackName: options.stack,
    warn: (message) => say(`Warning: ${message}`),
  });
  const createdAt = new Date().toISOString();
  const projects = await readAllProjects(settings);
  if (projects.length === 0 && options["allow-empty"] !== true) throw noProjects();
  const report = createReport(
    { tool: packageInfo, service: settings.apiUrl, createdAt },
    projects,
    rules.filter(({ snapshotsOnly }) => !snapshotsOnly),
  );
  if (options.output === undefined) printReport(report, format);
  else await saveReport(report, format, options.output);
  return report.findings.length === 0 ? 0 : 1;
}

async function readAllProjects(settings: Settings): Promise<Project[]> {
  // These modules load axios. A wrong command line fails before, without that cost.
  const { getProjectService } = await import("../provider/client/projectService.js");
  const { readProjects } = await import("./readProjects.js");
  const service = getProjectService(settings, say);
  const { stderr } = process;
  const onProgress = stderr.isTTY ? progressBar((text) => stderr.write(text)) : undefined;
  return readProjects(service, onProgress);
}

function noProjects(): ProjectServiceError {
  return new ProjectServiceError(
    "NOT_FOUND",
    "The user in the setting username has access to no project, so there is nothing to audit. Ask for access to projects. If the service has no projects, pass --allow-empty.",
  );
}

function printReport(report: AuditReport, format: FormatName): void {
  const { stdout } = process;
  const hasColors = stdout.isTTY && stdout.hasColors();
  const text = formatReport(report, format, { width: stdout.columns ?? 100, hasColors });
  // If standard output is a file on a full disk, Node's stdout writes a part and reports no error.
  if (fstatSync(1).isFile()) writeFileSync(1, text);
  else stdout.write(text);
}

async function saveReport(report: AuditReport, format: FormatName, file: string): Promise<void> {
  const text = formatReport(report, format, { width: 100, hasColors: false });
  try {
    await writeReport(file, text);
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new ProjectServiceError(
      "ARGUMENT_INVALID",
      `Writing the report to ${file} failed: ${code}. Check the path in --output, its permissions and the free space.`,
    );
  }
  say(`${summarySentence(report.summary)} The report is in ${file}.`);
}

/** Adds to the error that the file still contains the report of an earlier audit, if there is one. */
function mentionEarlierReport(error: unknown, file: string): unknown {
  const existing = statSync(file, { throwIfNoEntry: false });
  if (!(error instanceof ProjectServiceError) || existing?.isFile() !== true) return error;
  return new ProjectServiceError(
    error.code,
    `${error.message}\n${file} still contains the report of an earlier audit, written at ${existing.mtime.toISOString()}.`,
  );
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
