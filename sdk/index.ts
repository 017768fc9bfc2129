export {
  getEnvironment,
  getEnvironmentOutput,
  type EnvironmentKey,
  type EnvironmentOfProject,
  type EnvironmentOutputKey,
  type GetEnvironmentArgs,
  type GetEnvironmentOutputArgs,
  type GetEnvironmentResult,
  type GetEnvironmentWithoutCredentialsResult,
} from "./getEnvironment.js";
export {
  getProject,
  getProjectOutput,
  type CredentialsIncluded,
  type CredentialsLeftOut,
  type GetProjectArgs,
  type GetProjectOutputArgs,
  type GetProjectResult,
  type GetProjectWithoutCredentialsResult,
  type ProjectKey,
  type ProjectOutputKey,
} from "./getProject.js";
export {
  getProjects,
  getProjectsOutput,
  type DetailsIncluded,
  type DetailsLeftOut,
  type GetProjectsArgs,
  type GetProjectsDetailsArgs,
  type GetProjectsDetailsOutputArgs,
  type GetProjectsDetailsResult,
  type GetProjectsOutputArgs,
  type GetProjectsResult,
  type ProjectFilterInputs,
} from "./getProjects.js";
export {
  ProjectSnapshot,
  type ProjectSnapshotArgs,
  type ProjectSnapshotReadArgs,
} from "./projectSnapshot.js";
export type { CodeRepositoryWithImport, DatabaseWithCredentials } from "./credentials.js";
export type { ReadOptions, ReadOutputOptions } from "./readOptions.js";
export type { ConnectionSettings } from "../provider/connectionSettings.js";
export {
  ProjectServiceError,
  type ProjectServiceErrorCode,
  type ProjectServiceErrorDetails,
} from "../provider/errors.js";
export type { ProjectFilter } from "../provider/projectFilter.js";
export type { ProjectFilterKey, ProjectListKey, ProjectSortKey } from "../provider/projectKeys.js";
export type { ProjectSort } from "../provider/projectSort.js";
export type {
  AssetGroup,
  Branch,
  CodeRepository,
  Database,
  DeploymentTargetGroupIds,
  Environment,
  InaccessibleProject,
  Initialized,
  Project,
  ProjectSummary,
  SnapshotCredentials,
  SnapshotDatabaseCredentials,
  SymLink,
} from "../provider/project.js";
