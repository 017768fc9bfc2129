/* The functions that read one project, or a part of it. */
import type * as pulumi from "@pulumi/pulumi";
import type { Environment, Project, ProjectKey } from "../provider/model/project.js";
import { selectDatabase, selectEnvironment } from "../provider/model/selectPart.js";
import type { ProjectService } from "../provider/reading/projectService.js";
import { projectFunction } from "./reading/checkArguments.js";
import { callOf } from "./reading/programErrors.js";
import type {
  CredentialsArgs,
  DatabaseFor,
  ProjectWithCredentials,
  ReadOptions,
  ReadOutputOptions,
} from "./reading/publicTypes.js";
import { readOutput, readPromise } from "./reading/runRead.js";
import { credentialMapper } from "./reading/secretCredentials.js";

/** Like {@link ProjectKey}, with Inputs. */
export type ProjectKeyInputs =
  | { projectId: pulumi.Input<string>; name?: undefined }
  | { name: pulumi.Input<string>; projectId?: undefined };

/** Arguments of {@link getProject}. */
export type GetProjectArgs<C extends boolean = true> = ProjectKey & CredentialsArgs<C>;

/** Arguments of {@link getProjectOutput}. */
export type GetProjectOutputArgs<C extends boolean = true> = ProjectKeyInputs & CredentialsArgs<C>;

/** A project, with its credentials unless `C` is false. */
export type GetProjectResult<C extends boolean = true> = C extends false
  ? Project
  : ProjectWithCredentials;

/**
 * Reads one project.
 *
 * @param args exactly one of `projectId` and `name`; `includeCredentials`, default true.
 * @param opts `connection`, default the config namespace `project-service`.
 * @returns the project. `codeRepository.importRepository` is a secret Output, and so are `username`
 *   and `password` in `environments[].databases[]`. All other fields are plain values.
 * @throws ProjectServiceError `NOT_FOUND`, `AMBIGUOUS_NAME`, `FORBIDDEN`,
 *   `RESPONSE_INVALID` (also if this user is not shown credentials) and the other codes in docs/reference.md.
 *
 * Source: `GET /projects/{projectId}`; for a name, `GET /projects` first.
 *
 * @example
 * const shop = await getProject({ name: "shop" });
 * const webroot = shop.environments[0]?.webroot;
 */
export function getProject<C extends boolean = true>(
  args: GetProjectArgs<C>,
  opts?: ReadOptions,
): Promise<GetProjectResult<C>> {
  return readPromise(callOf(getProject), project, args, opts);
}

/**
 * Like {@link getProject}, with Inputs as arguments and an Output as result. If an argument is unknown in a
 * preview, the result is unknown and no request is sent. A secret argument makes the whole result secret.
 */
export function getProjectOutput<C extends boolean = true>(
  args: GetProjectOutputArgs<C>,
  opts?: ReadOutputOptions,
): pulumi.Output<GetProjectResult<C>> {
  return readOutput(callOf(getProjectOutput), project, args, opts);
}

const project = projectFunction("getProject", "isGetProject", readProject);

function readProject(
  { includeCredentials = true, ...key }: ProjectKey & { includeCredentials?: boolean },
  service: ProjectService,
): Promise<Project> {
  const mapper = credentialMapper(includeCredentials, service.hasSecretArguments);
  return service.readProject(key, mapper);
}

/** Arguments of {@link getEnvironment}. */
export type GetEnvironmentArgs<C extends boolean = true> = GetProjectArgs<C> & {
  environmentId: string;
};

/** Arguments of {@link getEnvironmentOutput}. */
export type GetEnvironmentOutputArgs<C extends boolean = true> = GetProjectOutputArgs<C> & {
  environmentId: pulumi.Input<string>;
};

/** An environment, with id and name of its project, and with credentials unless `C` is false. */
export type GetEnvironmentResult<C extends boolean = true> = Environment<DatabaseFor<C>> & {
  projectId: string;
  projectName: string;
};

/**
 * Reads one environment of a project.
 *
 * @param args those of {@link getProject}; `environmentId`.
 * @param opts those of {@link getProject}.
 * @returns the environment, with `projectId` and `projectName`. `databases[].username` and
 *   `databases[].password` are secret Outputs. All other fields are plain values.
 * @throws ProjectServiceError `NOT_FOUND` (also for the environment) and the other codes of {@link getProject}.
 *
 * Source: `projectEnvironments[]` of `GET /projects/{projectId}`.
 *
 * @example
 * const live = await getEnvironment({ projectId: "p-1", environmentId: "live" });
 * const password = live.databases[0]?.password;
 */
export function getEnvironment<C extends boolean = true>(
  args: GetEnvironmentArgs<C>,
  opts?: ReadOptions,
): Promise<GetEnvironmentResult<C>> {
  return readPromise(callOf(getEnvironment), environment, args, opts);
}

/** Like {@link getEnvironment}, with Inputs as arguments and an Output as result. */
export function getEnvironmentOutput<C extends boolean = true>(
  args: GetEnvironmentOutputArgs<C>,
  opts?: ReadOutputOptions,
): pulumi.Output<GetEnvironmentResult<C>> {
  return readOutput(callOf(getEnvironmentOutput), environment, args, opts);
}

const environment = projectFunction("getEnvironment", "isGetEnvironment", readEnvironment);

async function readEnvironment(
  { environmentId, ...args }: Parameters<typeof readProject>[0] & { environmentId: string },
  service: ProjectService,
): Promise<GetEnvironmentResult<false>> {
  return selectEnvironment(await readProject(args, service), environmentId);
}

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
 * @param opts those of {@link getProject}.
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
  return readPromise(callOf(getDatabase), database, args, opts);
}

/** Like {@link getDatabase}, with Inputs as arguments and an Output as result. */
export function getDatabaseOutput<C extends boolean = true>(
  args: GetDatabaseOutputArgs<C>,
  opts?: ReadOutputOptions,
): pulumi.Output<GetDatabaseResult<C>> {
  return readOutput(callOf(getDatabaseOutput), database, args, opts);
}

const database = projectFunction("getDatabase", "isGetDatabase", readDatabase);

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
