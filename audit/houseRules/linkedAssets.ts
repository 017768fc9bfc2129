import { posix } from "node:path";
import { displayText } from "../../provider/errors/displayText.js";
import type { AuditedEnvironment, AuditedProject } from "../rules/auditedProject.js";
import { exampleOfLive, houseRule } from "../rules/houseRule.js";
import { omits, unlistedProblem } from "./omittedLists.js";
import { indeterminate, type Problem, violated } from "../rules/problem.js";
import type { ScopeOptions } from "../rules/ruleScope.js";
import { groupBy } from "../../provider/model/groupBy.js";
import { subjectValue } from "./subjectValue.js";

/** Options of `linkedAssets`. */
export type LinkedAssetsOptions = ScopeOptions;

type AssetGroup = NonNullable<AuditedEnvironment["assetGroups"]>[number];
type SymLink = NonNullable<AuditedEnvironment["symLinks"]>[number];

/**
 * Requires that every asset group names a symlink of its environment, that this symlink names the asset
 * group, and that it leads to the path of the asset group or into it. The same holds for every symlink
 * and its asset group. No two of them have the same id.
 *
 * The state is `unknown` if the service omits a list or a field that the rule needs, or if it is open
 * where a relative path leads: one of a symlink whose `from` is relative, or of an asset group. It is
 * also `unknown` for a project with assets, as the service says, that lists none in any environment.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for unknown or invalid options.
 */
export const linkedAssets = houseRule<LinkedAssetsOptions>({
  key: "linkedAssets",
  options: {},
  needs: [
    "environments.assetGroups.path",
    "environments.assetGroups.symLinkId",
    "environments.symLinks.to",
    "environments.symLinks.from",
    "environments.symLinks.assetGroupId",
  ],
  mayNeed: ["hasAssets"],
  concerns: ({ hasAssets, environments }) =>
    hasAssets !== false || environments.some(({ assetGroups }) => assetGroups?.length),
  define: (_options, environments) => ({
    name: "linked-assets",
    description: "Asset groups and symlinks of an environment refer to each other.",
    reason:
      "Assets without a symlink are not served, and a symlink that leads elsewhere serves other files.",
    remedy:
      "Correct the symlink or the asset group in the Project Service, or remove the one without a counterpart.",
    checkProject: (project) => unlistedProblem(project, "assets", environments),
    checkEnvironment: problemsOfEnvironment,
  }),
  examples: {
    violating: exampleOfLive({
      assetGroups: [{ id: "media", symLinkId: "media-link", path: "/var/www/shared/media" }],
      symLinks: [],
    }),
    passing: exampleOfLive({
      assetGroups: [{ id: "media", symLinkId: "media-link", path: "/var/www/shared/media" }],
      symLinks: [{ id: "media-link", assetGroupId: "media", to: "/var/www/shared/media" }],
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
    return omitted.map((key) => {
      const name = key === "symLinks" ? "symlinks" : "asset groups";
      return indeterminate(`The service omits the list of ${name}.`, { subject: key });
    });
  }
  return [
    ...repeated("asset group", groups, "at", ({ path }) => path),
    ...repeated("symlink", links, "to", ({ to }) => to),
    ...groups.flatMap((group) =>
      counterpartProblem(
        "asset group",
        group.id,
        groupSubject(group),
        "symlink",
        group.symLinkId,
        links.some(
          ({ id, assetGroupId }) =>
            id === group.symLinkId && (assetGroupId ?? group.id) === group.id,
        ),
      ),
    ),
    ...links.flatMap((link) => {
      const problems = counterpartProblem(
        "symlink",
        link.id,
        linkSubject(link),
        "asset group",
        link.assetGroupId,
        groups.some(
          ({ id, symLinkId }) => id === link.assetGroupId && (symLinkId ?? link.id) === link.id,
        ),
      );
      return problems.length > 0 ? problems : targetProblem(link, groups);
    }),
  ];
}

function groupSubject({ id, path }: AssetGroup): string {
  return `asset group ${subjectValue(id)} at ${subjectValue(path)}`;
}

function linkSubject({ id, from, to }: SymLink): string {
  const place = to?.startsWith("/") === false ? ` from ${subjectValue(from)}` : "";
  return `symlink ${subjectValue(id)}${place} to ${subjectValue(to)}`;
}

function repeated<T extends AssetGroup | SymLink>(
  kind: string,
  elements: readonly T[],
  preposition: string,
  pathOf: (element: T) => string | null | undefined,
): Problem[] {
  return [...groupBy(elements, ({ id }) => id ?? "")]
    .filter(([, same]) => same.length > 1)
    .map(([id, same]) => {
      const paths = same.map((element) => subjectValue(pathOf(element))).sort();
      return violated(`Several ${kind}s have the id ${displayText(id)}.`, {
        subject: `several ${kind}s ${subjectValue(id)} ${preposition} ${paths.join(", ")}`,
      });
    });
}

function counterpartProblem(
  kind: string,
  id: string | null | undefined,
  subject: string,
  otherKind: string,
  otherId: string | null | undefined,
  isLinked: boolean,
): Problem[] {
  const named = `${kind} ${displayText(id ?? "")}`;
  const about = { subject: `${subject} without ${otherKind} ${subjectValue(otherId)}` };
  if (!otherId) {
    const message = `The service does not say which ${otherKind} belongs to the ${named}.`;
    return [indeterminate(message, about)];
  }
  return isLinked ? [] : [violated(`No ${otherKind} belongs to the ${named}.`, about)];
}

/** Checks that a symlink leads to its asset group. */
function targetProblem(link: SymLink, groups: readonly AssetGroup[]): Problem[] {
  const { id, to, from, assetGroupId } = link;
  const group = groups.find((one) => one.id === assetGroupId) ?? {};
  const { path } = group;
  const named = `symlink ${displayText(id ?? "")}`;
  const start = to?.startsWith("/") ? "/" : from;
  if (!to || !start?.startsWith("/") || !path?.startsWith("/")) {
    const message = `The service does not say whether the ${named} leads to its asset group.`;
    return [indeterminate(message, { subject: `${linkSubject(link)} of ${groupSubject(group)}` })];
  }
  const target = posix.resolve(posix.dirname(start), to);
  const folder = posix.resolve(path);
  if (target === folder || target.startsWith(folder === "/" ? "/" : `${folder}/`)) return [];
  const message = `The ${named} leads to ${displayText(to, 200)}, which is not in the folder of its asset group.`;
  return [violated(message, { subject: `${linkSubject(link)} outside ${groupSubject(group)}` })];
}
