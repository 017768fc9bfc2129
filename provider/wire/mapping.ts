import { compareValues } from "../model/compareValues.js";
import type {
  AssetGroup,
  Branch,
  CodeRepository,
  Database,
  Environment,
  Project,
  ProjectSummary,
  SymLink,
} from "../model/project.js";
import type {
  WireAssetGroup,
  WireDatabase,
  WireEnvironment,
  WireProject,
  WireProjectSummary,
  WireSymLink,
} from "./schemas.js";
import { checkPulumiSafeKey, pulumiSafeJson } from "./pulumiSafeJson.js";
import { InvalidResponseError } from "../errors/internalErrors.js";

/** Credentials of a database, in clear text. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/**
 * Decides what becomes of credentials. Without a mapper, no object of this package has credentials in
 * a property. A mapper may change the object that it receives.
 */
export interface CredentialsMapper<R extends CodeRepository, D extends Database> {
  readonly repository: (repository: CodeRepository, importRepository: unknown) => R;
  readonly database: (database: Database, credentials: Credentials) => D;
}

/** Leaves out the credentials and their keys. */
export const withoutCredentials: CredentialsMapper<CodeRepository, Database> = {
  repository: (repository) => repository,
  database: (database) => database,
};

/**
 * Maps a project from the service's shape to ours. docs/functions.md documents the rule.
 *
 * A field that the response omits is `undefined`. Lists without a meaningful order are sorted, so
 * that another order in the response changes nothing. They are sorted in `wire` itself.
 */
export function mapProject<R extends CodeRepository, D extends Database>(
  wire: WireProject,
  mapper: CredentialsMapper<R, D>,
): Project<R, D> {
  const { codeRepository: repository } = wire;
  const importRepository = pulumiSafeJson(
    repository?.importRepository,
    "codeRepository.importRepository",
  );
  const project = {
    projectId: wire._id,
    name: wire.name,
    type: wire.type ?? absent,
    status: wire.status ?? absent,
    domain: wire.domain ?? absent,
    hasCode: wire.hasCode ?? absent,
    hasDatabases: wire.hasDatabases ?? absent,
    hasAssets: wire.hasAssets ?? absent,
    codeRepository: mapRepository(repository),
    environments: mapEnvironments(wire.projectEnvironments ?? [], mapper.database),
  };
  const missingFields = missingIn(project, { environments: wire.projectEnvironments });
  if (repository && importRepository === undefined) {
    missingFields.push("codeRepository.importRepository");
  }
  return {
    ...project,
    codeRepository: repository
      ? mapper.repository(project.codeRepository, importRepository)
      : absent,
    missingFields: missingFields.sort(),
  };
}

/**
 * Returns the paths of the fields that a response omits.
 *
 * @param mapped in which a missing field is undefined. Objects in it are searched too.
 * @param lists the lists of the response. In `mapped` a missing list is empty.
 */
function missingIn(mapped: object, lists: Readonly<Record<string, unknown>>): string[] {
  const missing = Object.keys(lists).filter((key) => (lists[key] ?? undefined) === undefined);
  for (const [key, value] of Object.entries(mapped) as [string, unknown][]) {
    if (value === undefined) missing.push(key);
    if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
    for (const [innerKey, inner] of Object.entries(value)) {
      if (inner === undefined) missing.push(`${key}.${innerKey}`);
    }
  }
  return missing;
}

function mapEnvironments<D extends Database>(
  wires: readonly WireEnvironment[],
  mapDatabase: DatabaseMapper<D>,
): Environment<D>[] {
  const ids = new Set<string>();
  return wires
    .map((wire, index) => {
      const place = `projectEnvironments[${index}]`;
      const { environmentId } = wire;
      // A program that asks for an environment by its id would get one of two.
      if (ids.has(environmentId)) {
        throw new InvalidResponseError(`${place}.environmentId is not unique`);
      }
      ids.add(environmentId);
      sortLists(wire);
      return mapEnvironment(wire, place, mapDatabase);
    })
    .sort(byOrderAndId);
}

export function mapSummary(wire: WireProjectSummary): ProjectSummary {
  return {
    projectId: wire._id,
    name: wire.name,
    type: wire.type ?? absent,
    status: wire.status ?? absent,
    domain: wire.domain ?? absent,
  };
}

/** The value of a missing field. The types follow the document, in which every field is present. */
const absent = undefined as never;

type WireBranch = NonNullable<WireEnvironment["projectEnvironmentCode"]>["branch"];
type DatabaseMapper<D extends Database> = CredentialsMapper<CodeRepository, D>["database"];

function mapRepository(wire: WireProject["codeRepository"]): CodeRepository {
  if (!wire) return absent;
  return {
    gitHost: wire.gitHost ?? absent,
    group: wire.group ?? absent,
    name: wire.name ?? absent,
    repositoryId: wire.repositoryId ?? absent,
    gitProvider: wire.gitProvider ?? absent,
    sshRepoUrl: wire.sshrepoUrl ?? absent,
  };
}

