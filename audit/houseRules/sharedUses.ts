import { displayList } from "../../provider/errors/displayText.js";
import { groupBy } from "../../provider/model/groupBy.js";
import type { AuditedEnvironment, AuditedProject } from "../rules/auditedProject.js";
import { exactText, subjectValue } from "../rules/finding.js";
import { checkEach } from "../rules/missingFields.js";
import { type Problem, violated } from "../rules/rule.js";

/** How an environment uses a thing, such as a database, that it should have for itself. */
export interface Use {
  readonly project: AuditedProject;
  readonly environment: AuditedEnvironment;
  /** A name or a path. Two uses with the same key may be uses of the same thing. */
  readonly key: string;
  /** What uses the thing, for messages and subjects, such as {@link environmentName}. */
  readonly user: string;
}

/** Between whom sharing is a problem: the environments of a project, or different projects. */
export type Sharer = "environment" | "project";

/**
 * Returns the problems of uses that have one key, are on one server and have several sharers. A subject names all
 * users: with another one it is a new finding.
 *
 * @param describe returns the start of a message, which the names of the other users follow, and the start of a
 *   subject. Undefined: the use is none of the problem.
 */
export function sharedUses<U extends Use>(
  uses: readonly U[],
  sharer: Sharer,
  serverOf: (use: U) => string,
  describe: (use: U, users: readonly U[]) => { message: string; subject: string } | undefined,
): Problem[] {
  const areSeveral = (group: readonly U[]) =>
    group.some((use) => use[sharer] !== group[0]?.[sharer]);
  // The server makes a difference only for equal keys, so only then it may not be missing.
  const groups = [...groupBy(uses, ({ key }) => key).values()]
    .filter(areSeveral)
    .flatMap((group) => [...groupBy(group, serverOf).values()])
    .filter(areSeveral);
  return checkEach(groups, (users) => {
    // If the service omits the server, it may be another one for each of them.
    users.forEach(serverOf);
    const names = [...new Set(users.map(({ user }) => user))].sort();
    const allNames = exactText(names.join(", "));
    return users.flatMap((use) => {
      const sharing = describe(use, users);
      if (sharing === undefined) return [];
      const others = names.filter((name) => name !== use.user);
      const { projectId } = use.project;
      const { environmentId } = use.environment;
      const subject = `${sharing.subject}, shared by ${allNames}`;
      const message = `${sharing.message} ${displayList(others, 5)}.`;
      return [violated(message, { projectId, environmentId, subject })];
    });
  });
}

/** Returns for instance `p-1 live`. */
export function environmentName(project: AuditedProject, environment: AuditedEnvironment): string {
  return `${subjectValue(project.projectId)} ${subjectValue(environment.environmentId)}`;
}
