import { argumentInvalid } from "../../provider/errors/argumentInvalid.js";
import type { Environment, InaccessibleProject, Project } from "../../provider/model/project.js";
import {
  projectsSnapshotType,
  projectSnapshotType,
} from "../../provider/snapshot/snapshotResource.js";

/** Data from a response or a state. Every part of it may be missing. */
type Recorded<T> = T extends (infer E)[]
  ? readonly Recorded<E>[]
  : T extends object
    ? { readonly [K in keyof T]?: Recorded<T[K]> | null | undefined }
    : T;

/**
 * A project to check: a result of getProject, the properties of a ProjectSnapshot, a project of a
 * ProjectsSnapshot, or any object of the same shape.
 */
export type ProjectToCheck = Recorded<Project> & {
  /**
   * A ProjectSnapshot has this property unless it records without credentials. Rules never receive it.
   */
  readonly credentials?: unknown;
  /** Whether the project comes with recorded credentials, for an object without the property `credentials`. */
  readonly recordsCredentials?: boolean | undefined;
  /** The error code, such as `FORBIDDEN`, of a project that a ProjectsSnapshot could not read. */
  readonly inaccessible?: string | undefined;
};

/** A project as rules see it: all its fields, and no credentials. */
export type AuditedProject = Omit<
  ProjectToCheck,
  keyof Identified | "credentials" | "recordsCredentials" | "missingFields"
> &
  Identified & {
    /** The documented fields that the service omits. */
    readonly missingFields: readonly string[];
    /** True for a snapshot that records credentials. */
    readonly recordsCredentials: boolean;
  };

/** An environment as rules see it. */
export type AuditedEnvironment = Recorded<Environment> & { readonly environmentId: string };

/** The fields that every finding needs. */
interface Identified {
  readonly projectId: string;
  readonly name: string;
  readonly environments: readonly AuditedEnvironment[];
}

/** The copies of {@link auditedProject}, so that checking many rules copies a project once. */
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
export function auditedProject(project: ProjectToCheck): AuditedProject {
  if (copies.has(project)) return project as AuditedProject;
  if (!isIdentified(project)) {
    throw argumentInvalid(
      "Checking a project failed: the object is not a project. It needs projectId, name and environments, each with an environmentId. Pass a result of getProject or the properties of a ProjectSnapshot.",
    );
  }
  const { projectId, name, environments, codeRepository, credentials } = project;
  const copy: AllOf<AuditedProject> = {
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
  return Object.freeze(copy) as AuditedProject;
}

/**
 * Returns the projects that a resource records, without their credentials: one of a ProjectSnapshot,
 * all of a ProjectsSnapshot. The list is empty for a resource that records no projects, so a policy can
 * call this function for every resource.
 *
 * A project that a ProjectsSnapshot could not read has its id as its name, no environments, and
 * `inaccessible`. Each rule about the service then returns a finding with the state `unknown`.
 *
 * @param type the resource type.
 * @param props the properties of the resource, as a policy gets them.
 * @throws ProjectServiceError `ARGUMENT_INVALID` if the resource should record projects but does not.
 *
 * @example
 * for (const project of auditedProjects(type, props))
 *   for (const finding of rule.check(project)) report(sentenceOf(finding));
 */
export function auditedProjects(
  type: string,
  props: Readonly<Record<string, unknown>>,
): AuditedProject[] {
  if (type === projectSnapshotType) return [auditedProject(props)];
  if (type === projectsSnapshotType) return projectsOf(props);
  return [];
}

function projectsOf(props: Readonly<Record<string, unknown>>): AuditedProject[] {
  const { projects, inaccessible, credentials } = props;
  if (typeof projects !== "object" || projects === null || !Array.isArray(inaccessible)) {
    throw argumentInvalid(
      "Checking projects failed: the properties are not those of a ProjectsSnapshot. They need projects and inaccessible.",
    );
  }
  const recordsCredentials = (credentials ?? undefined) !== undefined;
  return [
    ...Object.values(projects as Record<string, ProjectToCheck>).map((project) =>
      auditedProject({ ...project, recordsCredentials }),
    ),
    ...(inaccessible as readonly Partial<InaccessibleProject>[]).map(({ projectId, code }) =>
      auditedProject({ projectId, name: projectId, environments: [], inaccessible: code }),
    ),
  ];
}

/** Without this check, an object that is not a project could pass the rules. */
function isIdentified(project: object): project is ProjectToCheck & Identified {
  const { projectId, name, environments } = project as Partial<Identified>;
  return (
    typeof projectId === "string" &&
    typeof name === "string" &&
    Array.isArray(environments) &&
    environments.every(
      (environment: AuditedEnvironment | null) => typeof environment?.environmentId === "string",
    )
  );
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

/** Returns the missing fields of an environment. If it does not say, its undefined lists are missing. */
function missingFieldsOf(environment: AuditedEnvironment): readonly string[] {
  const { missingFields } = environment;
  return missingFields ?? lists.filter((key) => (environment[key] ?? undefined) === undefined);
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
