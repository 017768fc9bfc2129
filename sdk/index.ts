// Before anything else: a test may replace the clock later.
import "../provider/http/clock.js";
export * from "./databaseUrl.js";
export * from "./getProject.js";
export * from "./getProjects.js";
export * from "./pipelineOutputs.js";
export * from "./projectSnapshot.js";
export * from "./projectsSnapshot.js";
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
export {
  ProjectServiceError,
  type ProjectServiceErrorCode,
} from "../provider/errors/projectServiceError.js";
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
