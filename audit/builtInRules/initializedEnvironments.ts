import type { AuditedEnvironment, AuditedProject } from "../rules/auditedProject.js";
import { checkOptions, type RuleOptions } from "../rules/defineRule.js";
import { checkEach } from "../rules/missingFields.js";
import { type Rule, violated } from "../rules/rule.js";

const parts = ["code", "assets", "databases"] as const;
type Part = (typeof parts)[number];

const awaiting = "AWAITING_INITIAL_DEPLOYMENT";

/**
 * Requires that every part of an environment is initialized: its code, its assets, its databases. An environment
 * has a part if it shows it, or if the service says that the project has it. The rule only compares
 * `initialized` with null and false. A project with the status `AWAITING_INITIAL_DEPLOYMENT` passes.
 */
export function initializedEnvironments(options: RuleOptions = {}): Rule {
  const common = checkOptions("initializedEnvironments", options);
  return {
    name: "initialized-environments",
    ...common,
    description: "Every environment is initialized, in all the parts that it has.",
    reason:
      "A deployment to an environment that is not initialized may fail. Parts of a project with the status AWAITING_INITIAL_DEPLOYMENT are exempt.",
    remedy: "Initialize these parts in the Project Service, or remove the environment.",
    checkEnvironment: (environment, project) => {
      if ("status" in project && project.status === awaiting) return [];
      return checkEach(parts, (part) => {
        // A missing status makes a difference only for a part that is not initialized.
        if (!isUninitialized(part, environment, project) || project.status === awaiting) return [];
        return [violated(`The ${part} part is not initialized.`, { subject: part })];
      });
    },
  };
}

function isUninitialized(
  part: Part,
  environment: AuditedEnvironment,
  project: AuditedProject,
): boolean {
  const initialized = environment.initialized ?? {};
  // If the part is initialized, it makes no difference whether the environment has it.
  if (part in initialized && !isUnset(initialized[part])) return false;
  return hasPart(part, environment, project) && isUnset(initialized[part]);
}

function isUnset(state: unknown): boolean {
  return state === null || state === false;
}

function hasPart(part: Part, environment: AuditedEnvironment, project: AuditedProject): boolean {
  const lists = (key: "assetGroups" | "databases") =>
    key in environment && environment[key]?.length !== 0;
  if (part === "assets") return lists("assetGroups") || project.hasAssets === true;
  if (part === "databases") return lists("databases") || project.hasDatabases === true;
  const hasWebroot = "webroot" in environment && environment.webroot !== "";
  return hasWebroot || "branch" in environment || project.hasCode === true;
}
