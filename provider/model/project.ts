/*
 * The types of what the service shows. `projectId`, `environmentId`, `id` and the names of projects and databases
 * always exist. Any other field that the service omits, or sends as null without a documented meaning, is
 * `undefined`, and a list is empty: `missingFields` names it. Fields of type `unknown` keep null.
 */

/** A project in list form. Source: `GET /projects`. */
export interface ProjectSummary {
  /** Id of the project. Source: `_id`. */
  projectId: string;
  /** Name of the project. The service may have several projects with the same name. */
  name: string;
  /** Kind of project. Open enumeration. */
  type: string;
  /** Status of the project. Open enumeration, for instance `AWAITING_INITIAL_DEPLOYMENT`. */
  status: string;
  /** Short domain label of the project. */
  domain: string;
}

/** Names a project: by its id, or by its name if only one project has that name. */
export type ProjectKey =
  { projectId: string; name?: undefined } | { name: string; projectId?: undefined };

/** The code repository of a project. Source: `codeRepository`. */
export interface CodeRepository {
  /** Host name of the repository server. */
  gitHost: string;
  /** Group of the repository. */
  group: string;
  /** Name of the repository. */
  name: string;
  /** Id of the repository. */
  repositoryId: string;
  /** Kind of repository server. Open enumeration. */
  gitProvider: string;
  /** SSH clone address, `<user>@<host>:<group>/<name>.git`. */
  sshRepoUrl: string;
}

/** A database without its credentials. Source: `projectEnvironmentDatabases.databases`. */
export interface Database {
  /** Name of the database. */
  name: string;
  /** Id of the association with the environment. */
  associationId: number;
  /** Kind of database. Open enumeration. */
  databaseType: string;
  /** Null if access is unrestricted or not set. Otherwise the JSON that the service sent. */
  allowedIP: unknown;
}

/** The branch of an environment. Source: `projectEnvironmentCode.branch`. */
export interface Branch {
  /** Name of the branch. */
  name: string;
  /** Whether the branch is guarded. */
  guarded: boolean;
}

/** A shared asset folder. Source: `projectEnvironmentAssets.assetGroups`. */
export interface AssetGroup {
  /** Id of the asset group. */
  id: string;
  /** Filesystem path of the asset folder. */
  path: string;
  /** Title of the asset group. */
  title: string;
  /** Id of the association with the environment. */
  associationId: number;
  /** `id` of the related {@link SymLink}. */
  symLinkId: string;
}

/** A symbolic link. Source: `symLinks`. */
export interface SymLink {
  /** Id of the symbolic link. */
  id: string;
  /** Target path. */
  to: string;
  /** Link path. */
  from: string;
  /** `id` of the related {@link AssetGroup}. */
  assetGroupId: string;
}

/** The deployment target group of each part of an environment. */
export interface DeploymentTargetGroupIds {
  /** Source: `projectEnvironmentCode.deploymentTargetGroupId`. */
  code: string;
  /** Source: `projectEnvironmentAssets.deploymentTargetGroupId`. */
  assets: string;
  /** Source: `projectEnvironmentDatabases.deploymentTargetGroupId`. */
  databases: string;
}

/** Whether each part of an environment is initialized. */
export interface Initialized {
  /** Null if the code is not initialized. Otherwise the JSON that the service sent. */
  code: unknown;
  /** Null if the assets are not initialized. Otherwise the JSON that the service sent. */
  assets: unknown;
  /** Whether the databases are initialized. */
  databases: boolean;
}

/** An environment of a project, with its code, assets and databases. Source: `projectEnvironments[]`. */
export interface Environment<D extends Database = Database> {
  /** Id of the environment, unique in its project. */
  environmentId: string;
  /** Position of the environment, zero-based. */
  order: number;
  /** The branch that is deployed. */
  branch: Branch;
  /** The tag that is currently deployed. */
  currentTag: string;
  /** Filesystem path that the web server serves. */
  webroot: string;
  /** Kind of web server. Open enumeration. */
  webServer: string;
  /** Null if nothing is imported. Otherwise the JSON that the service sent. */
  importBranchOrTag: unknown;
  /** The latest deployments, as the service sent them. */
  latestDeploymentPaths: unknown[];
  /** How many deployments are kept. */
  deploymentsToKeep: number;
  /** Shared asset folders. */
  assetGroups: AssetGroup[];
  /** Databases of the environment. */
  databases: D[];
  /** Symbolic links of the environment. */
  symLinks: SymLink[];
  /** Where each part is deployed. */
  deploymentTargetGroupIds: DeploymentTargetGroupIds;
  /** Which parts are initialized. */
  initialized: Initialized;
  /**
   * The documented fields of this environment that the response omits, or sends as null although they are not nullable:
   * sorted paths, such as `branch.guarded` and `databases`, but none inside databases, asset groups and symlinks.
   */
  missingFields: string[];
}

/** A project in full form. Source: `GET /projects/{projectId}`. */
export interface Project<
  R extends CodeRepository = CodeRepository,
  D extends Database = Database,
> extends ProjectSummary {
  /** Whether the project has code, as the service reports it. */
  hasCode: boolean;
  /** Whether the project has databases, as the service reports it. Databases are listed either way. */
  hasDatabases: boolean;
  /** Whether the project has assets, as the service reports it. */
  hasAssets: boolean;
  /** The code repository. */
  codeRepository: R;
  /** The environments, sorted by `order`. */
  environments: Environment<D>[];
  /** Like those of an environment, such as `environments` and `hasDatabases`. Each environment has its own. */
  missingFields: string[];
}

/** The credentials of one database in a snapshot. */
export interface DatabaseCredentials {
  /** Id of the association with the environment. */
  associationId: number;
  /** Name of the database. */
  name: string;
  /** Database user. */
  username: string;
  /** Password of the database user. */
  password: string;
}

/** All credentials of a project. */
export interface ProjectCredentials {
  /** Id of the project. */
  projectId: string;
  /** By `environmentId`. */
  databases: Record<string, DatabaseCredentials[]>;
  /** Null or undefined if nothing is imported. An import address can contain a token. */
  importRepository: unknown;
}

/** A listed project that cannot be read: access is denied, it was deleted meanwhile, or its data break the contract. */
export interface InaccessibleProject {
  /** Id of the project. */
  projectId: string;
  /** The code of the error with which its read failed. */
  code: "FORBIDDEN" | "NOT_FOUND" | "RESPONSE_INVALID";
}
