import { displayList } from "../../provider/errors/displayText.js";
import { groupBy } from "../../provider/model/groupBy.js";
import type { AuditedEnvironment, AuditedProject } from "../rules/auditedProject.js";
import { subjectValue, uniqueText } from "../rules/finding.js";
import { checkEach } from "../rules/missingFields.js";
import { isChecked, type Problem, violated } from "../rules/rule.js";

/** A thing, such as a database, that an environment uses and should have for itself. */
export interface Usage {
  readonly project: AuditedProject;
  readonly environment: AuditedEnvironment;
  /** A name or a path. Two usages with the same key may be of the same thing. */
  readonly key: string;
  /** The name of the environment or webroot that uses the thing, for messages and subjects. */
  readonly owner: string;
}

/** The owners that are compared: the environments of a project, or different projects. */
export type OwnerKind = "environment" | "project";

/**
 * Returns the problems of usages that have one key, are on one server and have several owners, if the rule checks the
 * environment of at least one. A subject names all owners, so with other owners it is a new finding.
 *
 * @param describe returns the start of a message, which the names of the other owners follow, and the start of a
 *   subject. Returns undefined if the usage is not part of the problem.
 */
export function sharedUses<U extends Usage>(
  usages: readonly U[],
  kind: OwnerKind,
  checkedIds: readonly string[] | undefined,
  serverOf: (usage: U) => string,
  describe: (usage: U, sharing: readonly U[]) => { message: string; subject: string } | undefined,
): Problem[] {
  const isShared = (group: readonly U[]) =>
    group.some((usage) => usage[kind] !== group[0]?.[kind]) &&
    group.some(({ environment }) => isChecked(checkedIds, environment.environmentId));
  // The server makes a difference only for equal keys, so only then it may not be missing.
  const groups = [...groupBy(usages, ({ key }) => key).values()]
    .filter(isShared)
    .flatMap((group) => [...groupBy(group, serverOf).values()])
    .filter(isShared);
  return checkEach(groups, (sharing) => {
    // If the service omits the server, it may be another one for each of them.
    sharing.forEach(serverOf);
    const owners = [...new Set(sharing.map(({ owner }) => owner))].sort();
    // Shortened, because each finding names all owners. Otherwise, 5,000 sites in one webroot take six times as long.
    const allOwners = uniqueText(owners.join(", "));
    return sharing.flatMap((usage) => {
      const texts = describe(usage, sharing);
      if (texts === undefined) return [];
      const others = owners.filter((owner) => owner !== usage.owner);
      const { projectId } = usage.project;
      const { environmentId } = usage.environment;
      const subject = `${texts.subject}, shared by ${allOwners}`;
      const message = `${texts.message} ${displayList(others, 5)}.`;
      return [violated(message, { projectId, environmentId, subject })];
    });
  });
}

/** Returns for instance `p-1 live`. */
export function environmentName(project: AuditedProject, environment: AuditedEnvironment): string {
  return `${subjectValue(project.projectId)} ${subjectValue(environment.environmentId)}`;
}
