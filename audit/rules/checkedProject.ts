import {
  type AuditedEnvironment,
  type AuditedProject,
  type IdentifiedProject,
  identifiedProject,
} from "./auditedProject.js";

/** A project as rules see it: all its fields, and no credentials. */
export type CheckedProject = Omit<
  IdentifiedProject,
  "credentials" | "recordsCredentials" | "missingFields"
> & {
  /** The documented fields that the service omits. */
  readonly missingFields: readonly string[];
  /** True for a snapshot that records credentials. */
  readonly recordsCredentials: boolean;
};

/** The copies of {@link checkedProject}, so that checking many rules copies a project once. */
const copies = new WeakSet<object>();

/**
 * Returns a copy of the project for rules. It has the known fields only, so a rule cannot receive a
 * credential: neither a recorded one, nor one that getProject has read, nor one that a policy pack gets
 * decrypted. All rules share the copy, so it is frozen throughout.
 *
 * The fields are written out: a loop over their names takes five times as long.
 *
 * @throws ProjectServiceError `ARGUMENT_INVALID` if the object is not a project.
 */
export function checkedProject(project: AuditedProject): CheckedProject {
  if (copies.has(project)) return project as CheckedProject;
  const { projectId, name, environments, codeRepository, credentials } = identifiedProject(project);
  const copy: AllOf<CheckedProject> = {
    projectId,
    name,
    type: project.type,
    status: project.status,
    domain: project.domain,
    hasCode: project.hasCode,
    hasDatabases: project.hasDatabases,
    hasAssets: project.hasAssets,
    codeRepository: codeRepository && repositoryCopy(codeRepository),
    environments: Object.freeze(environments.map(environmentCopy)),
    missingFields: frozenCopy(project.missingFields ?? []),
    recordsCredentials:
      project.recordsCredentials === true || (credentials ?? undefined) !== undefined,
    inaccessible: project.inaccessible,
  };
  copies.add(copy);
  return Object.freeze(copy) as CheckedProject;
}

/** Returns a copy of a JSON value that no rule can change. */
function frozenCopy<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  const copy: unknown = Array.isArray(value)
    ? value.map(frozenCopy)
    : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, frozenCopy(inner)]));
  return Object.freeze(copy) as T;
}

/** An object that names every property of T. The compiler then asks for a new field of a project. */
type AllOf<T> = { readonly [K in keyof T]-?: T[K] | undefined };

type AuditedRepository = NonNullable<AuditedProject["codeRepository"]>;
type AuditedDatabase = NonNullable<AuditedEnvironment["databases"]>[number];

function repositoryCopy(repository: AuditedRepository): AuditedRepository {
  const copy: AllOf<AuditedRepository> = {
    gitHost: repository.gitHost,
    group: repository.group,
    name: repository.name,
    repositoryId: repository.repositoryId,
    gitProvider: repository.gitProvider,
    sshRepoUrl: repository.sshRepoUrl,
  };
  return Object.freeze(copy);
}

function environmentCopy(environment: AuditedEnvironment): AuditedEnvironment {
  const copy: AllOf<AuditedEnvironment> = {
    environmentId: environment.environmentId,
    order: environment.order,
    branch: frozenCopy(environment.branch),
    currentTag: environment.currentTag,
    webroot: environment.webroot,
    webServer: environment.webServer,
    importBranchOrTag: frozenCopy(environment.importBranchOrTag),
    latestDeploymentPaths: frozenCopy(environment.latestDeploymentPaths),
    deploymentsToKeep: environment.deploymentsToKeep,
    assetGroups: frozenCopy(environment.assetGroups),
    databases: environment.databases && Object.freeze(environment.databases.map(databaseCopy)),
    symLinks: frozenCopy(environment.symLinks),
    deploymentTargetGroupIds: frozenCopy(environment.deploymentTargetGroupIds),
    initialized: frozenCopy(environment.initialized),
    missingFields: frozenCopy(missingFieldsOf(environment)),
  };
  return Object.freeze(copy) as AuditedEnvironment;
}

/** The fields whose absence does not show: the mapping gives an empty list. */
const lists = ["assetGroups", "databases", "latestDeploymentPaths", "symLinks"] as const;

/** Returns the missing fields of an environment, whether it names its undefined lists or not. */
function missingFieldsOf(environment: AuditedEnvironment): readonly string[] {
  const undefinedLists = lists.filter((key) => (environment[key] ?? undefined) === undefined);
  return [...new Set([...(environment.missingFields ?? []), ...undefinedLists])];
}

function databaseCopy(database: AuditedDatabase): AuditedDatabase {
  const copy: AllOf<AuditedDatabase> = {
    name: database.name,
    associationId: database.associationId,
    databaseType: database.databaseType,
    allowedIP: frozenCopy(database.allowedIP),
  };
  return Object.freeze(copy);
}
