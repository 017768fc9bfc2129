import { fstatSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { defineCommand, enumOption } from "../commandLine.js";
import { printStdout, printStderr } from "../standardStreams.js";
import { writeFile } from "../writeFile.js";
import { type EnvFormat, envFormats, formatVariables, masksOf } from "./formats.js";
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

export const envCommand = defineCommand(
  usage,
  {
    format: { type: "string" },
    credentials: { type: "boolean", default: false },
    output: { type: "string" },
    prefix: { type: "string", default: "PROJECT_" },
    "project-output": { type: "string", default: "project" },
    "credentials-output": { type: "string", default: "credentials" },
  },
  async ({ output: file, credentials, prefix, ...values }, positionals) => {
    const environmentId = onlyIn(positionals);
    const format = enumOption("--format", values.format, envFormats);
    refusePrefix(prefix);
    refusePlace(format, credentials, file);
    if (process.stdin.isTTY) {
      throw argumentInvalid(
        `Standard input is a terminal. Pass the outputs of the stack: ${example}`,
      );
    }
    const json = await buffer(process.stdin);
    const { "project-output": projectOutput, "credentials-output": named } = values;
    const credentialsOutput = credentials ? named : undefined;
    const outputs = readStackOutputs(json, environmentId, projectOutput, credentialsOutput);
    const variables = variablesOf(outputs, prefix);
    const text = formatVariables(variables, format);
    if (file !== undefined) {
      if (process.env["GITHUB_ACTIONS"] === "true") printMasks(masksOf(variables));
      writeFile(file, text, true);
      return 0;
    }
    // JSON has escapes, and nobody reads commands in a file.
    if (format !== "json" && !fstatSync(1).isFile()) variables.forEach(refuseUnsafe);
    printStdout(text);
    return 0;
  },
  { allowPositionals: true },
);

function onlyIn([environmentId, ...others]: readonly string[]): string {
  if (environmentId !== undefined && others.length === 0) return environmentId;
  const given = displayText([environmentId, ...others].join(" ")) || "none";
  throw argumentInvalid(
    `env needs the id of one environment, not ${given}. Pass --help after the command to see its options.`,
  );
}

function refusePrefix(prefix: string): void {
  if (/^[a-z_]\w*$/i.test(prefix)) return;
  throw argumentInvalid(
    `--prefix ${displayText(prefix)} must have letters, digits and underscores only, and no digit at its start.`,
  );
}

/** Refuses places where others could read the credentials, or where the runner expects another format. */
function refusePlace(format: EnvFormat, credentials: boolean, file: string | undefined): void {
  const { GITHUB_ENV, GITHUB_OUTPUT, GITHUB_STATE, GITHUB_STEP_SUMMARY } = process.env;
  const ofRunner = [GITHUB_ENV, GITHUB_OUTPUT, GITHUB_STATE, GITHUB_STEP_SUMMARY];
  if (file !== undefined && ofRunner.includes(file)) {
    throw argumentInvalid("--output cannot be a file of GitHub's runner. Name another file.");
  }
  if (credentials && (format === "github" || format === "gitlab")) {
    throw argumentInvalid(
      `--credentials cannot be used with --format ${format}, because later steps and others could read them there. In the job that needs them, pass --format shell --output <file>.`,
    );
  }
  if (format === "github" && file !== undefined) {
    throw argumentInvalid(
      '--output cannot be used with --format github. Append what the command prints: >>"$GITHUB_ENV".',
    );
  }
  if (credentials && file === undefined) {
    throw argumentInvalid("--credentials needs --output <file>. Credentials are not printed.");
  }
}

/** The runner of GitHub masks these texts in its log, and removes the commands. It does not read a file. */
function printMasks(masks: string): void {
  if (masks === "") return;
  if (!fstatSync(2).isFile()) process.stderr.write(masks);
  else {
    printStderr(
      "Standard error is a file, so the credentials are not masked in the log of the job. Do not redirect it.",
    );
  }
}

/** Refuses a value that a runner could read as a command, or a terminal as a control character. */
function refuseUnsafe({ shownName, value }: Variable): void {
  if (displayText(String(value), Infinity) === String(value)) return;
  throw argumentInvalid(
    `The value of ${shownName} contains ##, :: or an invisible character, so it is not printed: a log could run it as a command. Write the variables to a file instead: --output <file>, or >file.`,
  );
}
