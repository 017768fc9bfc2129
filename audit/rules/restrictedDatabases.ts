import { displayList } from "../../provider/errors/displayText.js";
import type { AuditedEnvironment } from "./auditedProject.js";
import type { CheckedProject } from "./checkedProject.js";
import { exampleProject, houseRule, type HouseRuleFactory } from "./houseRule.js";
import { indeterminate, type Problem, violated } from "./problem.js";
import { type SeverityOption, stringsOption } from "./ruleOptions.js";

/** Options of `restrictedDatabases`. */
export interface RestrictedDatabasesOptions extends SeverityOption {
  /** Ids of the environments whose databases the rule checks. Default: every environment. */
  environments?: readonly string[] | undefined;
}

/**
 * Requires that databases restrict the addresses that can reach them: `allowedIP` is not null.
 *
 * The rule does not check the value of `allowedIP`, because its shape is not documented. The state is
 * `unknown` if the service omits the field. It is also `unknown` for a project with databases, as the
 * service says, that lists none in any environment, and for a project with databases that has none of
 * the named environments.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export const restrictedDatabases: HouseRuleFactory<RestrictedDatabasesOptions> = houseRule({
  key: "restrictedDatabases",
  options: {
    environments: stringsOption(
      "Ids of the environments whose databases the rule checks. Without this option: every environment.",
      undefined,
    ),
  },
  define: ({ environments }) => ({
    name: "restricted-databases",
    description: `Every database${environments === undefined ? "" : ` of ${displayList(environments)}`} restricts the addresses that can reach it.`,
    reason:
      "Anyone can try to connect to a database without a restriction. Only its password protects it.",
    remedy: "Set allowedIP of these databases in the Project Service.",
    checkProject: (project) => checkProject(project, environments),
    checkEnvironment: (environment) =>
      environments === undefined || environments.includes(environment.environmentId)
        ? checkDatabases(environment)
        : [],
  }),
  examples: {
    violating: exampleProject({
      environments: [
        { environmentId: "live", databases: [{ name: "shop_live", allowedIP: null }] },
      ],
    }),
    passing: exampleProject({
      environments: [
        { environmentId: "live", databases: [{ name: "shop_live", allowedIP: ["192.0.2.7"] }] },
      ],
    }),
  },
});

function checkProject(
  { hasDatabases, environments }: CheckedProject,
  checkedIds: readonly string[] | undefined,
): Problem[] {
  if (!environments.some(({ databases }) => databases?.length)) {
    return hasDatabases === true
      ? [indeterminate("The service says that the project has databases, but it lists none.")]
      : [];
  }
  if (
    checkedIds === undefined ||
    environments.some(({ environmentId }) => checkedIds.includes(environmentId))
  ) {
    return [];
  }
  return [
    indeterminate(
      `The rule checked no database, because the project has none of these environments: ${displayList(checkedIds)}. Set the option environments of the rule to the project's environments.`,
    ),
  ];
}

function checkDatabases({ databases }: AuditedEnvironment): Problem[] {
  const namesWith = (allowed: null | undefined) =>
    (databases ?? [])
      .filter(({ allowedIP }) => allowedIP === allowed)
      .map(({ name }) => name ?? "")
      // A service may list them in another order each time.
      .sort();
  const open = namesWith(null);
  const undecided = namesWith(undefined);
  return [
    ...(open.length === 0
      ? []
      : [violated(`The ${databasesAre(open)} not restricted by address.`)]),
    ...(undecided.length === 0
      ? []
      : [
          indeterminate(
            `The service does not say whether the ${databasesAre(undecided)} restricted by address.`,
          ),
        ]),
  ];
}

function databasesAre(names: string[]): string {
  return names.length === 1
    ? `database ${displayList(names)} is`
    : `databases ${displayList(names)} are`;
}
