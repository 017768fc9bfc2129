import type { AuditedEnvironment, IdentifiedProject } from "./auditedProject.js";
import { defineRule, indeterminate, type Rule, violated } from "./rule.js";
import { checkOptions } from "./ruleOptions.js";

/** This rule has no options. */
export type InitializedEnvironmentsOptions = Record<string, never>;

const parts = ["code", "assets", "databases"] as const;
type Part = (typeof parts)[number];

/**
 * Requires that every part of an environment is initialized: its code, its assets, its databases.
 *
 * An environment has databases if it lists one, or if the service says that the project has some. The
 * same holds for assets. An environment has code unless the service says that the project has none
 * and the environment shows none. The rule only compares `initialized` with null and false. The state
 * is `unknown` if the service omits the field.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for any option: the rule has none.
 */
export function initializedEnvironments(options: InitializedEnvironmentsOptions = {}): Rule {
  checkOptions("initializedEnvironments", options, []);
  return defineRule({
    name: "initialized-environments",
    description: "Every environment is initialized, in all the parts that it has.",
    reason:
      "Nothing can be deployed to an environment that is not initialized, and pipelines that rely on it fail.",
    remedy: "Initialize these parts in the Project Service, or remove the environment.",
    checkEnvironment: (environment, project) => {
      const present = parts.filter((part) => hasPart(part, environment, project));
      const stateOf = (part: Part) => environment.initialized?.[part];
      const missing = present.filter((part) => stateOf(part) === null || stateOf(part) === false);
      const undecided = present.filter((part) => stateOf(part) === undefined);
      return [
        ...(missing.length === 0
          ? []
          : [violated(`These parts are not initialized: ${missing.join(", ")}.`)]),
        ...(undecided.length === 0
          ? []
          : [
              indeterminate(
                `The service does not say whether these parts are initialized: ${undecided.join(", ")}.`,
              ),
            ]),
      ];
    },
  });
}

function hasPart(
  part: Part,
  environment: AuditedEnvironment,
  { hasCode, hasAssets, hasDatabases }: IdentifiedProject,
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
