import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Acceptance } from "../../audit/report/acceptance.js";
import { type FormatName, formatNames } from "../../audit/report/formatReport.js";
import { failOnLevels } from "../../audit/report/report.js";
import { displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import type { ProjectFilter } from "../../provider/model/projectFilter.js";
import { checkArgument } from "../../provider/wire/validate.js";
import { isDay } from "./acceptedFile.js";
import { isSameFile } from "../filePath.js";
import { checkOptions, wordOption } from "../optionValues.js";
import { type Formats, outputOptions } from "../outputOption.js";

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
    ["junit.xml", "junit"],
    [".codequality.json", "codequality"],
    [".html", "html"],
    [".json", "json"],
    [".md", "markdown"],
    [".sarif", "sarif"],
    [".txt", "table"],
  ],
};

/** The options of an audit, checked and complete. */
export type AuditOptions = NonNullable<ReturnType<typeof parseAuditOptions>>;

/**
 * Parses the command line. Returns undefined if the user asks for help.
 *
 * @param today the present day in UTC, as `YYYY-MM-DD`.
 */
export function parseAuditOptions(args: string[], today: string) {
  const text = { type: "string" } as const;
  const texts = { type: "string", multiple: true } as const;
  const { values, tokens } = parseArgs({
    tokens: true,
    args,
    options: {
      rules: text,
      filter: texts,
      "fail-on": text,
      format: text,
      output: texts,
      accepted: text,
      "omit-accepted": { type: "boolean" },
      "write-accepted": text,
      reason: text,
      until: text,
      "on-inaccessible": text,
      stack: text,
      cwd: text,
      connection: text,
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) return undefined;
  checkOptions(tokens, ["filter", "output"]);
  const { filter = [], output = [], format, accepted, "write-accepted": written } = values;
  const { rules, reason, until } = values;
  const outputs = outputOptions(output, format, formats);
  const files = [rules, accepted, written, ...outputs.map(({ file }) => file)];
  refuseEqualFiles(files.filter((file) => file !== undefined));
  // An audit that accepts findings prints only what it is told.
  const printsReport = outputs.length === 0 && (format !== undefined || written === undefined);
  return {
    rulesFile: rules,
    /** The filters as the user wrote them, for the report. */
    filterTexts: filter,
    filters: filter.map(parseFilter),
    failOn: wordOption("--fail-on", values["fail-on"] ?? "note", failOnLevels),
    printedFormat: printsReport
      ? wordOption("--format", format ?? "table", formatNames)
      : undefined,
    outputs,
    acceptedFile: written ?? accepted,
    omitAccepted: values["omit-accepted"] === true,
    /** How the audit adds the findings to `acceptedFile`. Undefined: it accepts nothing. */
    acceptance: acceptanceOf({ written, accepted, reason, until }, today),
    /** What happens if the list contains projects that cannot be read. */
    onInaccessible: wordOption("--on-inaccessible", values["on-inaccessible"] ?? "fail", [
      "fail",
      "report",
    ]),
    stackName: values.stack,
    directory: resolve(values.cwd ?? "."),
    namespace: values.connection,
  };
}

type AcceptanceOptions = Partial<
  Record<"written" | "accepted" | "reason" | "until", string | undefined>
>;

function acceptanceOf(
  { written, accepted, reason, until }: AcceptanceOptions,
  today: string,
): Acceptance | undefined {
  if (written === undefined) {
    if (reason === undefined && until === undefined) return undefined;
    throw argumentInvalid("--reason and --until need --write-accepted.");
  }
  if (accepted !== undefined) {
    throw argumentInvalid("--write-accepted also reads its file, so leave --accepted out.");
  }
  if (reason === undefined || reason.trim() === "") {
    throw argumentInvalid(
      "--write-accepted needs --reason with a text, which says why the findings are accepted.",
    );
  }
  if (until === undefined) return { reason };
  if (!isDay(until)) {
    throw argumentInvalid(`--until ${displayText(until)} must be a day such as 2027-06-30.`);
  }
  if (until < today) {
    throw argumentInvalid(`--until ${until} is in the past. Today is ${today} in UTC.`);
  }
  return { reason, until };
}

/** Refuses options of which one would overwrite the file of another one. */
function refuseEqualFiles(files: readonly string[]): void {
  const equal = files.find((file, index) =>
    files.slice(0, index).some((other) => isSameFile(file, other)),
  );
  if (equal === undefined) return;
  throw argumentInvalid(
    `Several options name the file ${displayText(equal, 200)}. Give each of them a file of its own.`,
  );
}

/**
 * Returns the filter that a text names: `<key>=<value>` or `<key>*=<value>`.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID`
 */
function parseFilter(text: string): ProjectFilter {
  const [, key, operator, value] = /^([^=*]*)(\*?=)(.*)$/s.exec(text) ?? [];
  const option = `--filter ${displayText(text, 200)}`;
  if (operator === undefined) {
    throw argumentInvalid(
      `${option} must be a key, an operator and a value, such as name*=shop. The operators are = for the whole value and *= for a part of it.`,
    );
  }
  const matchBy = operator === "=" ? "exact" : "substring";
  const filter = { key, values: [value], matchBy };
  const at = (path: string) => `${option}: the ${path === "key" ? "key" : "value"}`;
  return checkArgument("isFilter", filter, option, at);
}
