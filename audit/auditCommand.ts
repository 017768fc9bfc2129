import { fstatSync, statSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ProjectServiceError } from "../provider/errors.js";
import { auditSettings } from "./auditSettings.js";
import { type FormatName, formatNames, formatReport } from "./formats/formatReport.js";
import { houseRules } from "./houseRules.js";
import { progressBar } from "./progressBar.js";
import { makeReport, summarySentence } from "./report.js";
import { rulesFromFile } from "./rulesFile.js";
import { tool } from "./tool.js";
import { writeReport } from "./writeReport.js";

export const auditUsage = `Usage: project-service audit [options]

Reads all projects of a Project Service, without credentials, and holds them to the house rules.

  --format <format>   ${formatNames.join(", ")}; default table
  --output <file>     write the report there instead of printing it
  --rules <file>      JSON with the options of the rules, for instance
                      {"keptDeployments": {"minimum": 5}, "linkedAssets": false}
  --stack <name>      read the settings from the config of this stack
  --cwd <folder>      folder of the Pulumi project; default: this one
  --allow-empty       an audit of no project is a success, not exit code 2
  --help              print this

Settings come from the config of the named stack, or of the selected one if there is a Pulumi project
in the folder, and from the environment variables PROJECT_SERVICE_BASE_URL, …_AUTH_URL, …_REALM,
…_CLIENT_ID, …_USERNAME, …_PASSWORD and so on.

Exit code: 0 no findings, 1 findings, 2 the audit could not look.
`;

/** Runs the audit with its command line. Reports go to stdout, everything else to stderr. */
export async function auditCommand(args: string[]): Promise<number> {
  const options = parse(args);
  if (options.help === true) {
    process.stdout.write(auditUsage);
    return 0;
  }
  try {
    return await audit(options);
  } catch (error) {
    throw options.output === undefined ? error : withEarlierReport(error, options.output);
  }
}

async function audit(options: ReturnType<typeof parse>): Promise<number> {
  const format = checkedFormat(options.format ?? "table");
  const rules = options.rules === undefined ? houseRules() : rulesFromFile(options.rules);
  const settings = await auditSettings({
    directory: resolve(options.cwd ?? "."),
    stackName: options.stack,
    warn: (message) => say(`Warning: ${message}`),
  });
  // Loaded once the command line is known to be good: they bring Pulumi and axios.
  const { connect } = await import("../provider/projectService.js");
  const { readProjects } = await import("./readProjects.js");
  const service = connect(settings, (reason, waitMs) =>
    say(`${reason} Trying again in ${Math.round(waitMs / 1_000)} s.`),
  );
  const createdAt = new Date().toISOString();
  const { stderr } = process;
  const onProgress = stderr.isTTY ? progressBar((text) => stderr.write(text)) : undefined;
  const projects = await readProjects(service, onProgress);
  if (projects.length === 0 && options["allow-empty"] !== true) {
    throw new ProjectServiceError(
      "NOT_FOUND",
      "The user set in username sees no project, so nothing was audited. Ask for access to projects. Where there are none, pass --allow-empty.",
    );
  }
  const report = makeReport(
    { tool, service: settings.apiUrl, createdAt },
    projects,
    rules.filter(({ snapshotsOnly }) => !snapshotsOnly),
  );
  if (options.output === undefined) {
    const { stdout } = process;
    const hasColors = stdout.isTTY && stdout.hasColors();
    print(formatReport(report, format, { width: stdout.columns ?? 100, hasColors }));
  } else {
    await write(options.output, formatReport(report, format, { width: 100, hasColors: false }));
    say(`${summarySentence(report.summary)} The report is in ${options.output}.`);
  }
  return report.findings.length === 0 ? 0 : 1;
}

function parse(args: string[]) {
  const text = { type: "string" } as const;
  return parseArgs({
    args,
    options: {
      format: text,
      output: text,
      rules: text,
      stack: text,
      cwd: text,
      "allow-empty": { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  }).values;
}

function checkedFormat(format: string): FormatName {
  const known = formatNames.find((name) => name === format);
  if (known !== undefined) return known;
  throw new ProjectServiceError(
    "ARGUMENT_INVALID",
    `There is no such format. The formats are ${formatNames.join(", ")}.`,
  );
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeReport(file, text);
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new ProjectServiceError(
      "ARGUMENT_INVALID",
      `The report cannot be written to ${file} (${code}).`,
    );
  }
}

/** Says that a report of an earlier audit is still in the file and not this one's. */
function withEarlierReport(error: unknown, file: string): unknown {
  const existing = statSync(file, { throwIfNoEntry: false });
  if (!(error instanceof ProjectServiceError) || existing?.isFile() !== true) return error;
  return new ProjectServiceError(
    error.code,
    `${error.message}\n${file} still holds the report of an earlier audit, of ${existing.mtime.toISOString()}.`,
  );
}

/** Of a file on a full disk, Node's stdout writes a part and says nothing. */
function print(text: string): void {
  if (!fstatSync(1).isFile()) process.stdout.write(text);
  else writeFileSync(1, text);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
