import { displayText } from "../../provider/errors/displayText.js";
import type { AuditedProject } from "../rules/auditedProject.js";
import type { Problem, Rule } from "../rules/rule.js";
import { checkOptions, type RuleOptions } from "../rules/defineRule.js";
import { subjectValue } from "../rules/finding.js";
import {
  type AuditedDatabase,
  databasesOf,
  databaseSubject,
  unlistedDatabases,
} from "./databases.js";
import { environmentName, type OwnerKind, sharedUses, type Usage } from "./sharedUses.js";

/**
 * Requires that no two environments use the same database, whether they belong to one project or to two:
 * a database with the same name in the same deployment target group, and of the same type.
 */
export function unsharedDatabases(options: RuleOptions = {}): Rule {
  const common = checkOptions("unsharedDatabases", options);
  return {
    name: "unshared-databases",
    ...common,
    description: "No two environments use the same database.",
    reason: "A deployment or a test of one environment can change or delete the data of the other.",
    remedy: "Give each environment a separate database.",
    checkEnvironment: (environment, project) => {
      // Finds nothing, but reads the databases, which the service may omit.
      databasesOf(environment, project);
      return [];
    },
    checkProject: (project) => [
      ...unlistedDatabases(project),
      ...sharedDatabases([project], "environment", common.environments),
    ],
    checkProjects: (projects) => sharedDatabases(projects, "project", common.environments),
  };
}

interface DatabaseUsage extends Usage {
  readonly database: AuditedDatabase;
}

function sharedDatabases(
  projects: readonly AuditedProject[],
  kind: OwnerKind,
  checkedIds: readonly string[] | undefined,
): Problem[] {
  return sharedUses(projects.flatMap(usagesOf), kind, checkedIds, serverOf, (usage) => ({
    message: `The database ${displayText(usage.key)} is also used by`,
    subject: `${databaseSubject(usage.database)}, ${serverOf(usage)}`,
  }));
}

function usagesOf(project: AuditedProject): DatabaseUsage[] {
  return project.environments.flatMap((environment) => {
    const databases = "databases" in environment ? (environment.databases ?? []) : [];
    const owner = environmentName(project, environment);
    return databases.map((database) => {
      return { project, environment, key: database.name ?? "", owner, database };
    });
  });
}

function serverOf({ environment, database }: DatabaseUsage): string {
  const group = environment.deploymentTargetGroupIds?.databases;
  return `${subjectValue(database.databaseType)} in ${subjectValue(group)}`;
}
