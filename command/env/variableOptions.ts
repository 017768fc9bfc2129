import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { displayText } from "../../provider/errors/displayText.js";
import type { Project } from "../../provider/model/project.js";
import { selectDatabase, selectEnvironment } from "../../provider/model/selectPart.js";
import type { OptionValues } from "../commandLine.js";
import { settingsOptions, settingsUsage } from "../commandSettings.js";
import { parseDatabaseAddress } from "./databaseAddress.js";
import { parseRenames, renamed } from "./renames.js";
import { readNamedProject } from "./namedProject.js";
import { projectInOutputs, refuseHidden, type StackOutputs } from "./stackOutputs.js";
import { isVariableName, type Variable, variablesOf } from "./variables.js";

/** The options of a command that makes variables. */
export const variableOptions = {
  project: { type: "string" },
  credentials: { type: "boolean", default: false },
  database: { type: "string" },
  "database-url": { type: "string" },
  rename: { type: "string", multiple: true, default: [] as string[] },
  prefix: { type: "string", default: "PROJECT_" },
  "project-output": { type: "string" },
  "credentials-output": { type: "string" },
  ...settingsOptions,
} as const;

export const variableUsage = `\
  --project <name or id>   read this project from the service; default: read the
                           outputs of a stack
  --credentials            add name, type, user name and password of a database
  --database <name>        the database of --credentials; default: the only one
  --database-url <address> add its URL. The address has no user and no path:
                           mysql://db.example.com:3306?charset=utf8mb4
  --rename <old>=<new>     rename a variable; can be repeated:
                           PROJECT_DATABASE_PASSWORD=DB_PASSWORD
  --prefix <text>          start of every name; default: PROJECT_
  --project-output <name>  the output with the project; default: project
  --credentials-output <name>
                           the output with the credentials; default:
                           credentials
${settingsUsage}
  --help                   print this help
`;

type Values = OptionValues<typeof variableOptions>;

/**
 * Returns the variables of one environment, from the service with `--project`, otherwise from the outputs of a stack.
 *
 * @param positionals the id of the environment.
 * @param readOutputs reads the outputs.
 * @throws ProjectServiceError The message contains no value.
 */
export async function readVariables(
  values: Values,
  positionals: readonly string[],
  readOutputs: () => Promise<StackOutputs>,
): Promise<{ variables: Variable[]; unset: string[] }> {
  const environmentId = onlyIn(positionals);
  const { prefix, credentials } = values;
  refusePrefix(prefix);
  for (const option of ["database", "database-url", "credentials-output"] as const) {
    requireOption(values, option, "credentials");
  }
  requireOption(values, "connection", "project");
  const renames = parseRenames(values.rename);
  const { "database-url": url } = values;
  const address = url === undefined ? undefined : parseDatabaseAddress(url);
  const project = await readProject(values, readOutputs);
  const environment = selectEnvironment(project, environmentId);
  const database = credentials
    ? selectDatabase(environment, values.database, "--database")
    : undefined;
  const source = { project, environment, database, address };
  const { variables, unset } = variablesOf(source, prefix);
  if (values.project === undefined) {
    for (const { name, value } of variables) refuseHidden(value, `value of ${name}`);
  }
  return { variables: renamed(variables, renames), unset };
}

async function readProject(
  values: Values,
  readOutputs: () => Promise<StackOutputs>,
): Promise<Project> {
  if (values.project === undefined) return projectInOutputs(await readOutputs(), values);
  for (const option of ["project-output", "credentials-output"] as const) {
    if (values[option] === undefined) continue;
    throw argumentInvalid(`--${option} cannot be used with --project, which reads no outputs.`);
  }
  return readNamedProject(values.project, values);
}

/** Refuses an option that is given without another one. */
export function requireOption<K extends string>(
  values: { readonly [key in K]?: unknown },
  option: K,
  needed: K,
): void {
  if (values[option] === undefined || values[needed]) return;
  throw argumentInvalid(`--${option} needs --${needed}.`);
}

function onlyIn([environmentId, ...others]: readonly string[]): string {
  if (environmentId !== undefined && others.length === 0) return environmentId;
  const given = environmentId && `, not ${displayText([environmentId, ...others].join(" "))}`;
  throw argumentInvalid(
    `The command needs the id of one environment${given ?? ""}. Pass --help after the command to see its options.`,
  );
}

function refusePrefix(prefix: string): void {
  if (isVariableName(prefix)) return;
  throw argumentInvalid(
    `--prefix ${displayText(prefix)} may contain only letters, digits and underscores, and must not start with a digit.`,
  );
}
