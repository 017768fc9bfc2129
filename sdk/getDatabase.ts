import type * as pulumi from "@pulumi/pulumi";
import { selectDatabase } from "../provider/model/selectPart.js";
import type { ProjectService } from "../provider/reading/projectService.js";
import {
  type GetEnvironmentArgs,
  type GetEnvironmentOutputArgs,
  readEnvironment,
} from "./getEnvironment.js";
import { checkProjectArguments } from "./reading/checkArguments.js";
import type { DatabaseFor, ReadOptions, ReadOutputOptions } from "./reading/publicTypes.js";
import { callOf } from "./reading/programErrors.js";
import { readOutput, readPromise } from "./reading/runRead.js";

/** Arguments of {@link getDatabase}. `databaseName` may be omitted if the environment has one database. */
export type GetDatabaseArgs<C extends boolean = true> = GetEnvironmentArgs<C> & {
  databaseName?: string | undefined;
};

/** Arguments of {@link getDatabaseOutput}. */
export type GetDatabaseOutputArgs<C extends boolean = true> = GetEnvironmentOutputArgs<C> & {
  databaseName?: pulumi.Input<string | undefined>;
};

/** A database, with the project and the environment to which it belongs, and with credentials unless `C` is false. */
export type GetDatabaseResult<C extends boolean = true> = DatabaseFor<C> & {
  projectId: string;
  projectName: string;
  environmentId: string;
};

/**
 * Reads one database of an environment.
 *
 * @param args those of {@link getEnvironment}; `databaseName`, default the only database.
 * @param opts `connection`, default the config namespace `project-service`.
 * @returns the database, with `projectId`, `projectName` and `environmentId`. `username` and
 *   `password` are secret Outputs. All other fields are plain values.
 * @throws ProjectServiceError `NOT_FOUND` and `AMBIGUOUS_NAME` (also for the database), `ARGUMENT_INVALID`
 *   (also if `databaseName` is needed) and the other codes of {@link getEnvironment}.
 *
 * Source: `projectEnvironments[].projectEnvironmentDatabases.databases[]` of `GET /projects/{projectId}`.
 *
 * @example
 * const database = await getDatabase({ name: "shop", environmentId: "live" });
 * const url = databaseUrl(database, { protocol: "mysql", host: "db.example.com" });
 */
export function getDatabase<C extends boolean = true>(
  args: GetDatabaseArgs<C>,
  opts?: ReadOptions,
): Promise<GetDatabaseResult<C>> {
  return readPromise(callOf(getDatabase), databaseFunction, args, opts) as Promise<
    GetDatabaseResult<C>
  >;
}

/** Like {@link getDatabase}, with Inputs as arguments and an Output as result. */
export function getDatabaseOutput<C extends boolean = true>(
  args: GetDatabaseOutputArgs<C>,
  opts?: ReadOutputOptions,
): pulumi.Output<GetDatabaseResult<C>> {
  return readOutput(callOf(getDatabaseOutput), databaseFunction, args, opts) as pulumi.Output<
    GetDatabaseResult<C>
  >;
}

const databaseFunction = {
  name: "getDatabase",
  check: checkProjectArguments("isGetDatabase"),
  read: readDatabase,
};

async function readDatabase(
  { databaseName, ...args }: Parameters<typeof readEnvironment>[0] & { databaseName?: string },
  service: ProjectService,
): Promise<GetDatabaseResult<false>> {
  const environment = await readEnvironment(args, service);
  const { projectId, projectName, environmentId } = environment;
  const database = selectDatabase(environment, databaseName, "databaseName");
  // The database has getters, which a spread would read.
  return Object.assign(database, { projectId, projectName, environmentId });
}
