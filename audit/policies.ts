export { checkProject } from "./rules/checkProject.js";
export { type Finding, type FindingState, placeOf, sentenceOf } from "./rules/finding.js";
export { houseRules, type HouseRulesOptions } from "./rules/houseRules.js";
export { projectSnapshotType } from "../provider/snapshot/snapshotResource.js";
export type { AuditedEnvironment, AuditedProject } from "./rules/auditedProject.js";
export type { Rule } from "./rules/rule.js";
export {
  guardedProductionBranch,
  type GuardedProductionBranchOptions,
} from "./rules/guardedProductionBranch.js";
export {
  initializedEnvironments,
  type InitializedEnvironmentsOptions,
} from "./rules/initializedEnvironments.js";
export { keptDeployments, type KeptDeploymentsOptions } from "./rules/keptDeployments.js";
export { linkedAssets, type LinkedAssetsOptions } from "./rules/linkedAssets.js";
export {
  recordedWithoutCredentials,
  type RecordedWithoutCredentialsOptions,
} from "./rules/recordedWithoutCredentials.js";
export {
  restrictedDatabases,
  type RestrictedDatabasesOptions,
} from "./rules/restrictedDatabases.js";
export { webrootLocation, type WebrootLocationOptions } from "./rules/webrootLocation.js";
export { ProjectServiceError } from "../provider/errors/projectServiceError.js";
