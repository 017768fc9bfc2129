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

/** Returns the problems of uses that have one key, are on one server and have several owners. */
export function sharedUses<U extends Use>(
  uses: readonly U[],
  owner: Sharer,
  serverOf: (use: U) => string,
  problemsOf: (users: readonly U[]) => Problem[],
): Problem[] {
  const areSeveral = (group: readonly U[]) => group.some((use) => use[owner] !== group[0]?.[owner]);
  // The server makes a difference only for equal keys, so only then it may not be missing.
  const groups = [...groupBy(uses, ({ key }) => key).values()]
    .filter(areSeveral)
    .flatMap((group) => [...groupBy(group, serverOf).values()])
    .filter(areSeveral);
  return checkEach(groups, (users) => {
    // If the service omits the server, it may be another one for each of them.
    users.forEach(serverOf);
    return problemsOf(users);
  });
}

/**
 * Returns a function that makes the problem of one of the users. Its subject names all of them: with another
 * one it is a new finding.
 */
export function sharingProblem(users: readonly Use[]) {
  const names = [...new Set(users.map(({ user }) => user))].sort();
  const allNames = exactText(names.join(", "));
  return ({ project, environment, user }: Use, message: string, subject: string): Problem => {
    const others = names.filter((name) => name !== user);
    return violated(`${message} ${displayList(others, 5)}.`, {
      projectId: project.projectId,
      environmentId: environment.environmentId,
      subject: `${subject}, shared by ${allNames}`,
    });
  };
}

/** Returns for instance `p-1 live`. */
export function environmentName(project: AuditedProject, environment: AuditedEnvironment): string {
  return `${subjectValue(project.projectId)} ${subjectValue(environment.environmentId)}`;
}
