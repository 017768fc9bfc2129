import { parseArgs } from "node:util";
import { resolve } from "node:path";
import { type FormatName, formatNames } from "../audit/report/formatReport.js";
import { type FailOn, failOnLevels } from "../audit/report/report.js";
import { argumentInvalid } from "../provider/errors/projectServiceError.js";
import { parseFilterText } from "../provider/wire/filterText.js";
import { displayList, displayText } from "../provider/errors/displayText.js";
import type { ProjectFilter } from "../provider/model/selection.js";
import { isDate } from "./acceptedFile.js";
import { refuseRepeated, wordOption } from "./optionValues.js";
import { type Formats, type Output, outputOptions } from "./outputOption.js";
import { isSameFile } from "./filePath.js";

export const auditUsage = `Usage: pulumi-project-service audit [options]

Reads the projects of a Project Service, without credentials, and checks them
against the house rules.

  --rules <file>           .json: options of the house rules; .mjs, .js: rules
  --filter <condition>     only these projects: name=shop (whole value),
                           name*=sho (a part of it); all must match
  --fail-on <level>        error, warning, note (default) or never: the lowest
                           level of a finding that fails the audit
  --format <format>        table (default), json, markdown, sarif, html, junit
                           or codequality
  --output [format=]<file> write a report to this file; can be repeated
  --accepted <file>        accepted findings: shown, but do not fail the audit
  --omit-accepted          leave them out of SARIF and Code Quality
  --write-accepted <file>  accept all present findings: add them to this file
  --reason <text>          with --write-accepted: why they are accepted
  --until <YYYY-MM-DD>     with --write-accepted: the last day, in UTC
  --on-inaccessible <what> fail (default), or report: audit the other projects,
                           with a finding for each that cannot be read
  --allow-empty            exit with 0 instead of 2 if there are no projects
  --stack <name>           read the settings from the config of this stack
  --cwd <folder>           folder of the Pulumi project; default: this folder
  --connection <namespace> config namespace; default: project-service
  --help                   print this help

Endings of files that choose a format: .html .json .md .sarif .junit.xml
.codequality.json .txt

Settings come from the config of the named stack. Without --stack, they come
from the selected stack if the folder contains a Pulumi project. Settings also
come from the environment variables PROJECT_SERVICE_BASE_URL, …_AUTH_URL,
…_REALM, …_CLIENT_ID, …_USERNAME, …_PASSWORD and so on.

Exit code: 0 no finding that fails the audit, 1 such findings, 2 the audit
could not check the projects.
`;

const formats: Formats<FormatName> = {
  names: formatNames,
  endings: [
    ["/junit.xml", "junit"],
    [".junit.xml", "junit"],
    [".codequality.json", "codequality"],
    [".html", "html"],
    [".json", "json"],
    [".md", "markdown"],
    [".sarif", "sarif"],
    [".txt", "table"],
  ],
};

/** The options of an audit, checked and complete. */
export interface AuditOptions {
  readonly rulesFile: string | undefined;
  /** The filters as the user wrote them, for the report. */
  readonly filterTexts: readonly string[];
  readonly filters: readonly ProjectFilter[];
  readonly failOn: FailOn;
  /** The format on standard output. Undefined: standard output carries no report. */
  readonly printedFormat: FormatName | undefined;
  readonly outputs: readonly Output<FormatName>[];
  readonly acceptedFile: string | undefined;
  readonly omitAccepted: boolean;
  /** The file to which findings are added. Undefined: the audit accepts nothing. */
  readonly write: WriteOptions | undefined;
  readonly allowEmpty: boolean;
  /** What happens if the list contains projects that cannot be read. */
  readonly onInaccessible: "fail" | "report";
  readonly stackName: string | undefined;
  readonly directory: string;
  /** The config namespace of the settings. Default: `project-service`. */
  readonly namespace: string | undefined;
}

interface WriteOptions {
  readonly file: string;
  readonly reason: string;
  readonly until: string | undefined;
}

/**
 * Parses the command line. Returns undefined if the user asks for help.
 *
 * @param today the present day in UTC, as `YYYY-MM-DD`.
 */
