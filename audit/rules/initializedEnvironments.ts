import type { AuditedEnvironment } from "./auditedProject.js";
import type { CheckedProject } from "./checkedProject.js";
import { exampleProject, houseRule, type HouseRuleFactory } from "./houseRule.js";
import { indeterminate, violated } from "./problem.js";
import type { SeverityOption } from "./ruleOptions.js";

/** Options of `initializedEnvironments`: `severity` only. */
export type InitializedEnvironmentsOptions = SeverityOption;

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
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export const initializedEnvironments: HouseRuleFactory<InitializedEnvironmentsOptions> = houseRule({
  key: "initializedEnvironments",
  options: {},
  define: () => ({
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
  }),
  examples: {
    violating: exampleProject({
      environments: [{ environmentId: "live", initialized: { code: null } }],
    }),
    passing: exampleProject({
      environments: [{ environmentId: "live", initialized: { code: { by: "jane" } } }],
    }),
  },
});

function hasPart(
  part: Part,
  environment: AuditedEnvironment,
  { hasCode, hasAssets, hasDatabases }: CheckedProject,
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
