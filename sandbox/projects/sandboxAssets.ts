import { posix } from "node:path";
import { projectFields } from "../../provider/model/fields.js";
import { complete, type DeepPartial, givenList, givenObject } from "./givenFields.js";
import { nameAll } from "./invented.js";
import { emptyOf, type SandboxEnvironment } from "./project.js";

const environmentFields = projectFields.environments.of;

type Assets = SandboxEnvironment["projectEnvironmentAssets"];
type AssetGroup = Assets["assetGroups"][number];
type SymLink = SandboxEnvironment["symLinks"][number];

/** The environment of the assets, and its fields that decide their defaults. */
export interface AssetsContext {
  /** For messages. */
  readonly place: string;
  readonly environmentId: string;
  readonly idPrefix: string;
  readonly root: string;
  readonly webroot: string;
  readonly firstAssociationId: number;
  readonly hasAssets: boolean;
  /** The default of `initialized` if there are asset groups. */
  readonly initialized: string | null;
}

/** Returns the assets and the symlinks of an environment. Each asset group gets a symlink, and vice versa. */
export function completeAssets(
  assetFields: DeepPartial<Assets> | undefined,
  linkFields: readonly DeepPartial<SymLink>[] | undefined,
  context: AssetsContext,
): { assets: Assets; symLinks: SymLink[] } {
  const { environmentId, idPrefix, root, webroot, firstAssociationId } = context;
  const place = `${context.place}.projectEnvironmentAssets`;
  const { assetGroups, ...given } = givenObject(assetFields, place);
  const groupsPlace = `${place}.assetGroups`;
  const linksPlace = `${context.place}.symLinks`;
  const givenLinks = givenList(linkFields, linksPlace);
  const groups: readonly DeepPartial<AssetGroup>[] =
    givenList(assetGroups, groupsPlace) ??
    givenLinks?.map(({ assetGroupId }) => ({ id: assetGroupId })) ??
    (context.hasAssets ? [{}] : []);
  const links: readonly DeepPartial<SymLink>[] =
    givenLinks ?? groups.map(({ symLinkId }) => ({ id: symLinkId }));
  const groupIds = idsOf(groups, `${idPrefix}-asset`);
  const linkIds = idsOf(links, `${idPrefix}-link`);
  const linkOfGroup = pairUp(groups, groupIds, links, linkIds);
  const groupOfLink = (index: number) => linkOfGroup.indexOf(index);

  const completedGroups = groups.map((group, index) => {
    const link = linkOfGroup[index];
    const path =
      group.path ??
      (link === undefined ? undefined : links[link]?.to) ??
      `${root}/shared/${group.title ?? titleOf(index)}`;
    return complete<AssetGroup>(
      {
        ...emptyOf(environmentFields.assetGroups.of),
        id: groupIds[index] as string,
        path,
        title: posix.basename(path),
        associationId: firstAssociationId + index,
        symLinkId: (link === undefined ? undefined : linkIds[link]) ?? `${idPrefix}-link-${index}`,
      },
      group,
      `${groupsPlace}[${index}]`,
    );
  });
  const symLinks = links.map((link, index) => {
    const group = completedGroups[groupOfLink(index)];
    const title = group?.title ?? titleOf(index);
    return complete<SymLink>(
      {
        ...emptyOf(environmentFields.symLinks.of),
        id: linkIds[index] as string,
        to: group?.path ?? `${root}/shared/${title}`,
        from: `${webroot}/${title}`,
        assetGroupId: group?.id ?? `${idPrefix}-asset-${index}`,
      },
      link,
      `${linksPlace}[${index}]`,
    );
  });
  const assets = complete<Assets>(
    {
      ...emptyOf(environmentFields).projectEnvironmentAssets,
      deploymentTargetGroupId: `tg-${environmentId}-assets`,
      assetGroups: completedGroups,
      initialized: groups.length > 0 ? context.initialized : null,
    },
    given,
    place,
  );
  return { assets, symLinks };
}

function titleOf(index: number): string {
  return index === 0 ? "media" : `media-${index + 1}`;
}

function idsOf(
  elements: readonly { readonly id?: string | undefined }[],
  prefix: string,
): string[] {
  return nameAll(
    elements.map(({ id }) => id),
    (number) => `${prefix}-${number}`,
  );
}

/**
 * Returns the index of the symlink of each asset group, if it has one: first those that name each
 * other, then the others in their order.
 */
function pairUp(
  groups: readonly DeepPartial<AssetGroup>[],
  groupIds: readonly string[],
  links: readonly DeepPartial<SymLink>[],
  linkIds: readonly string[],
): (number | undefined)[] {
  const named = groups.map(({ symLinkId }, group) => {
    const link = links.findIndex(
      ({ assetGroupId }, index) =>
        assetGroupId === groupIds[group] ||
        (symLinkId !== undefined && symLinkId === linkIds[index]),
    );
    return link === -1 ? undefined : link;
  });
  const others = links
    .map((_, index) => index)
    .filter((index) => !named.includes(index) && links[index]?.assetGroupId === undefined);
  return groups.map(({ symLinkId }, group) =>
    named[group] !== undefined || symLinkId !== undefined ? named[group] : others.shift(),
  );
}
