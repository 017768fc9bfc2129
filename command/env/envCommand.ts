import { fstatSync } from "node:fs";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { printText, readStandardInput } from "../standardStreams.js";
import { writeFiles } from "../writeFiles.js";
import { type EnvOptions, envUsage, parseEnvOptions } from "./envOptions.js";
import { type FormatName, formatVariables } from "./formats.js";
import { addToGithubEnvironment, githubEnvironmentFile } from "./githubEnvironment.js";
import { parseStackOutputs } from "./stackOutputs.js";
import { type Variable, variablesOf } from "./variables.js";

/**
 * Runs `pulumi-project-service env` with its command line.
 *
 * @returns the exit code 0.
 * @throws ProjectServiceError if nothing was written.
 */
export async function envCommand(args: string[]): Promise<number> {
  const options = parseEnvOptions(args);
  if (options === undefined) {
    printText(envUsage);
    return 0;
  }
  await writeVariables(options);
  return 0;
}

async function writeVariables(options: EnvOptions): Promise<void> {
  const { format, credentials, file } = options;
  const githubFile =
    format === "github" && credentials ? githubEnvironmentFile(process.env) : undefined;
  const variables = await variablesIn(await readStackOutputs(), options);
  const text = formatVariables(variables, format);
  if (githubFile !== undefined) {
    await addToGithubEnvironment(githubFile, variables, text);
  } else if (file !== undefined) {
    const content = "the variables";
    writeFiles([{ file, text, content, option: "--output", ownerOnly: true }]);
  } else {
    refuseCommands(variables, format);
    printText(text);
  }
}

async function variablesIn(json: string, options: EnvOptions): Promise<Variable[]> {
  try {
    return variablesOf(await parseStackOutputs(json, options), options.prefix);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw argumentInvalid(
      "The JSON in standard input is nested too deeply. Export less deeply nested outputs.",
    );
  }
}

/** What GitHub reads at the start of a line, and GitHub, Azure Pipelines and TeamCity anywhere in it. */
const runnerCommand = /^[\s\p{Cc}\p{Cf}]*::|##(vso|teamcity)?\[/iu;

/** Refuses values that a runner would read as a command. In a file, nobody reads commands. */
function refuseCommands(variables: readonly Variable[], format: FormatName): void {
  if (fstatSync(1).isFile()) return;
  for (const variable of variables) {
    const lines = formatVariables([variable], format).split(/[\r\n]/);
    if (!lines.some((line) => runnerCommand.test(line))) continue;
    throw argumentInvalid(
      `The value of ${variable.shownName} contains a command that GitHub, Azure Pipelines or TeamCity would run if it is printed in a job. Write the variables to a file instead: --output <file>, or >file.`,
    );
  }
}

async function readStackOutputs(): Promise<string> {
  const bytes = await readStandardInput(
    "Pass the outputs of the stack to the command: pulumi stack output --json | pulumi-project-service env …",
  );
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw argumentInvalid(
      "Standard input is not UTF-8 text. Pass it the JSON as pulumi stack output --json prints it.",
    );
  }
}
