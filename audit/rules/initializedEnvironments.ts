import type { AuditedEnvironment, NamedProject } from "../auditedProject.js";
import { defineRule, type Rule, unknown, violated } from "../rule.js";
import { checkOptions } from "../ruleOptions.js";

/** This rule has no options. */
export type InitializedEnvironmentsOptions = Record<string, never>;

const parts = ["code", "assets", "databases"] as const;

/**
 * Every part that an environment has is initialized: its code, its assets, its databases.
 *
 * An environment has databases, and assets, if it lists one or the project is said to have some; it
 * has code unless the project is said to have none and the environment shows none. `initialized` is
 * only compared with null and false. Unknown where the service leaves it out.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for options: there are none.
 */
export function initializedEnvironments(options: InitializedEnvironmentsOptions = {}): Rule {
  checkOptions("initializedEnvironments", options, []);
  return defineRule({
    name: "initialized-environments",
    description: "Every environment is initialized, in all the parts that it has.",
    reason:
      "An environment that is not initialized cannot be deployed to, and pipelines that rely on it fail.",
    remedy: "Initialize these parts in the Project Service, or remove the environment.",
    ofEnvironment: (environment, project) => {
      const present = parts.filter((part) => has(part, environment, project));
      const state = (part: (typeof parts)[number]) => environment.initialized?.[part];
      const missing = present.filter((part) => state(part) === null || state(part) === false);
      const unclear = present.filter((part) => state(part) === undefined);
      return [
        ...(missing.length === 0 ? [] : [violated(`Not initialized: ${missing.join(", ")}.`)]),
        ...(unclear.length === 0
          ? []
          : [unknown(`Perhaps not initialized: ${unclear.join(", ")}; the service does not say.`)]),
      ];
    },
  });
}

function has(
  part: (typeof parts)[number],
  environment: AuditedEnvironment,
  { hasCode, hasAssets, hasDatabases }: NamedProject,
): boolean {
  const { branch, webroot, assetGroups, databases } = environment;
  switch (part) {
    case "code":
      return hasCode !== false || branch != null || webroot != null;
    case "assets":
      return hasAssets === true || Boolean(assetGroups?.length);
    case "databases":
      return hasDatabases === true || Boolean(databases?.length);
  }
}
