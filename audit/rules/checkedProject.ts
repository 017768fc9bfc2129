import {
  type AuditedEnvironment,
  type AuditedProject,
  type IdentifiedProject,
  identifiedProject,
} from "./auditedProject.js";

/** A project as rules see it: all its fields, and no credentials. */
export type CheckedProject = Omit<IdentifiedProject, "credentials" | "recordsCredentials"> & {
  /** True for a snapshot that records credentials. */
  readonly recordsCredentials: boolean;
};

/** The copies of {@link checkedProject}, so that checking many rules copies a project once. */
const copies = new WeakSet<object>();

/**
 * Returns a copy of the project for rules. It has the known fields only, so a rule cannot receive a
 * credential: neither a recorded one, nor one that getProject has read, nor one that a policy pack gets
 * decrypted. All rules share the copy, so it is frozen.
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
    missingFields: missingFieldsOf(project, []),
    recordsCredentials:
      project.recordsCredentials === true || (credentials ?? undefined) !== undefined,
    inaccessible: project.inaccessible,
  };
  copies.add(copy);
  return Object.freeze(copy) as CheckedProject;
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
    branch: environment.branch,
    currentTag: environment.currentTag,
    webroot: environment.webroot,
    webServer: environment.webServer,
    importBranchOrTag: environment.importBranchOrTag,
    latestDeploymentPaths: environment.latestDeploymentPaths,
    deploymentsToKeep: environment.deploymentsToKeep,
    assetGroups: environment.assetGroups,
    databases: environment.databases && Object.freeze(environment.databases.map(databaseCopy)),
    symLinks: environment.symLinks,
    deploymentTargetGroupIds: environment.deploymentTargetGroupIds,
    initialized: environment.initialized,
    missingFields: missingFieldsOf(environment, listsOfEnvironment),
  };
  return Object.freeze(copy) as AuditedEnvironment;
}

const listsOfEnvironment = [
  "assetGroups",
  "databases",
  "latestDeploymentPaths",
  "symLinks",
] as const satisfies (keyof AuditedEnvironment)[];

/** Returns the missing fields of an object. If it does not say, its undefined lists are missing. */
function missingFieldsOf<
  T extends { readonly missingFields?: readonly string[] | null | undefined },
>(object: T, lists: readonly (keyof T & string)[]): readonly string[] {
  return object.missingFields ?? lists.filter((key) => (object[key] ?? undefined) === undefined);
}

function databaseCopy(database: AuditedDatabase): AuditedDatabase {
  const copy: AllOf<AuditedDatabase> = {
    name: database.name,
    associationId: database.associationId,
    databaseType: database.databaseType,
    allowedIP: database.allowedIP,
  };
  return Object.freeze(copy);
}
