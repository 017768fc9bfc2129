import { displayList, displayText } from "../../provider/errors/displayText.js";
import { compareValues } from "../../provider/model/compareValues.js";
import { groupBy } from "../../provider/model/groupBy.js";
import type { AuditedProject } from "../rules/auditedProject.js";
import { exactText } from "../rules/finding.js";
import { exampleProject, houseRule, type HouseRuleFactory } from "../rules/houseRule.js";
import { indeterminate, type Problem, violated } from "../rules/problem.js";
import type { ScopeOptions } from "../rules/ruleScope.js";

/** Options of `unsharedDatabases`. */
export type UnsharedDatabasesOptions = ScopeOptions;

/**
 * Requires that no two environments use the same database, whether they belong to one project or to two:
 * a database with the same name in the same deployment target group, and of the same type.
 *
 * The state is `unknown` if two databases have the same name and the service omits the deployment target
 * group of one of them. `checkProject` and policy packs compare the environments of one project only.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export const unsharedDatabases: HouseRuleFactory<UnsharedDatabasesOptions> = houseRule({
  key: "unsharedDatabases",
  options: {},
  concerns: ({ hasDatabases }) => hasDatabases !== false,
  define: () => ({
    name: "unshared-databases",
    description: "No two environments use the same database.",
    reason: "A deployment or a test of one environment changes or deletes the data of the other.",
    remedy: "Give each environment a database of its own.",
    checkEnvironment: ({ environmentId }, project) =>
      sharedUses(usesOf(project), (use) => use.environmentId)
        .filter(({ use }) => use.environmentId === environmentId)
        .map(({ problem }) => problem),
    checkProjects: (projects) =>
      sharedUses(projects.flatMap(usesOf), ({ project }) => project).map(
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
    (databases ?? []).map(({ name, databaseType }) => ({
      project,
      environmentId,
      name: name ?? "",
      type: databaseType ?? undefined,
      group: deploymentTargetGroupIds?.databases ?? undefined,
    })),
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
): SharedUse[] {
  // The subject of a finding must not depend on the order of the list.
  const uses = [...allUses].sort((a, b) => compareValues(placeOf(a), placeOf(b)));
  return [...groupBy(uses, ({ name }) => name).values()].flatMap((namesakes) => {
    if (namesakes.every((use) => ownerOf(use) === ownerOf(namesakes[0] as DatabaseUse))) return [];
    const unclear = namesakes.filter(
      ({ group, type }) => group === undefined || type === undefined,
    );
    const byPlace = groupBy(namesakes, ({ group, type }) => JSON.stringify([group, type]));
    return [...byPlace.values()].flatMap((same) => {
      const users = [...new Set(same.map(placeOf))];
      const allUsers = exactText(users.join(", "));
      return same.flatMap((use) => {
        const owner = ownerOf(use);
        const isClear = use.group !== undefined && use.type !== undefined;
        if (isClear && same.some((other) => ownerOf(other) !== owner)) {
          return [{ use, problem: sharedProblem(use, users, allUsers) }];
        }
        const other = (isClear ? unclear : namesakes).find(
          (candidate) => ownerOf(candidate) !== owner && maybeSame(candidate, use),
        );
        return other === undefined ? [] : [{ use, problem: unclearProblem(use, other) }];
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

function sharedProblem(use: DatabaseUse, users: readonly string[], allUsers: string): Problem {
  const own = placeOf(use);
  const others = users.slice(0, 6).filter((user) => user !== own);
  return violated(
    `The database ${displayText(use.name)} is also used by ${displayList(others)}${users.length > 6 ? " and more" : ""}.`,
    { subject: `database ${use.name}, used by ${allUsers}` },
  );
}

function unclearProblem({ name }: DatabaseUse, other: DatabaseUse): Problem {
  const place = placeOf(other);
  return indeterminate(
    `A database ${displayText(name)} is also used by ${displayText(place)}. The service omits a type or a deployment target group, so it may be the same.`,
    { subject: `database ${name}, perhaps used by ${place}` },
  );
}