function mapEnvironment<D extends Database>(
  wire: WireEnvironment,
  place: string,
  withCredentials: DatabaseMapper<D>,
): Environment<D> {
  checkPulumiSafeKey(wire.environmentId, `${place}.environmentId`);
  const code = wire.projectEnvironmentCode;
  const assets = wire.projectEnvironmentAssets;
  const databases = wire.projectEnvironmentDatabases;
  const environment = {
    environmentId: wire.environmentId,
    order: wire.order ?? absent,
    branch: mapBranch(code?.branch),
    currentTag: code?.currentTag ?? absent,
    webroot: code?.webroot ?? absent,
    webServer: code?.webServer ?? absent,
    importBranchOrTag: pulumiSafeJson(
      code?.importBranchOrTag,
      `${place}.projectEnvironmentCode.importBranchOrTag`,
    ),
    latestDeploymentPaths: (code?.latestDeploymentPaths ?? []).map((path) =>
      pulumiSafeJson(path, `${place}.projectEnvironmentCode.latestDeploymentPaths`),
    ),
    deploymentsToKeep: code?.deploymentsToKeep ?? absent,
    assetGroups: (assets?.assetGroups ?? []).map(mapAssetGroup),
    databases: (databases?.databases ?? []).map((database) =>
      withCredentials(
        mapDatabase(database, `${place}.projectEnvironmentDatabases.databases`),
        database,
      ),
    ),
    symLinks: (wire.symLinks ?? []).map(mapSymLink),
    deploymentTargetGroupIds: {
      code: code?.deploymentTargetGroupId ?? absent,
      assets: assets?.deploymentTargetGroupId ?? absent,
      databases: databases?.deploymentTargetGroupId ?? absent,
    },
    initialized: {
      code: pulumiSafeJson(code?.initialized, `${place}.projectEnvironmentCode.initialized`),
      assets: pulumiSafeJson(assets?.initialized, `${place}.projectEnvironmentAssets.initialized`),
      databases: databases?.initialized ?? absent,
    },
  };
  const missingFields = missingIn(environment, {
    latestDeploymentPaths: code?.latestDeploymentPaths,
    assetGroups: assets?.assetGroups,
    databases: databases?.databases,
    symLinks: wire.symLinks,
  });
  return { ...environment, missingFields: missingFields.sort() };
}

function mapBranch(wire: WireBranch): Branch {
  return wire ? { name: wire.name ?? absent, guarded: wire.guarded ?? absent } : absent;
}

function mapAssetGroup(wire: WireAssetGroup): AssetGroup {
  return {
    id: wire.id,
    path: wire.path ?? absent,
    title: wire.title ?? absent,
    associationId: wire.associationId ?? absent,
    symLinkId: wire.symLinkId ?? absent,
  };
}

function mapDatabase(wire: WireDatabase, place: string): Database {
  pulumiSafeJson(wire.allowedIP, `${place}.allowedIP`);
  return databaseFields(wire);
}

function databaseFields(wire: WireDatabase): Database {
  return {
    name: wire.name,
    associationId: wire.associationId ?? absent,
    databaseType: wire.databaseType ?? absent,
    allowedIP: wire.allowedIP,
  };
}

function mapSymLink(wire: WireSymLink): SymLink {
  return {
    id: wire.id,
    to: wire.to ?? absent,
    from: wire.from ?? absent,
    assetGroupId: wire.assetGroupId ?? absent,
  };
}

/** Environments without an order come last. */
function byOrderAndId(a: Environment, b: Environment): number {
  return compareValues(a.order, b.order) || compareValues(a.environmentId, b.environmentId);
}

/** Sorts the lists that have no meaningful order. */
function sortLists(wire: WireEnvironment): void {
  sortList(wire.projectEnvironmentAssets?.assetGroups, byId, mapAssetGroup);
  sortList(wire.projectEnvironmentDatabases?.databases, byNameAndAssociation, databaseContent);
  sortList(wire.symLinks, byId, mapSymLink);
}

/** Sorts a list in place. The content decides among equal elements, so that they have one order too. */
function sortList<T>(
  list: T[] | null | undefined,
  compare: (a: T, b: T) => number,
  contentOf: (wire: T) => unknown,
): void {
  const texts = new Map<T, string>();
  function textOf(wire: T): string {
    const text = texts.get(wire) ?? JSON.stringify(contentOf(wire));
    texts.set(wire, text);
    return text;
  }
  list?.sort((a, b) => compare(a, b) || compareValues(textOf(a), textOf(b)));
}

function byId(a: { id: string }, b: { id: string }): number {
  return compareValues(a.id, b.id);
}

function byNameAndAssociation(a: WireDatabase, b: WireDatabase): number {
  return (
    compareValues(a.name, b.name) ||
    compareValues(a.associationId ?? undefined, b.associationId ?? undefined)
  );
}

function databaseContent(wire: WireDatabase): unknown {
  return [databaseFields(wire), wire.username, wire.password];
}
