import { listed } from "../../provider/shown.js";
import { defineRule, type Rule, unknown, violated } from "../rule.js";
import { checkOptions, textsOption } from "../ruleOptions.js";

export interface RestrictedDatabasesOptions {
  /** Ids of the environments whose databases are looked at. Default: every environment. */
  environments?: readonly string[] | undefined;
}

/**
 * Databases say from which addresses they can be reached: `allowedIP` is not null.
 *
 * What `allowedIP` holds is not looked at, for its shape is not documented. Unknown where the service
 * leaves the field out, for a project that says it has databases and lists none in any environment,
 * and for one with databases that has none of the named environments.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for options that are unknown or wrong.
 */
export function restrictedDatabases(options: RestrictedDatabasesOptions = {}): Rule {
  checkOptions("restrictedDatabases", options, ["environments"]);
  const environments =
    options.environments === undefined
      ? undefined
      : textsOption("restrictedDatabases", "environments", options.environments);
  const isLookedAt = (environmentId: string) =>
    environments === undefined || environments.includes(environmentId);
  return defineRule({
    name: "restricted-databases",
    description:
      environments === undefined
        ? "Every database says from which addresses it can be reached."
        : `Every database of ${listed(environments)} says from which addresses it can be reached.`,
    reason:
      "A database without a restriction can be tried from everywhere; its password is all that protects it.",
    remedy: "Set allowedIP of these databases in the Project Service.",
    ofProject: (project) => {
      const withDatabases = project.environments.filter(({ databases }) => databases?.length);
      if (withDatabases.length === 0) {
        return project.hasDatabases === true
          ? [unknown("The service says that it has databases, and lists none.")]
          : [];
      }
      return project.environments.some(({ environmentId }) => isLookedAt(environmentId))
        ? []
        : [
            unknown(
              `None of its environments is ${listed(environments ?? [])}: no database was looked at. Name its environments in the rule's option environments.`,
            ),
          ];
    },
    ofEnvironment: ({ environmentId, databases }) => {
      if (!isLookedAt(environmentId)) return [];
      const named = (allowed: null | undefined) =>
        (databases ?? [])
          .filter(({ allowedIP }) => allowedIP === allowed)
          .map(({ name }) => name ?? "")
          // A service may list them in another order each time.
          .sort();
      const open = named(null);
      const unclear = named(undefined);
      return [
        ...(open.length === 0
          ? []
          : [violated(`${databasesOf(open)} ${areOf(open)} not restricted by address.`)]),
        ...(unclear.length === 0
          ? []
          : [
              unknown(
                `${databasesOf(unclear)} may not be restricted by address: the service does not say.`,
              ),
            ]),
      ];
    },
  });
}

function databasesOf(names: string[]): string {
  return `The database${names.length === 1 ? "" : "s"} ${listed(names)}`;
}

function areOf(names: string[]): string {
  return names.length === 1 ? "is" : "are";
}
