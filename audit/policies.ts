export { auditProject, auditProjects } from "./auditProject.js";
export {
  type AuditedEnvironment,
  type AuditedProject,
  type ProjectToCheck,
  recordedProjects,
} from "./rules/auditedProject.js";
export { defineRule, type RuleOptions } from "./rules/defineRule.js";
export { type Finding, type FindingState, formatFinding, type Level } from "./rules/finding.js";
export {
  builtInRules,
  type BuiltInRulesOptions,
  type RulesFunction,
  type RuleTools,
} from "./builtInRules/builtInRules.js";
export {
  type Problem,
  type ProblemOptions,
  type Rule,
  type RuleDefinition,
  undecided,
  violated,
} from "./rules/rule.js";
export { ProjectServiceError } from "../provider/errors/projectServiceError.js";
