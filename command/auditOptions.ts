import { parseArgs } from "node:util";
import { type FormatName, formatNames } from "../audit/report/formatReport.js";
import { displayText } from "../provider/errors/displayText.js";
import { ProjectServiceError } from "../provider/errors/projectServiceError.js";

export const auditUsage = `Usage: project-service audit [options]

Reads all projects of a Project Service, without credentials, and checks them against the house rules.

  --format <format>   ${formatNames.join(", ")}; default table
  --output <file>     write the report to this file instead of standard output
  --rules <file>      JSON file with the options of the rules, for example
                      {"keptDeployments": {"minimum": 5}, "linkedAssets": false}
  --stack <name>      read the settings from the config of this stack
  --cwd <folder>      folder of the Pulumi project; default: the current folder
  --allow-empty       exit with 0 instead of 2 if there are no projects
  --help              print this help

Settings come from the config of the named stack. Without --stack, they come from the selected stack if
the folder contains a Pulumi project. Settings also come from the environment variables
PROJECT_SERVICE_BASE_URL, …_AUTH_URL, …_REALM, …_CLIENT_ID, …_USERNAME, …_PASSWORD and so on.

Exit code: 0 no findings, 1 findings, 2 the audit could not check all projects.
`;

export type AuditOptions = ReturnType<typeof parseAuditOptions>;

/** Parses the command line. Throws a TypeError, with a message for the user, for unknown options. */
export function parseAuditOptions(args: string[]) {
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

/** Returns the format that `--format` names. */
export function formatOption(format: string): FormatName {
  const known = formatNames.find((name) => name === format);
  if (known !== undefined) return known;
  throw new ProjectServiceError(
    "ARGUMENT_INVALID",
    `The format ${displayText(format)} does not exist. Pass one of these as --format: ${formatNames.join(", ")}.`,
  );
}
