import type * as pulumi from "@pulumi/pulumi";
import { displayList, displayText } from "../provider/errors/displayText.js";
import {
  ProjectServiceError,
  type ProjectServiceErrorCode,
} from "../provider/errors/projectServiceError.js";
import type { Database } from "../provider/model/project.js";
import type { Settings } from "../provider/settings/resolveSettings.js";
import {
  type EnvironmentKey,
  type EnvironmentOfProject,
  type EnvironmentOutputKey,
  readEnvironment,
} from "./getEnvironment.js";
import { checkProjectArguments, checkText } from "./reading/checkArguments.js";
import type { CredentialsOption, DatabaseWithCredentials } from "./reading/credentialTypes.js";
import { type ReadFunction, readOutput, readPromise } from "./reading/runRead.js";
import type { ReadOptions, ReadOutputOptions } from "./reading/readOptions.js";

/** Names a database of an environment. */
export type DatabaseKey = EnvironmentKey & {
  /** May be omitted if the environment has exactly one database. */
  databaseName?: string;
};

/** Like {@link DatabaseKey}, with Inputs. */
export type DatabaseOutputKey = EnvironmentOutputKey & {
  /** May be omitted if the environment has exactly one database. */
  databaseName?: pulumi.Input<string>;
};

/** Arguments of {@link getDatabase}. */
export type GetDatabaseArgs<C extends boolean = true> = DatabaseKey & CredentialsOption<C>;

/** Arguments of {@link getDatabaseOutput}. */
export type GetDatabaseOutputArgs<C extends boolean = true> = DatabaseOutputKey &
  CredentialsOption<C>;

/** A database, with the project and the environment to which it belongs. */
export type DatabaseOfEnvironment<D extends Database> = D & {
  /** Id of the project. */
  projectId: string;
  /** Name of the project. */
  projectName: string;
  /** Id of the environment. */
  environmentId: string;
};

/** A database. `C` says whether it has credentials. */
export type GetDatabaseResult<C extends boolean = true> = DatabaseOfEnvironment<
  C extends false ? Database : DatabaseWithCredentials
>;

/**
 * Reads one database of an environment.
 *
 * @param args exactly one of `projectId` and `name`; `environmentId`; `databaseName`, which may be
 *   omitted if the environment has exactly one database; `includeCredentials`, default true.
 * @param opts `connection`, default the config namespace `project-service`.
 * @returns the database, with `projectId`, `projectName` and `environmentId`. `username` and
 *   `password` are secret Outputs. All other fields are plain values.
 * @throws ProjectServiceError `NOT_FOUND` (no such project, environment or database; the message lists
 *   the existing ones), `RESPONSE_INVALID` (the response omits the list of databases, among others),
 *   `ARGUMENT_INVALID` (`databaseName` is needed, among others), `AMBIGUOUS_NAME` (the
 *   service has several databases with that name), and the other codes of {@link getEnvironment}.
 *
 * Source: `projectEnvironments[].projectEnvironmentDatabases.databases[]` of
 * `GET /projects/{projectId}`.
 *
 * @example
 * const database = await getDatabase({ name: "shop", environmentId: "live" });
 * const url = databaseUrl(database, { protocol: "mysql", host: "db.example.com" });
 */
export async function getDatabase<C extends boolean = true>(
  args: GetDatabaseArgs<C>,
  opts: ReadOptions = {},
): Promise<GetDatabaseResult<C>> {
  return readPromise(databaseFunction, args, opts) as Promise<GetDatabaseResult<C>>;
}

/**
 * Like {@link getDatabase}, with Inputs as arguments and an Output as result.
 *
 * @example
 * const database = getDatabaseOutput({ name: "shop", environmentId: "live" });
 * export const url = databaseUrl(database, { protocol: "mysql", host: "db.example.com" });
 */
export function getDatabaseOutput<C extends boolean = true>(
  args: GetDatabaseOutputArgs<C>,
  opts: ReadOutputOptions = {},
): pulumi.Output<GetDatabaseResult<C>> {
  return readOutput(databaseFunction, args, opts) as pulumi.Output<GetDatabaseResult<C>>;
}

type AnyArgs = DatabaseKey & { includeCredentials?: boolean };

const databaseFunction: ReadFunction<AnyArgs, DatabaseOfEnvironment<Database>> = {
  name: "getDatabase",
  check(caller, args) {
    checkProjectArguments(caller, args, ["environmentId", "databaseName"]);
    const { environmentId, databaseName } = args as Record<string, unknown>;
    checkText(caller, "environmentId", environmentId);
    if (databaseName !== undefined) checkText(caller, "databaseName", databaseName);
  },
  read: readDatabase,
};

async function readDatabase(
  { databaseName, ...args }: AnyArgs,
  settings: Settings,
  isSecret: boolean,
): Promise<DatabaseOfEnvironment<Database>> {
  const environment = await readEnvironment(args, settings, isSecret);
  const { projectId, projectName, environmentId } = environment;
  const database = selectDatabase(environment, databaseName, isSecret);
  // The database has getters, which a spread would read.
  return Object.assign(database, { projectId, projectName, environmentId });
}

function selectDatabase(
  environment: EnvironmentOfProject<Database>,
  databaseName: string | undefined,
  isSecret: boolean,
): Database {
  const { databases, missingFields, projectId, projectName, environmentId } = environment;
  const place = isSecret
    ? "The environment"
    : `Environment ${displayText(environmentId)} of project ${displayText(projectId)} (${displayText(projectName)})`;
  const named = isSecret ? "with the given name" : `"${displayText(databaseName ?? "")}"`;
  const names = displayList(databases.map(({ name }) => name));
  const [first, second] =
    databaseName === undefined ? databases : databases.filter(({ name }) => name === databaseName);

  function failure(code: ProjectServiceErrorCode, message: string): ProjectServiceError {
    return new ProjectServiceError(code, message, isSecret ? {} : { projectId });
  }

  if (missingFields.includes("databases")) {
    throw failure("RESPONSE_INVALID", `${place} may have databases, but the service omits them.`);
  }
  if (databases.length === 0) throw failure("NOT_FOUND", `${place} has no databases.`);
  if (first === undefined) {
    throw failure(
      "NOT_FOUND",
      `${place} has no database ${named}.${isSecret ? "" : ` Its databases are ${names}.`}`,
    );
  }
  if (second === undefined) return first;
  throw databaseName === undefined
    ? failure(
        "ARGUMENT_INVALID",
        `${place} has ${databases.length} databases. Set databaseName to one of them${isSecret ? "" : `: ${names}`}.`,
      )
    : failure(
        "AMBIGUOUS_NAME",
        `${place} has several databases ${named}. Use getEnvironment and select one by associationId.`,
      );
}
