/** A project in the JSON form of the service. */
export interface SandboxProject {
  /** Id of the project. */
  _id: string;
  /** Name. */
  name: string;
  /** Kind of project. */
  type: string;
  /** Status of the project. */
  status: string;
  /** Short domain label. */
  domain: string;
  /** Whether the project has code. */
  hasCode: boolean;
  /** Whether the project has databases. */
  hasDatabases: boolean;
  /** Whether the project has assets. */
  hasAssets: boolean;
  /** The code repository. `importRepository` is null, or an address that can contain a token. */
  codeRepository: {
    gitHost: string;
    group: string;
    name: string;
    repositoryId: string;
    gitProvider: string;
    importRepository: unknown;
    sshrepoUrl: string;
  };
  /** The environments of the project. */
  projectEnvironments: SandboxEnvironment[];
}

/** An environment in the JSON form of the service. */
export interface SandboxEnvironment {
  /** Id of the environment, unique in its project. */
  environmentId: string;
  /** Position of the environment, zero-based. */
  order: number;
  /** The shared asset folders. */
  projectEnvironmentAssets: {
    deploymentTargetGroupId: string;
    assetGroups: {
      id: string;
      path: string;
      title: string;
      associationId: number;
      symLinkId: string;
    }[];
    initialized: unknown;
  };
  /** The deployed code. */
  projectEnvironmentCode: {
    branch: { name: string; guarded: boolean };
    currentTag: string;
    deploymentTargetGroupId: string;
    webroot: string;
    webServer: string;
    initialized: unknown;
    importBranchOrTag: unknown;
    latestDeploymentPaths: unknown[];
    deploymentsToKeep: number;
  };
  /** The databases, with credentials in clear text. */
  projectEnvironmentDatabases: {
    deploymentTargetGroupId: string;
    databases: SandboxDatabase[];
    initialized: boolean;
  };
  /** The symbolic links. */
  symLinks: { id: string; to: string; from: string; assetGroupId: string }[];
}

/** A database in the JSON form of the service. */
export interface SandboxDatabase {
  /** Name. */
  name: string;
  /** Id of the association with the environment. */
  associationId: number;
  /** Kind of database. */
  databaseType: string;
  /** Name of the user, in clear text. */
  username: string;
  /** Password of the user, in clear text. */
  password: string;
  /** Null if access is unrestricted or not set. */
  allowedIP: unknown;
}
