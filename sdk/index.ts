export {
  databaseUrl,
  type DatabaseUrlCredentials,
  type DatabaseUrlOptions,
} from "./databaseUrl.js";
export {
  getDatabase,
  getDatabaseOutput,
  type DatabaseKey,
  type DatabaseOfEnvironment,
  type DatabaseOutputKey,
  type GetDatabaseArgs,
  type GetDatabaseOutputArgs,
  type GetDatabaseResult,
} from "./getDatabase.js";
export {
  getEnvironment,
  getEnvironmentOutput,
  type EnvironmentKey,
  type EnvironmentOfProject,
  type EnvironmentOutputKey,
  type GetEnvironmentArgs,
  type GetEnvironmentOutputArgs,
  type GetEnvironmentResult,
} from "./getEnvironment.js";
export {
  getProject,
  getProjectOutput,
  type GetProjectArgs,
  type GetProjectOutputArgs,
  type GetProjectResult,
  type ProjectKey,
  type ProjectOutputKey,
} from "./getProject.js";
export {
  getProjects,
  getProjectsOutput,
  type GetProjectsArgs,
  type GetProjectsDetailsArgs,
  type GetProjectsDetailsOutputArgs,
  type GetProjectsDetailsResult,
  type GetProjectsOutputArgs,
  type GetProjectsResult,
  type ProjectFilterInputs,
} from "./getProjects.js";
export {
  pipelineOutputs,
  type PipelineOutputs,
  type ProjectForPipeline,
} from "./pipelineOutputs.js";
export {
  ProjectSnapshot,
  type ProjectSnapshotArgs,
  type ProjectSnapshotReadArgs,
} from "./projectSnapshot.js";
export { ProjectsSnapshot, type ProjectsSnapshotArgs } from "./projectsSnapshot.js";
export { readPipelineOutputs, type PipelineOutputNames } from "./pipelineOutputs.js";
export type {
  CodeRepositoryWithImport,
  DatabaseWithCredentials,
  ProjectWithCredentials,
} from "./reading/credentialTypes.js";
export type { ReadOptions, ReadOutputOptions } from "./reading/readOptions.js";
export type { ConnectionSettings } from "../provider/settings/connectionSettings.js";
export {
  ProjectServiceError,
  type ProjectServiceErrorCode,
  type ProjectServiceErrorDetails,
} from "../provider/errors/projectServiceError.js";
export type { Shard } from "../provider/snapshot/shard.js";
export type { ProjectFieldKey, RecordedProject } from "../provider/model/recordedFields.js";
export type {
  ProjectFilter,
  ProjectFilterKey,
  ProjectListKey,
} from "../provider/model/selection.js";
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
} from "../provider/model/project.js";
