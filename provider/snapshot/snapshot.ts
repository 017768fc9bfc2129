import { compareValues } from "../model/compareValues.js";
import type { Credentials, CredentialsMapper } from "../wire/mapping.js";
import type {
  CodeRepository,
  Database,
  Environment,
  Project,
  SnapshotCredentials,
  SnapshotDatabaseCredentials,
} from "../model/project.js";
import type { ProjectReference, ProjectService } from "../client/projectService.js";

/** A project as a stack's state records it. */
export interface Snapshot {
  readonly project: Project;
  /** Absent with `includeCredentials: false`. */
  readonly credentials?: SnapshotCredentials;
}

type ClearRepository = CodeRepository & { importRepository: unknown };
type ClearDatabase = Database & Credentials;

/** Keeps the credentials in clear, until {@link takeSnapshot} separates them from the project. */
const inClear: CredentialsMapper<ClearRepository, ClearDatabase> = {
  repository: (repository, importRepository) => ({ ...repository, importRepository }),
  database: (database, { username, password }) => ({ ...database, username, password }),
};

/**
 * Reads a project, and separates it from its credentials.
 *
 * Lists without a meaningful order are sorted, so that another order in the response is no drift.
 */
export async function takeSnapshot(
  service: ProjectService,
  reference: ProjectReference,
  includeCredentials: boolean,
): Promise<Snapshot> {
  const project = await service.readProject(reference, inClear);
  const environments = project.environments
    .map((environment) => ({
      ...environment,
      assetGroups: sortedBy(environment.assetGroups, ({ id }) => [id]),
      databases: sortedBy(environment.databases, ({ name, associationId }) => [
        name,
        associationId,
      ]),
      symLinks: sortedBy(environment.symLinks, ({ id }) => [id]),
    }))
    .sort(byOrderAndId);
  const { importRepository, ...codeRepository } = project.codeRepository ?? {};
  const recorded: Project = {
    ...project,
    codeRepository: project.codeRepository && codeRepository,
    environments: environments.map((environment) => ({
      ...environment,
      databases: environment.databases.map(
        ({ username: _, password: __, ...database }) => database,
      ),
    })),
  };
  if (!includeCredentials) return { project: recorded };
  return {
    project: recorded,
    credentials: { databases: credentialsByEnvironment(environments), importRepository },
  };
}

function credentialsByEnvironment(
  environments: readonly Environment<ClearDatabase>[],
): SnapshotCredentials["databases"] {
  return Object.fromEntries(
    environments.map(({ environmentId, databases }) => [
      environmentId,
      databases.map(({ associationId, name, username, password }): SnapshotDatabaseCredentials => ({
        associationId,
        name,
        username,
        password,
      })),
    ]),
  );
}

/** Sorts by identity, then by content, so that elements with equal identity have one order too. */
function sortedBy<T>(elements: readonly T[], identity: (element: T) => unknown[]): T[] {
  return elements
    .map((element) => ({ element, key: JSON.stringify([...identity(element), element]) }))
    .sort((a, b) => compareValues(a.key, b.key))
    .map(({ element }) => element);
}

function byOrderAndId(a: Environment<Database>, b: Environment<Database>): number {
  return compareValues(a.order, b.order) || compareValues(a.environmentId, b.environmentId);
}
