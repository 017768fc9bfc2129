import { resolve } from "node:path";
import type { Acceptance } from "../../audit/report/acceptance.js";
import { type AuditFormat, formats } from "../../audit/report/formats.js";
import { failOnLevels } from "../../audit/report/auditReport.js";
import { displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { type Field, pathsOf, projectFields } from "../../provider/model/projectFields.js";
import { isComparable } from "../../provider/model/projectFilter.js";
import { type OptionValues, enumOption } from "../commandLine.js";
import { settingsOptions, settingsSource, settingsUsage } from "../commandSettings.js";
import { outputOptions } from "../outputOption.js";
import { filterOptions, filterUsage, parseSelection } from "../readFleet.js";

export const auditUsage = `Usage: pulumi-project-service audit [options]

Reads the projects of a Project Service, drops their credentials, and checks
them against rules.

Choose:
  --rules <file>           a module with your rules, or .json options of the
                           built-in rules; default: the built-in rules
${filterUsage}
  --on-inaccessible <what> fail (default), or report: audit the other projects,
                           with a finding for each inaccessible one
${settingsUsage}

Judge:
  --fail-on <level>        error, warning, note (default) or never: the lowest
                           level of a finding that fails the audit

Accept:
  --accepted <file>        accepted findings, which do not fail the audit;
                           can be repeated
  --write-accepted <file>  add the open findings to this file; a later --until
                           renews those in it that expire within 14 days
  --reason <text>          with --write-accepted: why they are accepted
  --until <YYYY-MM-DD>     with --write-accepted: the last day, in UTC;
                           default: no end
  --owner <name>           with --write-accepted: who must solve the problems
  --prune-accepted         without a filter: remove entries from the files in
                           --accepted whose finding the audit ruled out

Report:
  --group-by <key>         count projects by a field, for instance
                           codeRepository.group
  --format <format>        one of the formats below; default: by the ending of
                           --output, otherwise table
  --output <file>          write a report to this file; can be repeated
  --help                   print this help

Formats, the file endings that choose them, and their use:
${formatLines().join("\n")}

Examples:
  pulumi-project-service audit --output audit.html --accepted accepted.json
  pulumi-project-service audit --filter type=TYPO3 --fail-on error

Exit code: 0 no finding fails the audit, 1 a finding fails it, 2 the audit could
not check the projects or write a file.
`;

/** The fields that have one value. */
const fieldsOfOneValue = Object.fromEntries(
  Object.entries<Field>(projectFields).filter(
    ([, { kind }]) => kind !== "list" && kind !== "missingFields",
  ),
);

const formatEndings = Object.fromEntries(
  Object.entries(formats).map(([name, { endings }]) => [name, endings]),
) as Record<AuditFormat, string[]>;

function formatLines(): string[] {
  return Object.entries(formats).map(([name, { endings, use }]) => {
    const plainUse = use.replaceAll("`", "");
    return `  ${name.padEnd(11)}  ${endings.join(", ").padEnd(19)}  ${plainUse}`;
  });
}

export const auditOptions = {
  rules: { type: "string" },
  ...filterOptions,
  "fail-on": { type: "string", default: "note" },
  "group-by": { type: "string" },
  format: { type: "string" },
  output: { type: "string", multiple: true, default: [] as string[] },
  accepted: { type: "string", multiple: true, default: [] as string[] },
  "write-accepted": { type: "string" },
  reason: { type: "string" },
  until: { type: "string" },
  owner: { type: "string" },
  "prune-accepted": { type: "boolean", default: false },
  "on-inaccessible": { type: "string", default: "fail" },
  ...settingsOptions,
} as const;

export type AuditOptions = ReturnType<typeof checkedOptions>;

/** @param today the present day in UTC, as `YYYY-MM-DD`. */
export function checkedOptions(values: OptionValues<typeof auditOptions>, today: string) {
  const { filter, exclude, output, format } = values;
  const isFiltered = filter.length + exclude.length > 0;
  const inputs = [values.rules, ...values.accepted, values["write-accepted"]];
  const outputs = outputOptions(output, format, formatEndings, inputs);
  const written = values["write-accepted"] && resolve(values["write-accepted"]);
  const isPruning = values["prune-accepted"];
  if (isPruning && (values.accepted.length === 0 || isFiltered || values["write-accepted"])) {
    throw argumentInvalid(
      "--prune-accepted needs --accepted, and cannot be used with --filter, --exclude or --write-accepted.",
    );
  }
  return {
    rulesFile: values.rules,
    /** The conditions as the user wrote them, for the report. */
    scope: { filters: filter, exclude },
    isFiltered,
    selection: parseSelection(values),
    failOn: enumOption("--fail-on", values["fail-on"], failOnLevels),
    outputs,
    groupBy:
      values["group-by"] &&
      enumOption("--group-by", values["group-by"], pathsOf(fieldsOfOneValue, isComparable)),
    acceptedFiles: values.accepted.filter((file) => resolve(file) !== written),
    isPruning,
    /** The file to which the audit adds the findings, and how. Undefined: it accepts nothing. */
    acceptance: parseAcceptance(values, today),
    onInaccessible: enumOption("--on-inaccessible", values["on-inaccessible"], ["fail", "report"]),
    source: settingsSource(values),
  };
}

function parseAcceptance(
  values: OptionValues<typeof auditOptions>,
  today: string,
): { file: string; entry: Acceptance } | undefined {
  const { reason, until, owner, "write-accepted": file } = values;
  if (file === undefined) {
    if ((reason ?? until ?? owner) === undefined) return undefined;
    throw argumentInvalid("--reason, --until and --owner need --write-accepted.");
  }
  if (reason === undefined) {
    throw argumentInvalid("--write-accepted needs --reason: why the findings are accepted.");
  }
  const entry = { reason, until, owner };
  // As in the schema of the file.
  const isDay = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
  if (until === undefined || (isDay.test(until) && until >= today)) return { file, entry };
  throw argumentInvalid(
    `--until ${displayText(until)} must be a day such as 2027-06-30, and not before today (${today} in UTC).`,
  );
}
