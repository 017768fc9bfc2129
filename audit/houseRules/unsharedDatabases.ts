import { displayList, displayText } from "../../provider/errors/displayText.js";
import { compareValues } from "../../provider/model/selection.js";
import { groupBy } from "../../provider/model/groupBy.js";
import type { AuditedEnvironment, AuditedProject } from "../rules/auditedProject.js";
import { exampleProject, houseRule } from "../rules/houseRule.js";
import { indeterminate, type Problem, violated } from "../rules/problem.js";
import type { ScopeOptions } from "../rules/ruleScope.js";
import { mayHaveDatabases, omittedDatabases, unlistedProblem } from "./omittedLists.js";
import { databaseSubject, subjectValue } from "./subjectValue.js";

/** Options of `unsharedDatabases`. */
export type UnsharedDatabasesOptions = ScopeOptions;

/**
 * Requires that no two environments use the same database, whether they belong to one project or to two:
 * a database with the same name in the same deployment target group, and of the same type.
 *
 * The state is `unknown` if two databases have the same name and the service omits the type or the
 * deployment target group of one of them. It is also `unknown` if the service omits the name of a
 * database, the list of databases, or says that there are databases and lists none. `checkProject` and
 * policy packs compare the environments of one project only.
 *
 * A finding is about the database of one environment, whoever else uses it. A later user of the database
 * has a finding of its own.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export const unsharedDatabases = houseRule<UnsharedDatabasesOptions>({
  key: "unsharedDatabases",
  options: {},
  needs: ["environments.databases.databaseType", "environments.deploymentTargetGroupIds.databases"],
  mayNeed: ["hasDatabases"],
  concerns: mayHaveDatabases,
  define: (_options, environments) => ({
    name: "unshared-databases",
    description: "No two environments use the same database.",
    reason: "A deployment or a test of one environment changes or deletes the data of the other.",
    remedy: "Give each environment a database of its own.",
    checkProject: (project) => unlistedProblem(project, "databases", environments),
    checkEnvironment: (environment, project) => [
      ...omittedDatabases(environment, project),
      ...unnamedProblems(environment),
      ...sharedUses(usesOf(project), (use) => use.environmentId, "environments")
        .filter(({ use }) => use.environmentId === environment.environmentId)
        .map(({ problem }) => problem),
    ],
    checkProjects: (projects) =>
      sharedUses(projects.flatMap(usesOf), ({ project }) => project, "projects").map(
        ({ use: { project, environmentId }, problem }) => ({
          ...problem,
          projectId: project.projectId,
          environmentId,
        }),
      ),
  }),
  examples: {
    violating: exampleProject({
      environments: ["live", "stage"].map((environmentId) => ({
        environmentId,
        databases: [{ name: "shop", databaseType: "MYSQL" }],
        deploymentTargetGroupIds: { databases: "databases-1" },
      })),
    }),
    passing: exampleProject({
      environments: ["live", "stage"].map((environmentId) => ({
        environmentId,
        databases: [{ name: `shop_${environmentId}`, databaseType: "MYSQL" }],
        deploymentTargetGroupIds: { databases: "databases-1" },
      })),
    }),
  },
});

/** A database of an environment. */
interface DatabaseUse {
  readonly project: AuditedProject;
  readonly environmentId: string;
  readonly name: string;
  readonly type: string | undefined;
  /** The deployment target group. */
  readonly group: string | undefined;
}

function usesOf(project: AuditedProject): DatabaseUse[] {
  return project.environments.flatMap(({ environmentId, databases, deploymentTargetGroupIds }) =>
    (databases ?? []).flatMap(({ name, databaseType }) => {
      if (!name) return [];
      const type = databaseType ?? undefined;
      const group = deploymentTargetGroupIds?.databases ?? undefined;
      return [{ project, environmentId, name, type, group }];
    }),
  );
}

/** Returns the problems of databases that cannot be compared. */
function unnamedProblems({ databases }: AuditedEnvironment): Problem[] {
  return (databases ?? [])
    .filter(({ name }) => !name)
    .map(({ databaseType }) =>
      indeterminate(
        "The service omits the name of a database, so it is open who else uses the database.",
        { subject: databaseSubject(undefined, databaseType) },
      ),
    );
}

interface SharedUse {
  readonly use: DatabaseUse;
  readonly problem: Problem;
}

/** Finds databases with several owners. What `ownerOf` returns says whose database it is. */
function sharedUses(
  allUses: readonly DatabaseUse[],
  ownerOf: (use: DatabaseUse) => unknown,
  owners: "environments" | "projects",
): SharedUse[] {
  // The message of a finding must not depend on the order of the list.
  const uses = [...allUses].sort((a, b) => compareValues(placeOf(a), placeOf(b)));
  return [...groupBy(uses, ({ name }) => name).values()].flatMap((namesakes) => {
    if (namesakes.every((use) => ownerOf(use) === ownerOf(namesakes[0] as DatabaseUse))) return [];
    const unclear = namesakes.filter(
      ({ group, type }) => group === undefined || type === undefined,
    );
    const byPlace = groupBy(namesakes, ({ group, type }) => JSON.stringify([group, type]));
    return [...byPlace.values()].flatMap((same) => {
      const users = [...new Set(same.map(placeOf))];
      return same.flatMap((use) => {
        const owner = ownerOf(use);
        const about = { subject: subjectOf(use, owners) };
        const isClear = use.group !== undefined && use.type !== undefined;
        if (isClear && same.some((other) => ownerOf(other) !== owner)) {
          return [{ use, problem: violated(sharedMessage(use, users), about) }];
        }
        const other = (isClear ? unclear : namesakes).find(
          (candidate) => ownerOf(candidate) !== owner && maybeSame(candidate, use),
        );
        if (other === undefined) return [];
        return [{ use, problem: indeterminate(unclearMessage(use, other), about) }];
      });
    });
  });
}

function maybeSame(one: DatabaseUse, other: DatabaseUse): boolean {
  const agree = (a: string | undefined, b: string | undefined): boolean =>
    a === undefined || b === undefined || a === b;
  return agree(one.group, other.group) && agree(one.type, other.type);
}

function placeOf({ project: { projectId }, environmentId }: DatabaseUse): string {
  return `${projectId} ${environmentId}`;
}

/** Does not name the other users: otherwise each new user would make all findings new. */
function subjectOf({ name, type, group }: DatabaseUse, owners: string): string {
  const place = group === undefined ? "" : ` in ${subjectValue(group)}`;
  return `${databaseSubject(name, type)}${place} of several ${owners}`;
}

function sharedMessage(use: DatabaseUse, users: readonly string[]): string {
  const own = placeOf(use);
  const others = users.slice(0, 6).filter((user) => user !== own);
  return `The database ${displayText(use.name)} is also used by ${displayList(others)}${users.length > 6 ? " and more" : ""}.`;
}

function unclearMessage({ name }: DatabaseUse, other: DatabaseUse): string {
  return `A database ${displayText(name)} is also used by ${displayText(placeOf(other))}. The service omits a type or a deployment target group, so it may be the same.`;
}
