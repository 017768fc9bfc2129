import { fstatSync } from "node:fs";
import { parseArgs } from "node:util";
import { displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { checkOptions, wordOption } from "../optionValues.js";
import { printText, readStandardInput } from "../standardStreams.js";
import { writeFile } from "../writeFile.js";
import { formatNames, formatVariables, masksOf } from "./formats.js";
import { readStackOutputs } from "./stackOutputs.js";
import { type Variable, variablesOf } from "./variables.js";

const example = "pulumi stack output --json | pulumi-project-service env live --format shell";
const usage = `Usage: pulumi-project-service env <environmentId> --format <format> [options]

Makes environment variables from the pipeline outputs of a stack, for one
environment of the project. Reads the outputs from standard input:

  ${example}

  --format <format>        dotenv, github, gitlab, json or shell
  --output <file>          write to this file, which only its owner may read.
                           Not with the format github
  --credentials            add the credentials. Needs --output, and outputs from
                           pulumi stack output --json --show-secrets. Not with
                           the formats github and gitlab
  --prefix <text>          start of every name; default: PROJECT_
  --project-output <name>  the output with the project; default: project
  --credentials-output <name>
                           the output with the credentials; default:
                           credentials
  --help                   print this help

With --credentials in a job on GitHub, the command also prints the commands that
mask the credentials in its log.

Exit code: 0 all variables were written, 2 none were written.
`;

/**
 * Runs the command with its command line.
 *
 * @returns the exit code 0.
 * @throws ProjectServiceError if nothing was written.
 */
export async function envCommand(args: string[]): Promise<number> {
  const options = parseOptions(args);
  if (options === undefined) {
    printText(usage);
    return 0;
  }
  const { format, file } = options;
  const json = await readStandardInput(`Pass the outputs of the stack: ${example}`);
  const variables = variablesOf(readStackOutputs(json, options), options.prefix);
  const text = formatVariables(variables, format);
  if (file !== undefined) {
    // The runner of GitHub masks these lines in its log, and removes the commands.
    if (process.env["GITHUB_ACTIONS"] === "true") process.stderr.write(masksOf(variables));
    writeFile(file, text, true);
    return 0;
  }
  // JSON has escapes, and nobody reads commands in a file.
  if (format !== "json" && !fstatSync(1).isFile()) variables.forEach(refuseUnsafe);
  printText(text);
  return 0;
}

function parseOptions(args: string[]) {
  const text = { type: "string" } as const;
  const { values, positionals, tokens } = parseArgs({
    tokens: true,
    args,
    allowPositionals: true,
    options: {
      format: text,
      credentials: { type: "boolean", default: false },
      output: text,
      prefix: { type: "string", default: "PROJECT_" },
      "project-output": { type: "string", default: "project" },
      "credentials-output": { type: "string", default: "credentials" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) return undefined;
  checkOptions(tokens);
  const [environmentId, ...others] = positionals;
  if (environmentId === undefined || others.length > 0) {
    throw argumentInvalid(
      `env needs the id of one environment, not ${displayText(positionals.join(" ")) || "none"}. Pass --help after the command to see its options.`,
    );
  }
  const { output: file, credentials, prefix } = values;
  const format = wordOption("--format", values.format, formatNames);
  if (!/^[a-z_]\w*$/i.test(prefix)) {
    throw argumentInvalid(
      `--prefix ${displayText(prefix)} must have letters, digits and underscores only, and no digit at its start.`,
    );
  }
  if (file !== undefined && /[/\\]$/.test(file)) {
    throw argumentInvalid(`--output ${displayText(file, 1000)} must be the name of a file.`);
  }
  const { GITHUB_ENV, GITHUB_OUTPUT, GITHUB_STATE, GITHUB_STEP_SUMMARY } = process.env;
  const ofRunner = [GITHUB_ENV, GITHUB_OUTPUT, GITHUB_STATE, GITHUB_STEP_SUMMARY];
  if (file !== undefined && ofRunner.includes(file)) {
    throw argumentInvalid("--output cannot be a file of GitHub's runner. Name another file.");
  }
  if (format === "github" && file !== undefined) {
    throw argumentInvalid(
      '--output cannot be used with --format github. Append what the command prints: >>"$GITHUB_ENV".',
    );
  }
  if (credentials && (format === "github" || format === "gitlab")) {
    throw argumentInvalid(
      `--credentials cannot be used with --format ${format}, because later steps and others could read them there. In the job that needs them, pass --format shell --output <file>.`,
    );
  }
  if (credentials && file === undefined) {
    throw argumentInvalid("--credentials needs --output <file>. Credentials are not printed.");
  }
  const projectOutput = values["project-output"];
  const credentialsOutput = values["credentials-output"];
  return { environmentId, format, credentials, file, prefix, projectOutput, credentialsOutput };
}

/** Refuses a value that a runner could read as a command, or a terminal as a control character. */
function refuseUnsafe({ shownName, value }: Variable): void {
  if (displayText(String(value), Infinity) === String(value)) return;
  throw argumentInvalid(
    `The value of ${shownName} contains ##, :: or an invisible character, so it is not printed: a log could run it as a command. Write the variables to a file instead: --output <file>, or >file.`,
  );
}
