// Before anything else: a test may replace the clock later.
import "../provider/http/clock.js";
export { databaseUrl } from "./databaseUrl.js";
export type { DatabaseUrlCredentials, DatabaseUrlOptions } from "./databaseUrl.js";
export { getDatabase, getDatabaseOutput } from "./getDatabase.js";
export type { GetDatabaseArgs, GetDatabaseOutputArgs, GetDatabaseResult } from "./getDatabase.js";
export { getEnvironment, getEnvironmentOutput } from "./getEnvironment.js";
export type {
  GetEnvironmentArgs,
  GetEnvironmentOutputArgs,
  GetEnvironmentResult,
} from "./getEnvironment.js";
export { getProject, getProjectOutput } from "./getProject.js";
export type { GetProjectArgs, GetProjectOutputArgs, GetProjectResult } from "./getProject.js";
export type { ProjectKeyInputs } from "./getProject.js";
export { getProjects, getProjectsOutput } from "./getProjects.js";
export type { GetProjectsArgs, GetProjectsOutputArgs, GetProjectsResult } from "./getProjects.js";
export type {
  GetProjectsDetailsArgs,
  GetProjectsDetailsOutputArgs,
  GetProjectsDetailsResult,
  ProjectFilterInputs,
} from "./getProjects.js";
export { pipelineOutputs, readPipelineOutputs } from "./pipelineOutputs.js";
export type {
  PipelineOutputNames,
  PipelineOutputs,
  ProjectForPipeline,
} from "./pipelineOutputs.js";
export { ProjectSnapshot } from "./projectSnapshot.js";
export type { ProjectOutputs, ProjectSnapshotArgs } from "./projectSnapshot.js";
export { ProjectsSnapshot, type ProjectsSnapshotArgs } from "./projectsSnapshot.js";
export type {
  CodeRepositoryWithImport,
  ConnectionSettingsInputs,
  CredentialsArgs,
  DatabaseFor,
  DatabaseWithCredentials,
  ProjectWithCredentials,
  ReadOptions,
  ReadOutputOptions,
  SnapshotArgs,
} from "./reading/publicTypes.js";
export type { ConnectionSettings } from "../provider/settings/settingsTable.js";
export { ProjectServiceError } from "../provider/errors/projectServiceError.js";
export type { ProjectServiceErrorCode } from "../provider/errors/projectServiceError.js";
export type { PartialProject, ProjectFieldKey } from "../provider/model/selectedFields.js";
export type {
  ProjectFilter,
  ProjectFilterKey,
  ProjectListKey,
} from "../provider/model/projectFilter.js";
export type {
  AssetGroup,
  Branch,
  CodeRepository,
  Database,
  DatabaseCredentials,
  DeploymentTargetGroupIds,
  Environment,
  InaccessibleProject,
  Initialized,
  Project,
  ProjectCredentials,
  ProjectKey,
  ProjectSummary,
  SymLink,
} from "../provider/model/project.js";
