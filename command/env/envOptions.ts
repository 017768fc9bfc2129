import { parseArgs } from "node:util";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { displayText } from "../../provider/errors/displayText.js";
import { refuseRepeated, wordOption } from "../optionValues.js";
import { type FormatName, formatNames } from "./formats.js";
import type { Selection } from "./stackOutputs.js";

export const envUsage = `Usage: pulumi-project-service env <environmentId> --format <format> [options]

Makes environment variables from the pipeline outputs of a stack, for one
environment of the project. Reads the outputs from standard input:

  pulumi stack output --json | pulumi-project-service env live --format shell

  --format <format>        dotenv, github, gitlab, shell or json
  --credentials            add the credentials; standard input then needs
                           pulumi stack output --json --show-secrets
  --output <file>          write to this file, which only its owner may read
  --prefix <text>          start of every name; default: PROJECT_
  --project-output <name>  the output with the project; default: project
  --credentials-output <name>
                           the output with the credentials; default:
                           credentials
  --help                   print this help

With --credentials, the formats dotenv, shell and json need --output. The format
github then masks the credentials in the log and appends the variables to
$GITHUB_ENV itself. The format gitlab carries no credentials.

Exit code: 0 all variables were written, 2 none were written.
`;

/** The options of `pulumi-project-service env`, checked and complete. */
export interface EnvOptions extends Selection {
  readonly format: FormatName;
  /** The file to write. Undefined: standard output, or `$GITHUB_ENV` for credentials on GitHub. */
  readonly file: string | undefined;
  readonly prefix: string;
}

/** Parses the command line. Returns undefined if the user asks for help. */
export function parseEnvOptions(args: readonly string[]): EnvOptions | undefined {
  const text = { type: "string" } as const;
  const { values, positionals, tokens } = parseArgs({
    tokens: true,
    args: [...args],
    allowPositionals: true,
    options: {
      format: text,
      credentials: { type: "boolean" },
      output: text,
      prefix: text,
      "project-output": text,
      "credentials-output": text,
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) return undefined;
  refuseRepeated(tokens);
  const [environmentId, second] = positionals;
  if (environmentId === undefined) {
    throw argumentInvalid(
      "pulumi-project-service env needs the id of an environment, for example: pulumi-project-service env live --format shell",
    );
  }
  if (second !== undefined) {
    throw argumentInvalid(
      `pulumi-project-service env takes one environment id, so ${displayText(second)} is too much. Pass --help after the command to see its options.`,
    );
  }
  const options: EnvOptions = {
    environmentId,
    format: formatOption(values.format),
    credentials: values.credentials === true,
    file: values.output,
    prefix: prefixOption(values.prefix ?? "PROJECT_"),
    projectOutput: values["project-output"] ?? "project",
    credentialsOutput: values["credentials-output"] ?? "credentials",
  };
  checkPlace(options);
  return options;
}

function formatOption(format: string | undefined): FormatName {
  if (format !== undefined) return wordOption("--format", format, formatNames);
  throw argumentInvalid(
    `pulumi-project-service env needs a format. Pass one of these as --format: ${formatNames.join(", ")}.`,
  );
}

function prefixOption(prefix: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(prefix)) return prefix;
  throw argumentInvalid(
    `--prefix ${displayText(prefix)} must have letters, digits and underscores only, and must not start with a digit.`,
  );
}

/** Refuses places in which credentials would be readable, and files that a format cannot replace. */
function checkPlace({ format, credentials, file }: EnvOptions): void {
  if (file === "") throw argumentInvalid("--output names no file.");
  if (format === "github" && file !== undefined) {
    throw argumentInvalid(
      'The format github has no --output, because the file of GitHub must keep its other lines. Append the variables to it: pulumi-project-service env … --format github >>"$GITHUB_ENV". With --credentials, the command appends them itself.',
    );
  }
  if (!credentials || format === "github") return;
  if (format === "gitlab") {
    throw argumentInvalid(
      "The format gitlab carries no credentials: whoever may see the pipeline can download dotenv artifacts. In the job that needs them, run pulumi-project-service env with --format shell --credentials --output <file>, or set masked CI/CD variables.",
    );
  }
  if (file === undefined) {
    throw argumentInvalid(
      `With --credentials, the format ${format} needs --output <file>. The command does not print credentials.`,
    );
  }
}
