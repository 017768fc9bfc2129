import type {
  AssetGroup,
  CodeRepository,
  Database,
  Environment,
  Project,
  ProjectSummary,
  SymLink,
} from "./project.js";
import type {
  WireAssetGroup,
  WireDatabase,
  WireEnvironment,
  WireProject,
  WireProjectSummary,
  WireSymLink,
} from "./schemas.js";
import { checkKey, checkOpaque } from "./checkOpaque.js";
import { InvalidAnswer } from "./validate.js";

/** Clear-text credentials of a database, on their way from the answer into a {@link Sealer}. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/**
 * Decides what becomes of the secrets: nothing in this package holds them in clear in an object
 * that a program can print, except through a sealer of its own. The facts are the sealer's to change.
 */
export interface Sealer<R extends CodeRepository, D extends Database> {
  readonly repository: (facts: CodeRepository, importRepository: unknown) => R;
  readonly database: (facts: Database, credentials: Credentials) => D;
}

/** From the document's shape to ours: see the table in the README. */
export function mapProject<R extends CodeRepository, D extends Database>(
  wire: WireProject,
  sealer: Sealer<R, D>,
): Project<R, D> {
  return {
    projectId: wire._id,
    name: wire.name,
    type: given(wire.type),
    status: given(wire.status),
    domain: given(wire.domain),
    hasCode: given(wire.hasCode),
    hasDatabases: given(wire.hasDatabases),
    hasAssets: given(wire.hasAssets),
    codeRepository: mapRepository(wire.codeRepository, sealer.repository),
    environments: mapEnvironments(wire.projectEnvironments ?? [], sealer),
  };
}

function mapEnvironments<R extends CodeRepository, D extends Database>(
  wires: readonly WireEnvironment[],
  sealer: Sealer<R, D>,
): Environment<D>[] {
  const ids = new Set<string>();
  return wires
    .map((wire, index) => {
      const place = `projectEnvironments[${index}]`;
      const { environmentId } = wire;
      // Whoever asks for an environment by its id would get one of two.
      if (ids.has(environmentId)) throw new InvalidAnswer(`${place}.environmentId comes twice`);
      ids.add(environmentId);
      return mapEnvironment(wire, place, sealer.database);
    })
    .sort(byOrder);
}

export function mapSummary(wire: WireProjectSummary): ProjectSummary {
  return {
    projectId: wire._id,
    name: wire.name,
    type: given(wire.type),
    status: given(wire.status),
    domain: given(wire.domain),
  };
}

function mapRepository<R extends CodeRepository>(
  wire: WireProject["codeRepository"],
  seal: Sealer<R, Database>["repository"],
): R {
  if (!wire) return given<R>(undefined);
  const facts: CodeRepository = {
    gitHost: given(wire.gitHost),
    group: given(wire.group),
    name: given(wire.name),
    repositoryId: given(wire.repositoryId),
    gitProvider: given(wire.gitProvider),
    sshRepoUrl: given(wire.sshrepoUrl),
  };
  return seal(facts, checkOpaque(wire.importRepository, "codeRepository.importRepository"));
}

function mapEnvironment<D extends Database>(
  wire: WireEnvironment,
  place: string,
  seal: Sealer<CodeRepository, D>["database"],
): Environment<D> {
  checkKey(wire.environmentId, `${place}.environmentId`);
  const code = wire.projectEnvironmentCode;
  const assets = wire.projectEnvironmentAssets;
  const databases = wire.projectEnvironmentDatabases;
  return {
    environmentId: wire.environmentId,
    order: given(wire.order),
    branch: given(
      code?.branch && { name: given(code.branch.name), guarded: given(code.branch.guarded) },
    ),
    currentTag: given(code?.currentTag),
    webroot: given(code?.webroot),
    webServer: given(code?.webServer),
    importBranchOrTag: checkOpaque(
      code?.importBranchOrTag,
      `${place}.projectEnvironmentCode.importBranchOrTag`,
    ),
    latestDeploymentPaths: (code?.latestDeploymentPaths ?? []).map((path) =>
      checkOpaque(path, `${place}.projectEnvironmentCode.latestDeploymentPaths`),
    ),
    deploymentsToKeep: given(code?.deploymentsToKeep),
    assetGroups: (assets?.assetGroups ?? []).map(mapAssetGroup),
    databases: (databases?.databases ?? []).map((database) =>
      mapDatabase(database, `${place}.projectEnvironmentDatabases.databases`, seal),
    ),
    symLinks: (wire.symLinks ?? []).map(mapSymLink),
    deploymentTargetGroupIds: {
      code: given(code?.deploymentTargetGroupId),
      assets: given(assets?.deploymentTargetGroupId),
      databases: given(databases?.deploymentTargetGroupId),
    },
    initialized: {
      code: checkOpaque(code?.initialized, `${place}.projectEnvironmentCode.initialized`),
      assets: checkOpaque(assets?.initialized, `${place}.projectEnvironmentAssets.initialized`),
      databases: given(databases?.initialized),
    },
  };
}

function mapAssetGroup(wire: WireAssetGroup): AssetGroup {
  return {
    id: wire.id,
    path: given(wire.path),
    title: given(wire.title),
    associationId: given(wire.associationId),
    symLinkId: given(wire.symLinkId),
  };
}

function mapDatabase<D extends Database>(
  wire: WireDatabase,
  place: string,
  seal: Sealer<CodeRepository, D>["database"],
): D {
  const facts: Database = {
    name: wire.name,
    associationId: given(wire.associationId),
    databaseType: given(wire.databaseType),
    allowedIP: checkOpaque(wire.allowedIP, `${place}.allowedIP`),
  };
  return seal(facts, wire);
}

function mapSymLink(wire: WireSymLink): SymLink {
  return {
    id: wire.id,
    to: given(wire.to),
    from: given(wire.from),
    assetGroupId: given(wire.assetGroupId),
  };
}

/**
 * The types follow the document, where every field is present; what an answer lacks all the same is
 * `undefined` at run time, never an invented value.
 */
function given<T>(value: T | null | undefined): T {
  return (value ?? undefined) as T;
}

/** Environments without an order come last, in the order of the answer. */
function byOrder(a: Environment, b: Environment): number {
  return (a.order ?? Infinity) - (b.order ?? Infinity) || 0;
}
