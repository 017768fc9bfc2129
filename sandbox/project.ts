/** A project in the JSON form of the service. */
export interface SandboxProject {
  _id: string;
  name: string;
  type: string;
  status: string;
  domain: string;
  hasCode: boolean;
  hasDatabases: boolean;
  hasAssets: boolean;
  codeRepository: {
    gitHost: string;
    group: string;
    name: string;
    repositoryId: string;
    gitProvider: string;
    importRepository: unknown;
    sshrepoUrl: string;
  };
  projectEnvironments: SandboxEnvironment[];
}

export interface SandboxEnvironment {
  environmentId: string;
  order: number;
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
  projectEnvironmentDatabases: {
    deploymentTargetGroupId: string;
    databases: SandboxDatabase[];
    initialized: boolean;
  };
  symLinks: { id: string; to: string; from: string; assetGroupId: string }[];
}

export interface SandboxDatabase {
  name: string;
  associationId: number;
  databaseType: string;
  username: string;
  password: string;
  allowedIP: unknown;
}
