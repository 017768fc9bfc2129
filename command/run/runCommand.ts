import { argumentInvalid, ProjectServiceError } from "../../provider/errors/projectServiceError.js";
import { type Command, defineCommand, type OptionValues } from "../commandLine.js";
import { variableEnd, variablePrefix } from "../../provider/settings/foundSettings.js";
import { settingKeys, settingsTable } from "../../provider/settings/settingsTable.js";
import { readVariables, variableOptions, variableUsage } from "../values/variableOptions.js";
import type { Variable } from "../values/variables.js";
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
or the code is 128 + n. 125 run failed before it, 126 it cannot be started,
127 it was not found.
`;

type Values = OptionValues<typeof variableOptions>;

export const runCommand: Command = async (args) => {
  const end = args.indexOf("--");
  const [own, words] = end < 0 ? [args, []] : [args.slice(0, end), args.slice(end + 1)];
  const [command, ...rest] = words;
  const run = async (values: Values, positionals: readonly string[]) => {
    if (command === undefined) {
      throw argumentInvalid("run needs a command. Pass --help after run to see its options.");
    }
    const env = childEnvironment(await readVariables(values, positionals));
    const program = findCommand(command);
    return typeof program === "number" ? program : startCommand(program, rest, env);
  };
  try {
    return await defineCommand(usage, variableOptions, run, { allowPositionals: true })(own);
  } catch (error) {
    // Without --, the options of the command look like ours.
    if (command !== undefined || !(error instanceof ProjectServiceError)) throw error;
    throw argumentInvalid(
      `${error.message} The command stands after --: pulumi-project-service run <environmentId> -- <command>. Yarn 1 and npm exec remove the first --: use npx, or write -- twice.`,
    );
  }
};

const ends = settingKeys.filter((key) => settingsTable[key].secret).map(variableEnd);

/** Matches the variables of the secret settings, in every namespace. Windows does not distinguish upper and lower case. */
const secretSetting = new RegExp(`^${variablePrefix}([A-Z0-9]+_)*(${ends.join("|")})$`, "i");

/**
 * Returns the variables of this process without the secrets of the settings, and with the given variables. One without a
 * value is removed, because this process may have it from another project.
 */
export function childEnvironment(variables: readonly Variable[]): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !secretSetting.test(name));
  const env: NodeJS.ProcessEnv = Object.fromEntries(own);
  for (const { name, value } of variables) {
    // Node would throw an error with the value.
    if (String(value).includes("\0")) {
      throw argumentInvalid(
        `The command cannot get ${name}: its value contains a NUL character, which no variable can have. Correct it in the service.`,
      );
    }
    // `spawn` ignores undefined: https://nodejs.org/api/child_process.html#child_processspawncommand-args-options
    env[name] = value === undefined ? undefined : String(value);
  }
  return env;
}
