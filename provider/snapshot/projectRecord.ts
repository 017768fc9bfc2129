import type { ProjectReference, ProjectService } from "../service/projectService.js";
import type {
  CodeRepository,
  Database,
  Environment,
  Project,
  SnapshotCredentials,
  SnapshotDatabaseCredentials,
} from "../model/project.js";
import { inClear, withoutCredentials } from "../wire/mapping.js";
import { missingCredential } from "../wire/missingCredential.js";

/** A project as a stack's state records it. */
export interface Snapshot {
  readonly project: Project;
  /** Absent with `includeCredentials: false`. */
  readonly credentials?: SnapshotCredentials;
}

type ClearRepository = CodeRepository & { importRepository: unknown };
type ClearDatabase = Database & { username: string; password: string };

/** Reads a project, and separates it from its credentials. */
export async function takeSnapshot(
  service: ProjectService,
  reference: ProjectReference,
  includeCredentials: boolean,
): Promise<Snapshot> {
  // `separate` also takes projects that have no credentials.
  const mapper = includeCredentials ? inClear : (withoutCredentials as typeof inClear);
  return separate(await service.readProject(reference, mapper), includeCredentials);
}

/**
 * Separates a project from its credentials.
 *
 * @throws ProjectServiceError `RESPONSE_INVALID` if a database has no user name or no password.
 */
export function separate(
  project: Project<ClearRepository, ClearDatabase>,
  includeCredentials: boolean,
): Snapshot {
  const { environments } = project;
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
    credentials: {
      projectId: project.projectId,
      databases: credentialsByEnvironment(environments),
      // A repository without this field may have nothing to import.
      importRepository: project.missingFields?.includes("codeRepository.importRepository")
        ? undefined
        : importRepository,
    },
  };
}

function credentialsByEnvironment(
  environments: readonly Environment<ClearDatabase>[],
): SnapshotCredentials["databases"] {
  return Object.fromEntries(
    environments.map(({ environmentId, databases }) => [
      environmentId,
      databases.map(({ associationId, name, ...database }): SnapshotDatabaseCredentials => {
        const credential = (key: "username" | "password"): string => {
          if (database[key]) return database[key];
          throw missingCredential(key, "the database", name);
        };
        return {
          associationId,
          name,
          username: credential("username"),
          password: credential("password"),
        };
      }),
    ]),
  );
}
