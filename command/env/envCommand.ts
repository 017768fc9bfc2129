import { fstatSync } from "node:fs";
import { resolve } from "node:path";
import { displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { defineCommand, enumOption } from "../commandLine.js";
import { printStdout } from "../standardStreams.js";
import { writeFile } from "../writeFile.js";
import { type EnvFormat, envFormats, formatVariables } from "./formats.js";
import { readVariables, variableOptions, variableUsage } from "../values/variableOptions.js";
import type { Variable } from "../values/variables.js";

const usage = `Usage: pulumi-project-service env <environmentId> --format <format> [options]

Prints environment variables for a project and one of its environments. Without
--project, it reads the pipeline outputs of a stack.

  --format <format>        dotenv (npm dotenv, node --env-file, Symfony,
                           Laravel, compose, shells; not Vite, Next, Nuxt and
                           Bun), docker (docker --env-file, kustomize), github
                           ($GITHUB_ENV), gitlab (artifacts:reports:dotenv) or
                           json. For others: run
  --output <file>          replace this file, with mode 0600 except on Windows
${variableUsage}
--credentials needs --output, and another format than github and gitlab. Start
Vite, Next, Nuxt and Bun with run: they keep variables that they inherit. A
shell reads the variables with: set -a; . ./a.env

Examples:
  pulumi-project-service env live --project shop --format dotenv --output a.env
  pulumi-project-service env live --format github >>"$GITHUB_ENV"

Exit code: 0 all variables were written, 2 otherwise.
`;

export const envCommand = defineCommand(
  usage,
  { format: { type: "string" }, output: { type: "string" }, ...variableOptions },
  async ({ output: file, format: named, ...values }, positionals) => {
    const format = enumOption("--format", named, envFormats);
    refusePlace(format, values.credentials, file);
    const all = await readVariables(values, positionals);
    const variables = all.filter(({ value }) => value !== undefined);
    const text = formatVariables(variables, format);
    if (file !== undefined) {
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

/** Refuses places where others could read the credentials, or where the runner expects another format. */
function refusePlace(format: EnvFormat, credentials: boolean, file: string | undefined): void {
  const { GITHUB_ENV, GITHUB_OUTPUT, GITHUB_STATE, GITHUB_STEP_SUMMARY } = process.env;
  const ofRunner = [GITHUB_ENV, GITHUB_OUTPUT, GITHUB_STATE, GITHUB_STEP_SUMMARY];
  if (file !== undefined && ofRunner.some((path) => path && resolve(path) === resolve(file))) {
    throw argumentInvalid(
      '--output would replace a file of GitHub\'s runner. Append what the command prints: >>"$GITHUB_ENV".',
    );
  }
  if (credentials && (format === "github" || format === "gitlab")) {
    throw argumentInvalid(
      `--credentials cannot be used with --format ${format}, because later steps and other people could read them there. In the job that needs them, start its command with pulumi-project-service run.`,
    );
  }
  if (credentials && file === undefined) {
    throw argumentInvalid(
      "--credentials needs --output <file>, because credentials are never printed. To pass them to a command without a file, use pulumi-project-service run.",
    );
  }
}

/** Refuses a value that a runner could read as a command, or a terminal as a control character. */
function refuseUnsafe({ name, value }: Variable): void {
  if (displayText(String(value), Infinity) === String(value)) return;
  throw argumentInvalid(
    `The value of ${name} contains ##, :: or a control or invisible character, so it is not printed: a log could run it as a command. Write the variables to a file instead: --output <file>, or >file.`,
  );
}
