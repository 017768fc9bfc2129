import { displayList } from "../../provider/errors/displayText.js";
import type { AuditedEnvironment } from "./auditedProject.js";
import { exampleProject, houseRule, type HouseRuleFactory } from "./houseRule.js";
import { indeterminate, type Problem, violated } from "./problem.js";
import type { SeverityOption } from "./ruleOptions.js";

/** Options of `linkedAssets`: `severity` only. */
export type LinkedAssetsOptions = SeverityOption;

/**
 * Requires that every asset group names a symlink of its environment and this symlink names the asset
 * group. The same holds for every symlink and its asset group.
 *
 * The state is `unknown` if the service omits the name of the other side. It is also `unknown` for a
 * project with assets, as the service says, that lists none in any environment.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export const linkedAssets: HouseRuleFactory<LinkedAssetsOptions> = houseRule({
  key: "linkedAssets",
  options: {},
  define: () => ({
    name: "linked-assets",
    description: "Asset groups and symlinks of an environment refer to each other.",
    reason: "Assets without a symlink are not served, and a symlink without assets leads nowhere.",
    remedy:
      "Create the missing symlink or asset group in the Project Service, or remove the one without a counterpart.",
    checkProject: ({ hasAssets, environments }) =>
      hasAssets === true && !environments.some(({ assetGroups }) => assetGroups?.length)
        ? [indeterminate("The service says that the project has assets, but it lists none.")]
        : [],
    checkEnvironment: (environment) => {
      const groups = groupsOf(environment);
      const links = linksOf(environment);
      return [
        ...problemsOf("asset group", groups, "symlink", links),
        ...problemsOf("symlink", links, "asset group", groups),
      ];
    },
  }),
  examples: {
    violating: exampleProject({
      environments: [
        {
          environmentId: "live",
          assetGroups: [{ id: "media", symLinkId: "media-link" }],
          symLinks: [],
        },
      ],
    }),
    passing: exampleProject({
      environments: [
        {
          environmentId: "live",
          assetGroups: [{ id: "media", symLinkId: "media-link" }],
          symLinks: [{ id: "media-link", assetGroupId: "media" }],
        },
      ],
    }),
  },
});

/** An asset group or a symlink, with the id of its counterpart. */
interface Reference {
  readonly id: string;
  /** Undefined if the service omits it. */
  readonly to: string | undefined;
}

function groupsOf({ assetGroups }: AuditedEnvironment): Reference[] {
  return (assetGroups ?? []).map(({ id, symLinkId }) => ({
    id: id ?? "",
    to: symLinkId || undefined,
  }));
}

function linksOf({ symLinks }: AuditedEnvironment): Reference[] {
  return (symLinks ?? []).map(({ id, assetGroupId }) => ({
    id: id ?? "",
    to: assetGroupId || undefined,
  }));
}

function problemsOf(
  kind: string,
  references: readonly Reference[],
  otherKind: string,
  others: readonly Reference[],
): Problem[] {
  const undecided = references.filter(({ to }) => to === undefined);
  const broken = references.filter(
    ({ id, to }) =>
      to !== undefined && !others.some((other) => other.id === to && (other.to ?? id) === id),
  );
  const named = (some: readonly Reference[]) =>
    `${kind}${some.length === 1 ? "" : "s"} ${displayList(some.map(({ id }) => id).sort())}`;
  return [
    ...(broken.length === 0 ? [] : [violated(`No ${otherKind} belongs to ${named(broken)}.`)]),
    ...(undecided.length === 0
      ? []
      : [
          indeterminate(
            `The service does not say which ${otherKind} belongs to ${named(undecided)}.`,
          ),
        ]),
  ];
}
