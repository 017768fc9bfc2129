import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { type Command, defineCommand, type OptionValues } from "../commandLine.js";
import { settingsSource } from "../commandSettings.js";
import { readVariables, variableOptions, variableUsage } from "../env/variableOptions.js";
import { maskCredentials } from "../env/masks.js";
import type { StackOutputs } from "../env/stackOutputs.js";
import { parseJsonText } from "../parseJsonText.js";
import { runPulumi } from "../pulumi.js";
import { printStderr } from "../standardStreams.js";
import { childEnvironment } from "./childEnvironment.js";
import { findCommand, startCommand } from "./startCommand.js";

const usage = `Usage: pulumi-project-service run <environmentId> [options] -- <command>

Starts a command with variables of a project and one of its environments.
Writes no file, and expands no variables. Without --project, it reads the
pipeline outputs of a stack.

${variableUsage}
The command does not get the variables that set a password, a client secret or
headers of this package. It runs in this folder, whatever --cwd is.

Examples:
  pulumi-project-service run live --project shop -- ./deploy.sh
  pulumi-project-service run live --credentials --database db -- ./deploy.sh

Exit code: that of the command, 128 + n if signal n ended it. 125 it was not
started, 126 it cannot be started, 127 it was not found.
`;

type Values = OptionValues<typeof variableOptions>;

export const runCommand: Command = async (args) => {
  const end = args.indexOf("--");
  const [own, words] = end < 0 ? [args, []] : [args.slice(0, end), args.slice(end + 1)];
  const [program, ...rest] = words;
  const run = (values: Values, positionals: readonly string[]) => {
    if (program !== undefined) return start(values, positionals, program, rest);
    throw argumentInvalid("run needs a command. Pass --help after run to see its options.");
  };
  try {
    return await defineCommand(usage, variableOptions, run, { allowPositionals: true })(own);
  } catch (error) {
    // Without --, the options of the command look like ours.
    if (program !== undefined || !(error instanceof ProjectServiceError)) throw error;
    throw argumentInvalid(
      `${error.message} The command stands after --: pulumi-project-service run <environmentId> -- <command>.`,
    );
  }
};

async function start(
  values: Values,
  positionals: readonly string[],
  command: string,
  args: readonly string[],
): Promise<number> {
  const { variables, unset } = await readVariables(values, positionals, () => readOutputs(values));
  const env = childEnvironment(variables, unset);
  const program = findCommand(command);
  if (typeof program === "number") return program;
  await maskCredentials(variables, (name) =>
    printStderr(`GitHub cannot mask ${name}. The log shows its value if the command prints it.`),
  );
  return startCommand(program, args, env);
}

/** Reads the outputs of the stack. Pulumi decrypts them only if credentials are asked for. */
async function readOutputs(values: Values): Promise<StackOutputs> {
  const { directory, stack } = settingsSource(values);
  const secrets = values.credentials ? ["--show-secrets"] : [];
  const args = ["stack", "output", "--json", ...secrets];
  const json = await runPulumi(args, directory, stack, "or pass --project");
  return parseJsonText(
    String(json),
    "Run it in the folder of the project to see why.",
    "The output of pulumi stack output",
  ) as StackOutputs;
}
