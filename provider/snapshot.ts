import { compared } from "./compared.js";
import type { Credentials, Sealer } from "./mapping.js";
import type {
  CodeRepository,
  Database,
  Environment,
  Project,
  SnapshotCredentials,
  SnapshotDatabaseCredentials,
} from "./project.js";
import type { ProjectReference, ProjectService } from "./projectService.js";

/** A project as it is recorded in a stack's state. */
export interface Snapshot {
  readonly facts: Project;
  /** Left out where they are not wanted. */
  readonly credentials?: SnapshotCredentials;
}

type ClearRepository = CodeRepository & { importRepository: unknown };
type ClearDatabase = Database & Credentials;

/** Keeps the credentials in clear, beside the facts, until {@link takeSnapshot} parts them. */
const clear: Sealer<ClearRepository, ClearDatabase> = {
  repository: (facts, importRepository) => ({ ...facts, importRepository }),
  database: (facts, { username, password }) => ({ ...facts, username, password }),
};

/**
 * Reads a project and parts its facts from its credentials.
 *
 * Lists without a meaningful order come in one that does not depend on the answer's, so that
 * another order is no change.
 */
export async function takeSnapshot(
  service: ProjectService,
  reference: ProjectReference,
  includeCredentials: boolean,
): Promise<Snapshot> {
  const project = await service.readProject(reference, clear);
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
  const facts: Project = {
    ...project,
    codeRepository: project.codeRepository && codeRepository,
    environments: environments.map((environment) => ({
      ...environment,
      databases: environment.databases.map(
        ({ username: _, password: __, ...database }) => database,
      ),
    })),
  };
  if (!includeCredentials) return { facts };
  return {
    facts,
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

/** By what identifies an element, then by all of it: elements that look alike keep one order too. */
function sortedBy<T>(elements: readonly T[], identity: (element: T) => unknown[]): T[] {
  return elements
    .map((element) => ({ element, key: JSON.stringify([...identity(element), element]) }))
    .sort((a, b) => compared(a.key, b.key))
    .map(({ element }) => element);
}

function byOrderAndId(a: Environment<Database>, b: Environment<Database>): number {
  return compared(a.order, b.order) || compared(a.environmentId, b.environmentId);
}
