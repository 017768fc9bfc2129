import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { type Command, defineCommand, type OptionValues } from "../commandLine.js";
import { readVariables, variableOptions, variableUsage } from "../values/variableOptions.js";
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

Exit code: that of the command. If signal n ended it, the same signal ends run,
or the code is 128 + n. 125 it was not started, 126 it cannot be started, 127 it
was not found.
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
  const { variables, unset } = await readVariables(values, positionals);
  const env = childEnvironment(variables, unset);
  const program = findCommand(command);
  return typeof program === "number" ? program : startCommand(program, args, env);
}
