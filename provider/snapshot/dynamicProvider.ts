/*
 * The dynamic provider of ProjectSnapshot. The engine starts it in a separate process, from the text
 * in `serializedProvider`. The state of every snapshot contains that text, so every later version of
 * this package must keep this module and its exports `createProvider` and `createProjectsProvider`.
 */
import type * as pulumi from "@pulumi/pulumi";
import type { ProjectService } from "../client/projectService.js";
import { displayText } from "../errors/displayText.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import { defaultNamespace } from "../settings/settingSources.js";
import { unknownValue } from "../wire/pulumiSentinels.js";
import { adviceOnRefresh, printable, secretProperty, serviceIn } from "./refresh.js";
import { type Snapshot, takeSnapshot } from "./snapshot.js";

export { createProjectsProvider } from "./projectsProvider.js";

/** The recorded properties that the provider uses. The fields of the project and `credentials` are beside them. */
interface Recorded {
  readonly projectId?: string;
  readonly connection?: string | undefined;
  readonly includeCredentials?: boolean | undefined;
}

export function createProvider(): pulumi.dynamic.ResourceProvider<Recorded, Recorded> {
  let config: pulumi.dynamic.Config | undefined;

  function namesService(namespace = defaultNamespace): boolean {
    return config?.get(`${namespace}:baseUrl`) !== undefined;
  }

  return {
    configure(request) {
      config = request.config;
      return Promise.resolve();
    },

    // The program has read the project. A snapshot never changes the service.
    create: (inputs) => Promise.resolve({ id: inputs.projectId as string, outs: inputs }),
    update: (_id, _olds, news) => Promise.resolve({ outs: news }),
    diff: (id, _olds, { projectId = id }) =>
      // The engine compares the other inputs itself. An id that is not known yet is probably the same.
      Promise.resolve({
        replaces: projectId === id || projectId === unknownValue ? [] : ["projectId"],
      }),

    /** For `pulumi refresh`, which does not run the program, and for `ProjectSnapshot.get`. */
    async read(id, recorded: Recorded = {}) {
      const { connection, includeCredentials } = recorded;
      try {
        const service = await serviceIn(connection, config);
        const snapshot = await takeUnlessDeleted(service, id, recorded, namesService(connection));
        if (snapshot === undefined) return { id: "", props: {} };
        const properties = toProperties(snapshot, { connection, includeCredentials });
        return { id, props: properties, inputs: { ...properties } };
      } catch (error) {
        if (!(error instanceof ProjectServiceError)) throw error;
        throw printable(
          error,
          `project ${displayText(id)}`,
          isRefresh(recorded) ? adviceOnRefresh : "",
        );
      }
    },
  };
}

/**
 * Takes a snapshot, or returns `undefined` if the project was deleted.
 *
 * A project counts as deleted only if its read returns 404 and a successful list omits it.
 *
 * @param namesService whether the recorded config names the service. An environment variable may name
 *   another service today, which has none of the projects.
 */
async function takeUnlessDeleted(
  service: ProjectService,
  projectId: string,
  recorded: Recorded,
  namesService: boolean,
): Promise<Snapshot | undefined> {
  try {
    return await takeSnapshot(service, { projectId }, recorded.includeCredentials !== false);
  } catch (error) {
    if (!isRefresh(recorded) || !isNotFound(error)) throw error;
    if (await isListed(service, projectId)) throw error;
    if (namesService) return undefined;
    throw new ProjectServiceError(
      "NOT_FOUND",
      `${error.message} The project stays in the state, because the stack's config does not contain baseUrl: PROJECT_SERVICE_BASE_URL may name another service than before. Run pulumi config set ${defaultNamespace}:baseUrl <value>, then pulumi up --refresh=false.`,
      { projectId, status: error.status, url: error.url },
    );
  }
}

/** Tells a refresh from `ProjectSnapshot.get`, for which nothing is recorded yet. */
function isRefresh({ projectId }: Recorded): boolean {
  return projectId !== undefined;
}

function isNotFound(error: unknown): error is ProjectServiceError {
  return error instanceof ProjectServiceError && error.code === "NOT_FOUND";
}

async function isListed(service: ProjectService, projectId: string): Promise<boolean> {
  return (await service.listProjects()).some((project) => project.projectId === projectId);
}

/** Returns the properties as the program sends them: without `undefined`, and with one secret. */
function toProperties({ project, credentials }: Snapshot, recorded: Recorded): Recorded {
  const properties = { ...project, ...recorded, credentials: secretProperty(credentials) };
  return JSON.parse(JSON.stringify(properties)) as Recorded;
}
