import type {
  CodeRepository,
  Database,
  Environment,
  Project,
  ProjectSummary,
} from "../provider/model/project.js";

/** A project in the JSON of the service, with all its fields. */
export interface SandboxProject
  extends
    Omit<ProjectSummary, "projectId">,
    Pick<Project, "hasCode" | "hasDatabases" | "hasAssets"> {
  _id: string;
  codeRepository: Omit<CodeRepository, "sshRepoUrl"> & {
    sshrepoUrl: string;
    importRepository: unknown;
  };
  projectEnvironments: SandboxEnvironment[];
}

/** An environment in the JSON of the service. */
export interface SandboxEnvironment extends Pick<
  Environment,
  "environmentId" | "order" | "symLinks"
> {
  projectEnvironmentCode: Part<unknown> &
    Pick<
      Environment,
      | "branch"
      | "currentTag"
      | "webroot"
      | "webServer"
      | "importBranchOrTag"
      | "latestDeploymentPaths"
      | "deploymentsToKeep"
    >;
  projectEnvironmentAssets: Part<unknown> & Pick<Environment, "assetGroups">;
  projectEnvironmentDatabases: Part<boolean> & { databases: SandboxDatabase[] };
}

interface Part<I> {
  deploymentTargetGroupId: string;
  initialized: I;
}

/** A database in the JSON of the service, with its credentials in clear text. */
export interface SandboxDatabase extends Database {
  username: string;
  password: string;
}
