import type { AuditedEnvironment, AuditedProject } from "../rules/auditedProject.js";
import { undecided, type Problem } from "../rules/rule.js";
import { subjectValue } from "../rules/finding.js";

export type AuditedDatabase = NonNullable<AuditedEnvironment["databases"]>[number];

/** A project without databases need not list any. */
export function databasesOf(
  environment: AuditedEnvironment,
  project: AuditedProject,
): readonly AuditedDatabase[] {
  if (!("databases" in environment) && project.hasDatabases === false) return [];
  return environment.databases ?? [];
}

/** The problem of a project that should have databases, but lists none in any environment. */
export function unlistedDatabases(project: AuditedProject): Problem[] {
  const mayHave = (environment: AuditedEnvironment) =>
    !("databases" in environment) || environment.databases?.length !== 0;
  if (project.environments.some(mayHave) || project.hasDatabases !== true) return [];
  const message = "The service says that the project has databases, but it lists none.";
  return [undecided(message, { subject: "databases" })];
}

/** Returns the name of a database with its id, as a part of a subject. The name alone may not be unique. */
export function databaseSubject(database: AuditedDatabase): string {
  const name = `database ${subjectValue(database.name)}`;
  return "associationId" in database ? `${name} (associationId ${database.associationId})` : name;
}
