import type { AuditedEnvironment, AuditedProject } from "../rules/auditedProject.js";
import { exampleOfLive, houseRule } from "../rules/houseRule.js";
import { indeterminate, type Problem, violated } from "../rules/problem.js";
import type { ScopeOptions } from "../rules/ruleScope.js";

/** Options of `initializedEnvironments`. */
export type InitializedEnvironmentsOptions = ScopeOptions;

const parts = ["code", "assets", "databases"] as const;
type Part = (typeof parts)[number];

/**
 * Requires that every part of an environment is initialized: its code, its assets, its databases.
 *
 * An environment has a part if it shows it, or if the service says that the project has it. The rule
 * only compares `initialized` with null and false. The state is `unknown` if the service omits
 * `initialized`, or does not say whether the project has a part that is not initialized. A project with
 * the status `AWAITING_INITIAL_DEPLOYMENT` passes: it cannot be initialized yet.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export const initializedEnvironments = houseRule<InitializedEnvironmentsOptions>({
  key: "initializedEnvironments",
  options: {},
  // A part that the environment shows is there, whatever the project says.
  needs: [
    "status",
    "hasCode",
    "hasDatabases",
    "hasAssets",
    "environments.initialized.code",
    "environments.initialized.assets",
    "environments.initialized.databases",
    "environments.branch",
    "environments.webroot",
    "environments.assetGroups",
    "environments.databases",
  ],
  define: () => ({
    name: "initialized-environments",
    description: "Every environment is initialized, in all the parts that it has.",
    reason:
      "Nothing can be deployed to an environment that is not initialized, and pipelines that rely on it fail. A project with the status AWAITING_INITIAL_DEPLOYMENT follows the rule in any case.",
    remedy: "Initialize these parts in the Project Service, or remove the environment.",
    checkEnvironment: (environment, project) =>
      project.status === "AWAITING_INITIAL_DEPLOYMENT"
        ? []
        : parts.flatMap((part) => problemsOf(part, environment, project)),
  }),
  examples: {
    violating: exampleOfLive(
      { branch: { name: "main" }, initialized: { code: null } },
      { status: "DEPLOYED", hasAssets: false, hasDatabases: false },
    ),
    passing: exampleOfLive(
      { branch: { name: "main" }, initialized: { code: { by: "jane" } } },
      { hasAssets: false, hasDatabases: false },
    ),
  },
});

function problemsOf(
  part: Part,
  environment: AuditedEnvironment,
  project: AuditedProject,
): Problem[] {
  const isPresent = hasPart(part, environment, project);
  const state = environment.initialized?.[part];
  const isInitialized = state !== null && state !== false;
  if (isPresent === false || (isInitialized && state !== undefined)) return [];
  const about = { subject: part };
  if (state === undefined) {
    const message = `The service does not say whether the ${part} part is initialized.`;
    return [indeterminate(message, about)];
  }
  const message = `The ${part} part is not initialized.`;
  if (isPresent === undefined) {
    const open = "The service does not say whether the project has it.";
    return [indeterminate(`${message} ${open}`, about)];
  }
  if ((project.status ?? undefined) === undefined) {
    const open = "The service omits the status, so the project may await its first deployment.";
    return [indeterminate(`${message} ${open}`, about)];
  }
  return [violated(message, about)];
}

/** Returns whether an environment has a part, or undefined if the service does not say it. */
function hasPart(
  part: Part,
  { branch, webroot, assetGroups, databases }: AuditedEnvironment,
  { hasCode, hasAssets, hasDatabases }: AuditedProject,
): boolean | undefined {
  switch (part) {
    case "code":
      return branch != null || webroot != null || (hasCode ?? undefined);
    case "assets":
      return Boolean(assetGroups?.length) || (hasAssets ?? undefined);
    case "databases":
      return Boolean(databases?.length) || (hasDatabases ?? undefined);
  }
}
