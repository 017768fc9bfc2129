import type { ProjectReference, ProjectService } from "../service/projectService.js";
import type {
  CodeRepository,
  Database,
  Environment,
  Project,
  SnapshotCredentials,
  SnapshotDatabaseCredentials,
} from "../model/project.js";
import { inClear } from "../wire/mapping.js";

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
  return separate(await service.readProject(reference, inClear), includeCredentials);
}

/** Separates a project from its credentials. */
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
      importRepository,
    },
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
