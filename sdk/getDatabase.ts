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
import { checkProjectArguments } from "./reading/checkArguments.js";
import type {
  DatabaseWithCredentials,
  WithCredentials,
  WithoutCredentials,
} from "./reading/credentialTypes.js";
import type { ReadOptions, ReadOutputOptions } from "./reading/readOptions.js";
import { type ReadFunction, readOutput, readPromise } from "./reading/runRead.js";

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

/** Arguments of {@link getDatabase}, for a result with credentials. */
export type GetDatabaseArgs = DatabaseKey & WithCredentials;

/** Arguments of {@link getDatabaseOutput}, for a result with credentials. */
export type GetDatabaseOutputArgs = DatabaseOutputKey & WithCredentials;

/** A database, with the project and the environment to which it belongs. */
export type DatabaseOfEnvironment<D extends Database = Database> = D & {
  projectId: string;
  projectName: string;
  environmentId: string;
};

/** A database with its credentials. */
export type GetDatabaseResult = DatabaseOfEnvironment<DatabaseWithCredentials>;

/** Reads one database of an environment, without its credentials. */
export function getDatabase(
  args: DatabaseKey & WithoutCredentials,
  opts?: ReadOptions,
): Promise<DatabaseOfEnvironment>;
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
export function getDatabase(args: GetDatabaseArgs, opts?: ReadOptions): Promise<GetDatabaseResult>;
export async function getDatabase(
  args: object,
  opts: ReadOptions = {},
): Promise<DatabaseOfEnvironment> {
  return readPromise(databaseFunction, args, opts);
}

/** Like {@link getDatabase}, without credentials, with Inputs as arguments and an Output as result. */
export function getDatabaseOutput(
  args: DatabaseOutputKey & WithoutCredentials,
  opts?: ReadOutputOptions,
): pulumi.Output<DatabaseOfEnvironment>;
/**
 * Like {@link getDatabase}, with Inputs as arguments and an Output as result.
 *
 * @example
 * const database = getDatabaseOutput({ name: "shop", environmentId: "live" });
 * export const url = databaseUrl(database, { protocol: "mysql", host: "db.example.com" });
 */
export function getDatabaseOutput(
  args: GetDatabaseOutputArgs,
  opts?: ReadOutputOptions,
): pulumi.Output<GetDatabaseResult>;
export function getDatabaseOutput(
  args: object,
  opts: ReadOutputOptions = {},
): pulumi.Output<DatabaseOfEnvironment> {
  return readOutput(databaseFunction, args, opts);
}

type AnyArgs = DatabaseKey & { includeCredentials?: boolean };

const databaseFunction: ReadFunction<AnyArgs, DatabaseOfEnvironment> = {
  name: "getDatabase",
  check: (caller, args) => checkProjectArguments(caller, args, "isGetDatabase"),
  read: readDatabase,
};

async function readDatabase(
  { databaseName, ...args }: AnyArgs,
  settings: Settings,
  isSecret: boolean,
): Promise<DatabaseOfEnvironment> {
  const environment = await readEnvironment(args, settings, isSecret);
  const { projectId, projectName, environmentId } = environment;
  const database = selectDatabase(environment, databaseName, isSecret);
  // The database has getters, which a spread would read.
  return Object.assign(database, { projectId, projectName, environmentId });
}

function selectDatabase(
  environment: EnvironmentOfProject,
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
