import { listed } from "../../provider/shown.js";
import type { AuditedEnvironment } from "../auditedProject.js";
import { defineRule, type Problem, type Rule, unknown, violated } from "../rule.js";
import { checkOptions } from "../ruleOptions.js";

/** This rule has no options. */
export type LinkedAssetsOptions = Record<string, never>;

/**
 * Every asset group names a symlink of its environment, and that symlink names it; and the other way
 * around.
 *
 * Unknown where the service leaves out which one is named, and for a project that says it has assets
 * and lists none of them in any environment.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` for options: there are none.
 */
export function linkedAssets(options: LinkedAssetsOptions = {}): Rule {
  checkOptions("linkedAssets", options, []);
  return defineRule({
    name: "linked-assets",
    description: "Asset groups and symlinks of an environment refer to each other.",
    reason:
      "Assets that no symlink leads to are not served, and a symlink without assets leads nowhere.",
    remedy: "Create the missing symlink or asset group in the Project Service, or remove the rest.",
    ofProject: ({ hasAssets, environments }) =>
      hasAssets === true && !environments.some(({ assetGroups }) => assetGroups?.length)
        ? [unknown("The service says that it has assets, and lists none.")]
        : [],
    ofEnvironment: (environment) => {
      const groups = groupsOf(environment);
      const links = linksOf(environment);
      return [
        ...problems("asset group", "symlink", groups, links),
        ...problems("symlink", "asset group", links, groups),
      ];
    },
  });
}

interface Reference {
  readonly id: string;
  /** Undefined where the service does not say. */
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

function problems(what: string, other: string, own: Reference[], others: Reference[]): Problem[] {
  const unclear = own.filter(({ to }) => to === undefined);
  const broken = own.filter(
    ({ id, to }) =>
      to !== undefined && !others.some((link) => link.id === to && (link.to ?? id) === id),
  );
  const named = (references: Reference[]) =>
    `${what}${references.length === 1 ? "" : "s"} ${listed(references.map(({ id }) => id).sort())}`;
  return [
    ...(broken.length === 0 ? [] : [violated(`No ${other} belongs to ${named(broken)}.`)]),
    ...(unclear.length === 0
      ? []
      : [unknown(`Which ${other} belongs to ${named(unclear)}, the service does not say.`)]),
  ];
}
