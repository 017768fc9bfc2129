import { didYouMean, displayText } from "../../provider/errors/displayText.js";
import { argumentInvalid } from "../../provider/errors/projectServiceError.js";
import { selectDatabase, selectEnvironment } from "../../provider/model/selectPart.js";
import { type DatabaseAddress, isHost } from "../../provider/model/urlOfDatabase.js";
import type { OptionValues } from "../commandLine.js";
import { settingsOptions, settingsUsage } from "../commandSettings.js";
import { readNamedProject, readRecordedProject } from "./sources.js";
import { isVariableName, type Variable, makeVariables } from "./variables.js";

export const variableOptions = {
  project: { type: "string" },
  credentials: { type: "boolean", default: false },
  database: { type: "string" },
  "database-url": { type: "string" },
  rename: { type: "string", multiple: true, default: [] as string[] },
  prefix: { type: "string", default: "PROJECT_" },
  ...settingsOptions,
} as const;

export const variableUsage = `\
  --project <name or id>   read this project from the service; default: read the
                           outputs of a stack
  --credentials            add name, type, user name and password of a database
  --database <name>        the database of --credentials; default: the only one
  --database-url <address> with --credentials: add a URL. The address has no
                           user and no path:
                           "mysql://db.example.com:3306?charset=utf8mb4"
  --rename <old>=<new>     rename a variable; can be repeated:
                           PROJECT_DATABASE_PASSWORD=DB_PASSWORD
  --prefix <text>          start of the names; default: PROJECT_
${settingsUsage}
  --help                   print this help
`;

type Values = OptionValues<typeof variableOptions>;

const nameRule =
  "may contain only letters, digits and underscores, and must not start with a digit";

/**
 * Returns the variables of one environment, from the service with `--project`, otherwise from the outputs of a stack.
 *
 * @param positionals the id of the environment.
 * @throws ProjectServiceError The message contains no value.
 */
export async function readVariables(
  values: Values,
  positionals: readonly string[],
): Promise<Variable[]> {
  const environmentId = onlyIn(positionals);
  const { prefix, credentials } = values;
  if (!isVariableName(prefix)) {
    throw argumentInvalid(`--prefix ${displayText(prefix)} ${nameRule}.`);
  }
  requireOption(values, "credentials", "database", values.database);
  requireOption(values, "credentials", "database-url", values["database-url"]);
  requireOption(values, "project", "connection", values.connection);
  const renames = parseRenames(values.rename);
  const ofDatabase = [...renames.keys()].find((name) => name.startsWith(`${prefix}DATABASE_`));
  requireOption(values, "credentials", `rename ${displayText(ofDatabase ?? "")}`, ofDatabase);
  const ofUrl = `${prefix}DATABASE_URL`;
  requireOption(values, "database-url", `rename ${ofUrl}`, renames.get(ofUrl));
  const { "database-url": url } = values;
  const address = url === undefined ? undefined : parseDatabaseAddress(url);
  const project = await (values.project === undefined
    ? readRecordedProject(values)
    : readNamedProject(values.project, values));
  const environment = selectEnvironment(project, environmentId);
  const database = credentials
    ? selectDatabase(environment, values.database, "--database")
    : undefined;
  return renamed(makeVariables({ project, environment, database, address }, prefix), renames);
}

/** Refuses an option whose value makes sense only with another one. */
function requireOption(values: Values, needed: keyof Values, option: string, value?: string): void {
  if (value === undefined || values[needed]) return;
  throw argumentInvalid(`--${option} needs --${needed}.`);
}

function onlyIn([environmentId, ...others]: readonly string[]): string {
  if (environmentId !== undefined && others.length === 0) return environmentId;
  const given = environmentId && `, not ${displayText([environmentId, ...others].join(" "))}`;
  throw argumentInvalid(
    `The command needs the id of one environment${given ?? ""}. Pass --help after the command to see its options.`,
  );
}

/** Returns the new names of variables by their old ones. */
function parseRenames(texts: readonly string[]): ReadonlyMap<string, string> {
  const renames = new Map<string, string>();
  for (const text of texts) {
    const [, ours = "", theirs = ""] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    if (ours === "" || !isVariableName(theirs)) {
      throw argumentInvalid(
        `--rename ${displayText(text)} must be <old>=<new>. The new name ${nameRule}.`,
      );
    }
    if (renames.has(ours)) throw argumentInvalid(`--rename renames ${displayText(ours)} twice.`);
    renames.set(ours, theirs);
  }
  return renames;
}

function renamed(variables: readonly Variable[], renames: ReadonlyMap<string, string>): Variable[] {
  const known = variables.map(({ name }) => name);
  for (const ours of renames.keys()) {
    if (known.includes(ours)) continue;
    const advice = didYouMean(ours, known, "variables");
    throw argumentInvalid(`--rename: there is no variable ${displayText(ours)}. ${advice}.`);
  }
  const names = new Set<string>();
  return variables.map((variable) => {
    const name = renames.get(variable.name) ?? variable.name;
    if (names.has(name)) {
      throw argumentInvalid(`--rename: two variables would have the name ${name}.`);
    }
    names.add(name);
    return { ...variable, name };
  });
}

/** Its error does not contain the address, which may have a password. */
function parseDatabaseAddress(text: string): DatabaseAddress {
  const isAddress = /^[^/?#@]+:\/\/[^/?#@]+\/?(\?[^#]*)?$/.test(text) && URL.canParse(text);
  const { protocol, hostname, port, search } = new URL(isAddress ? text : "none:");
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  // As in databaseUrl, a plus is a plus.
  const parameters = new URLSearchParams(search.replaceAll("+", "%2B"));
  if (isHost(host) && new Set(parameters.keys()).size === parameters.size) {
    return {
      protocol: protocol.slice(0, -1),
      host,
      port: port === "" ? undefined : Number(port),
      query: Object.fromEntries(parameters),
    };
  }
  throw argumentInvalid(
    "--database-url must have a protocol and a host, but no user, path or repeated parameter, such as mysql://db.example.com:3306?charset=utf8mb4.",
  );
}
