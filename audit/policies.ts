export { auditedProjects } from "./rules/auditedProjects.js";
export { checkProject } from "./rules/checkProject.js";
export { defineRule } from "./rules/defineRule.js";
export { type Finding, type Level, placeOf, sentenceOf } from "./rules/finding.js";
export { houseRules, type HouseRulesOptions } from "./rules/houseRules.js";
export {
  projectSnapshotType,
  projectsSnapshotType,
} from "../provider/snapshot/snapshotResource.js";
export type { AuditedEnvironment, AuditedProject } from "./rules/auditedProject.js";
export type { CheckedProject } from "./rules/checkedProject.js";
export type { HouseRule, HouseRuleFactory, RuleExamples, ScopeOptions } from "./rules/houseRule.js";
export {
  type FindingState,
  indeterminate,
  type Problem,
  type ProblemOptions,
  violated,
} from "./rules/problem.js";
export type { CheckedPlace, Rule, RuleDefinition } from "./rules/rule.js";
export type {
  OptionSchema,
  OptionsSchema,
  OptionValue,
  SeverityOption,
} from "./rules/ruleOptions.js";
export type { RulesFunction, RuleTools } from "./rules/ruleTools.js";
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
export { unsharedDatabases, type UnsharedDatabasesOptions } from "./rules/unsharedDatabases.js";
export { webrootLocation, type WebrootLocationOptions } from "./rules/webrootLocation.js";
export { ProjectServiceError } from "../provider/errors/projectServiceError.js";
