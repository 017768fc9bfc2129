import { posix } from "node:path";
import { displayText } from "../../provider/errors/displayText.js";
import type { AuditedEnvironment, AuditedProject } from "../rules/auditedProject.js";
import { exampleProject, houseRule, type HouseRuleFactory } from "../rules/houseRule.js";
import { omits, unlistedProblem } from "./omittedLists.js";
import { indeterminate, type Problem, violated } from "../rules/problem.js";
import type { ScopeOptions } from "../rules/ruleScope.js";

/** Options of `linkedAssets`. */
export type LinkedAssetsOptions = ScopeOptions;

type AssetGroup = NonNullable<AuditedEnvironment["assetGroups"]>[number];
type SymLink = NonNullable<AuditedEnvironment["symLinks"]>[number];

/**
 * Requires that every asset group names a symlink of its environment, that this symlink names the asset
 * group, and that it leads to the path of the asset group or into it. The same holds for every symlink
 * and its asset group. No two of them have the same id.
 *
 * The state is `unknown` if the service omits a list or a field that the rule needs. It is also
 * `unknown` for a project with assets, as the service says, that lists none in any environment.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export const linkedAssets: HouseRuleFactory<LinkedAssetsOptions> = houseRule({
  key: "linkedAssets",
  options: {},
  concerns: ({ hasAssets, environments }) =>
    hasAssets !== false || environments.some(({ assetGroups }) => assetGroups?.length),
  define: () => ({
    name: "linked-assets",
    description: "Asset groups and symlinks of an environment refer to each other.",
    reason:
      "Assets without a symlink are not served, and a symlink that leads elsewhere serves other files.",
    remedy:
      "Correct the symlink or the asset group in the Project Service, or remove the one without a counterpart.",
    checkProject: (project) => unlistedProblem(project, "assets", project.hasAssets),
    checkEnvironment: problemsOfEnvironment,
  }),
  examples: {
    violating: exampleProject({
      environments: [
        {
          environmentId: "live",
          assetGroups: [{ id: "media", symLinkId: "media-link", path: "/var/www/shared/media" }],
          symLinks: [],
        },
      ],
    }),
    passing: exampleProject({
      environments: [
        {
          environmentId: "live",
          assetGroups: [{ id: "media", symLinkId: "media-link", path: "/var/www/shared/media" }],
          symLinks: [{ id: "media-link", assetGroupId: "media", to: "/var/www/shared/media" }],
        },
      ],
    }),
  },
});

function problemsOfEnvironment(
  environment: AuditedEnvironment,
  { hasAssets }: AuditedProject,
): Problem[] {
  const groups = environment.assetGroups ?? [];
  const links = environment.symLinks ?? [];
  const omitted = (["assetGroups", "symLinks"] as const).filter((key) => omits(environment, key));
  if (omitted.length > 0) {
    if (hasAssets === false && groups.length + links.length === 0) return [];
    return omitted.map((key) =>
      indeterminate(
        `The service omits the list of ${key === "symLinks" ? "symlinks" : "asset groups"}.`,
        { subject: key },
      ),
    );
  }
  return [
    ...repeated("asset group", groups),
    ...repeated("symlink", links),
    ...groups.flatMap((group) =>
      counterpartProblem(
        "asset group",
        group.id,
        group.symLinkId,
        "symlink",
        links,
        (link) => (link.assetGroupId ?? group.id) === group.id,
      ),
    ),
    ...links.flatMap((link) => {
      const problems = counterpartProblem(
        "symlink",
        link.id,
        link.assetGroupId,
        "asset group",
        groups,
        (group) => (group.symLinkId ?? link.id) === link.id,
      );
      return problems.length > 0 ? problems : targetProblem(link, groups);
    }),
  ];
}

function repeated(kind: string, elements: readonly (AssetGroup | SymLink)[]): Problem[] {
  const ids = elements.map(({ id }) => id ?? "");
  const [...twice] = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  return twice.map((id) =>
    violated(`Several ${kind}s have the id ${displayText(id)}.`, {
      subject: `several ${kind}s ${id}`,
    }),
  );
}

function counterpartProblem<T extends AssetGroup | SymLink>(
  kind: string,
  id: string | null | undefined,
  otherId: string | null | undefined,
  otherKind: string,
  others: readonly T[],
  refersBack: (other: T) => boolean,
): Problem[] {
  const named = `${kind} ${displayText(id ?? "")}`;
  const subject = `${kind} ${id ?? ""}`;
  if (!otherId) {
    const message = `The service does not say which ${otherKind} belongs to the ${named}.`;
    return [indeterminate(message, { subject })];
  }
  return others.some((other) => other.id === otherId && refersBack(other))
    ? []
    : [violated(`No ${otherKind} belongs to the ${named}.`, { subject })];
}

/** Checks that a symlink leads to its asset group. */
function targetProblem(link: SymLink, groups: readonly AssetGroup[]): Problem[] {
  const { id, to, from, assetGroupId } = link;
  const path = groups.find((group) => group.id === assetGroupId)?.path;
  const named = `symlink ${displayText(id ?? "")}`;
  const isRelative = to != null && !to.startsWith("/");
  if (!to || !path || (isRelative && !from)) {
    const message = `The service does not say whether the ${named} leads to its asset group.`;
    return [indeterminate(message, { subject: `target of symlink ${id ?? ""}` })];
  }
  const target = posix.resolve("/", isRelative ? posix.dirname(from as string) : "/", to);
  const folder = posix.resolve("/", path);
  if (target === folder || target.startsWith(folder === "/" ? "/" : `${folder}/`)) return [];
  return [
    violated(
      `The ${named} leads to ${displayText(to, 200)}, which is not in the folder of its asset group.`,
      { subject: `symlink ${id ?? ""} to ${to}` },
    ),
  ];
}
