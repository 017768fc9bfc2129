import { displayText } from "../../provider/errors/displayText.js";
import { groupBy } from "../../provider/model/groupBy.js";
import type { AuditedProject } from "../rules/auditedProject.js";
import { exactText } from "../rules/finding.js";
import { checkOptions, type ScopeOptions } from "../rules/houseRuleOptions.js";
import { indeterminate, type Problem, violated } from "../rules/problem.js";
import type { Rule } from "../rules/rule.js";
import { subjectValue } from "../rules/subjectValue.js";
import {
  type AuditedDatabase,
  databasesOf,
  databaseSubject,
  distinctProblems,
  unlistedDatabases,
} from "./databases.js";
import { displayNames, nameOf, type Neighbor } from "./neighbors.js";

/** Options of `unsharedDatabases`. */
export type UnsharedDatabasesOptions = ScopeOptions;

/**
 * Requires that no two environments use the same database, whether they belong to one project or to two:
 * a database with the same name in the same deployment target group, and of the same type.
 *
 * The subject of a finding names everybody who uses the database. With another user it is a new finding.
 * The state is `unknown` if the service says that there are databases and lists none.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export function unsharedDatabases(options: UnsharedDatabasesOptions = {}): Rule {
  checkOptions("unsharedDatabases", options);
  const { environments, severity = "error" } = options;
  return {
    name: "unshared-databases",
    severity,
    environments,
    description: "No two environments use the same database.",
    reason: "A deployment or a test of one environment changes or deletes the data of the other.",
    remedy: "Give each environment a database of its own.",
    checkEnvironment: (environment, project) => {
      // Databases are compared by their names.
      if (databasesOf(environment, project).every(({ name }) => name)) return [];
      return [indeterminate("The service omits the name of a database.", { subject: "databases" })];
    },
    checkProject: (project) => [
      ...unlistedDatabases(project),
      ...sharedUses(usesOf(project), ({ environment }) => environment),
    ],
    checkProjects: (projects) => sharedUses(projects.flatMap(usesOf), ({ project }) => project),
  };
}

/** A database of an environment. */
interface DatabaseUse extends Neighbor {
  readonly database: AuditedDatabase;
}

function usesOf(project: AuditedProject): DatabaseUse[] {
  return project.environments.flatMap((environment) => {
    const databases = "databases" in environment ? (environment.databases ?? []) : [];
    return databases
      .filter((database) => "name" in database)
      .map((database) => ({ project, environment, database }));
  });
}

/** Returns a problem for each use of a database that has several owners. */
function sharedUses(
  uses: readonly DatabaseUse[],
  ownerOf: (use: DatabaseUse) => object,
): Problem[] {
  const areSeveral = (same: readonly DatabaseUse[]) => new Set(same.map(ownerOf)).size > 1;
  // Type and group make a difference only if the names are equal, so only then they may not be missing.
  const problems = [...groupBy(uses, ({ database }) => database.name).values()]
    .filter(areSeveral)
    .flatMap((namesakes) => [...groupBy(namesakes, serverOf).values()])
    .filter(areSeveral)
    .flatMap(problemsOf);
  return distinctProblems(problems);
}

function serverOf({ environment, database }: DatabaseUse): string {
  const group = environment.deploymentTargetGroupIds?.databases;
  return `${subjectValue(database.databaseType)} in ${subjectValue(group)}`;
}

function problemsOf(same: readonly DatabaseUse[]): Problem[] {
  const names = [...new Set(same.map(nameOf))].sort();
  const usedBy = exactText(names.join(", "));
  return same.map((use) => {
    const { project, environment, database } = use;
    const others = names.slice(0, 7).filter((name) => name !== nameOf(use));
    const message = `The database ${displayText(database.name ?? "")} is also used by ${displayNames(others)}.`;
    return violated(message, {
      projectId: project.projectId,
      environmentId: environment.environmentId,
      subject: `${databaseSubject(database)}, ${serverOf(use)}, used by ${usedBy}`,
    });
  });
}
