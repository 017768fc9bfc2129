/** A project as the list shows it. Source: `GET /projects`. */
export interface ProjectSummary {
  /** Identifier of the project; `_id` in the service's answer. */
  projectId: string;
  name: string;
  /** Kind of project. Open enumeration. */
  type: string;
  /** Open enumeration; `AWAITING_INITIAL_DEPLOYMENT` is the one value known. */
  status: string;
  /** Short domain label. */
  domain: string;
}

/** The project's repository. Source: `codeRepository`. */
export interface CodeRepository {
  /** Host name of the repository server. */
  gitHost: string;
  group: string;
  name: string;
  repositoryId: string;
  /** Kind of repository server. Open enumeration. */
  gitProvider: string;
  /** SSH clone address, `<user>@<host>:<group>/<name>.git`. */
  sshRepoUrl: string;
}

/** A database without its credentials. Source: `projectEnvironmentDatabases.databases`. */
export interface Database {
  name: string;
  associationId: number;
  /** Kind of database. Open enumeration. */
  databaseType: string;
  /** Null when unrestricted or unset; otherwise the JSON value as the service sent it. */
  allowedIP: unknown;
}

/** The branch that an environment follows. */
export interface Branch {
  name: string;
  guarded: boolean;
}

/** A shared asset directory. Source: `projectEnvironmentAssets.assetGroups`. */
export interface AssetGroup {
  id: string;
  /** Filesystem path of the asset directory. */
  path: string;
  title: string;
  associationId: number;
  /** `id` of the related {@link SymLink}. */
  symLinkId: string;
}

/** Source: `symLinks`. */
export interface SymLink {
  id: string;
  /** Target path. */
  to: string;
  /** Link path. */
  from: string;
  /** `id` of the related {@link AssetGroup}. */
  assetGroupId: string;
}

/** Deployment target group of each part of an environment. */
export interface DeploymentTargetGroupIds {
  code: string;
  assets: string;
  databases: string;
}

/** Whether each part of an environment is initialized; `code` and `assets` are null when not. */
export interface Initialized {
  code: unknown;
  assets: unknown;
  databases: boolean;
}

/**
 * One environment of a project; code, assets and databases laid flat. Source: `projectEnvironments[]`.
 *
 * A field that the service left out or sent as null comes as `undefined`, except those it may
 * declare null (typed `unknown`). Lists are then empty.
 */
export interface Environment<D extends Database = Database> {
  environmentId: string;
  /** Position of the environment, zero-based. */
  order: number;
  branch: Branch;
  /** Tag currently deployed. */
  currentTag: string;
  /** Filesystem path that the web server serves. */
  webroot: string;
  /** Kind of web server. Open enumeration. */
  webServer: string;
  /** Null when nothing is imported. */
  importBranchOrTag: unknown;
  latestDeploymentPaths: unknown[];
  /** Number of deployments retained. */
  deploymentsToKeep: number;
  assetGroups: AssetGroup[];
  databases: D[];
  symLinks: SymLink[];
  deploymentTargetGroupIds: DeploymentTargetGroupIds;
  initialized: Initialized;
}

/**
 * A project in full. Source: `GET /projects/{projectId}`.
 *
 * A field that the service left out or sent as null comes as `undefined`, a list as empty.
 */
export interface Project<
  R extends CodeRepository = CodeRepository,
  D extends Database = Database,
> extends ProjectSummary {
  /** As the service reports it; never used to empty a list. */
  hasCode: boolean;
  hasDatabases: boolean;
  hasAssets: boolean;
  codeRepository: R;
  /** Sorted by `order`. */
  environments: Environment<D>[];
}

/** Credentials of one database of a snapshot. */
export interface SnapshotDatabaseCredentials {
  associationId: number;
  /** Name of the database. */
  name: string;
  username: string;
  password: string;
}

/** All that is secret in a project, apart from its facts. */
export interface SnapshotCredentials {
  /** By `environmentId`. */
  databases: Record<string, SnapshotDatabaseCredentials[]>;
  /** Null when nothing is imported; an import address can hold a token. */
  importRepository: unknown;
}

/** A project that is listed and cannot be read: access is denied, or it was deleted meanwhile. */
export interface InaccessibleProject {
  projectId: string;
  code: "FORBIDDEN" | "NOT_FOUND";
}
