export { checkProject, checkProjects } from "./checkProject.js";
export {
  type AuditedEnvironment,
  type AuditedProject,
  auditedProjects,
  type ProjectToCheck,
} from "./rules/auditedProject.js";
export { defineRule, type ScopeOptions } from "./rules/defineRule.js";
export {
  type Finding,
  type FindingState,
  type Level,
  placeOf,
  sentenceOf,
} from "./rules/finding.js";
export {
  houseRules,
  type HouseRulesOptions,
  type RulesFunction,
  type RuleTools,
} from "./houseRules/houseRules.js";
export { projectSnapshotType, projectsSnapshotType } from "../provider/snapshot/resources.js";
export {
  indeterminate,
  type Problem,
  type ProblemOptions,
  type Rule,
  type RuleDefinition,
  violated,
} from "./rules/rule.js";
export { guardedProductionBranch } from "./houseRules/guardedProductionBranch.js";
export { initializedEnvironments } from "./houseRules/initializedEnvironments.js";
export { keptDeployments, type KeptDeploymentsOptions } from "./houseRules/keptDeployments.js";
export { restrictedDatabases } from "./houseRules/restrictedDatabases.js";
export { unsharedDatabases } from "./houseRules/unsharedDatabases.js";
export { webrootLocation, type WebrootLocationOptions } from "./houseRules/webrootLocation.js";
export { ProjectServiceError } from "../provider/errors/projectServiceError.js";