export function parseAuditOptions(
  args: readonly string[],
  today: string,
): AuditOptions | undefined {
  const text = { type: "string" } as const;
  const texts = { type: "string", multiple: true } as const;
  const flag = { type: "boolean" } as const;
  const { values, tokens } = parseArgs({
    tokens: true,
    args: [...args],
    options: {
      rules: text,
      filter: texts,
      "fail-on": text,
      format: text,
      output: texts,
      accepted: text,
      "omit-accepted": flag,
      "write-accepted": text,
      reason: text,
      until: text,
      "allow-empty": flag,
      "on-inaccessible": text,
      stack: text,
      cwd: text,
      connection: text,
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) return undefined;
  refuseRepeated(tokens, ["filter", "output"]);
  const { filter = [], output = [], format, reason, until } = values;
  const writtenFile = values["write-accepted"];
  const options: AuditOptions = {
    rulesFile: values.rules,
    filterTexts: filter,
    filters: filter.map((text) => parseFilterText("--filter", text)),
    failOn: wordOption("--fail-on", values["fail-on"] ?? "note", failOnLevels),
    printedFormat: output.length > 0 ? undefined : printedFormat(format, writtenFile),
    outputs: outputOptions(output, format, formats),
    acceptedFile: values.accepted,
    omitAccepted: values["omit-accepted"] === true,
    write: writeOptions(writtenFile, reason, until, today),
    allowEmpty: values["allow-empty"] === true,
    onInaccessible: wordOption("--on-inaccessible", values["on-inaccessible"] ?? "fail", [
      "fail",
      "report",
    ]),
    stackName: values.stack,
    directory: resolve(values.cwd ?? "."),
    namespace: values.connection,
  };
  checkFiles(options);
  return options;
}

/** Returns the format on standard output. An audit that accepts findings prints only what it is told. */
function printedFormat(
  format: string | undefined,
  writtenFile: string | undefined,
): FormatName | undefined {
  if (format !== undefined) return wordOption("--format", format, formatNames);
  return writtenFile === undefined ? "table" : undefined;
}

function writeOptions(
  file: string | undefined,
  reason: string | undefined,
  until: string | undefined,
  today: string,
): WriteOptions | undefined {
  if (file === undefined) {
    if (reason === undefined && until === undefined) return undefined;
    const option = reason === undefined ? "--until" : "--reason";
    throw argumentInvalid(
      `${option} needs --write-accepted, which names the file that it is written to.`,
    );
  }
  if (reason === undefined || reason.trim() === "") {
    throw argumentInvalid(
      "--write-accepted needs --reason with a text, which says why the findings are accepted.",
    );
  }
  if (until !== undefined && !isDate(until)) {
    throw argumentInvalid(
      `--until ${displayText(until)} is not a date that exists. Write it as YYYY-MM-DD.`,
    );
  }
  if (until !== undefined && until < today) {
    throw argumentInvalid(
      `--until ${until} is in the past. Today is ${today} in UTC. Pass a later day.`,
    );
  }
  return { file, reason, until };
}

/** Refuses options that would overwrite the file of another one, and different files of accepted findings. */
function checkFiles({ rulesFile, outputs, acceptedFile, write }: AuditOptions): void {
  if (
    write !== undefined &&
    acceptedFile !== undefined &&
    resolve(acceptedFile) !== resolve(write.file)
  ) {
    throw argumentInvalid(
      "--accepted and --write-accepted name different files. --write-accepted also reads its file, so leave --accepted out.",
    );
  }
  const files = [rulesFile, write?.file ?? acceptedFile, ...outputs.map(({ file }) => file)].filter(
    (file) => file !== undefined,
  );
  const [first, ...others] = files.filter(
    (file, _, all) => all.filter((other) => isSameFile(file, other)).length > 1,
  );
  if (first === undefined) return;
  const names = displayList([
    ...new Set([first, ...others.filter((file) => isSameFile(file, first))]),
  ]);
  throw argumentInvalid(
    `Several options name the same file: ${names}. Give each of them a file of its own.`,
  );
}
