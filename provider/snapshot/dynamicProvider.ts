/*
 * The dynamic provider of ProjectSnapshot. The engine starts it in a separate process, from the text
 * in `serializedProvider`. The state of every snapshot contains that text, so every later version of
 * this package must keep this module and its exports `createProvider` and `createProjectsProvider`.
 */
import type * as pulumi from "@pulumi/pulumi";
import type { ProjectService } from "../service/projectService.js";
import { displayText } from "../errors/displayText.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import { unknownValue } from "../wire/pulumiSafeJson.js";
import { checkAddress, printable, secretProperty, serviceIn } from "./refreshTools.js";
import { type Snapshot, takeSnapshot } from "./projectRecord.js";

export { createProjectsProvider } from "./projectsSnapshotProvider.js";

/** The recorded properties that the provider uses. The fields of the project and `credentials` are beside them. */
interface Recorded {
  readonly projectId?: string;
  /** Absent in a resource that the engine reads for `ProjectSnapshot.get`. */
  readonly service?: string | undefined;
  readonly connection?: string | undefined;
  readonly includeCredentials?: boolean | undefined;
}

export function createProvider(): pulumi.dynamic.ResourceProvider<Recorded, Recorded> {
  let config: pulumi.dynamic.Config | undefined;

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
      const { connection, includeCredentials, service: address } = recorded;
      let service: ProjectService | undefined;
      try {
        service = await serviceIn(connection, config);
        if (address !== undefined) checkAddress(service, address);
        const snapshot = await takeUnlessDeleted(service, id, recorded);
        if (snapshot === undefined) return { id: "", props: {} };
        const options = withoutUndefined({ connection, includeCredentials });
        const { project, credentials } = snapshot;
        const secret = { credentials: secretProperty(credentials) };
        const props = withoutUndefined({ ...project, ...options, ...secret, service: address });
        // For `get`, the program has no inputs but the options.
        return { id, props, inputs: address === undefined ? options : { ...props } };
      } catch (error) {
        if (!(error instanceof ProjectServiceError)) throw error;
        const subject = `project ${displayText(id)}`;
        throw printable(error, subject, isRefresh(recorded), service?.warnings);
      }
    },
  };
}

/**
 * Takes a snapshot, or returns `undefined` if the project was deleted.
 *
 * A project counts as deleted only if its read returns 404 and a successful list omits it.
 */
async function takeUnlessDeleted(
  service: ProjectService,
  projectId: string,
  recorded: Recorded,
): Promise<Snapshot | undefined> {
  try {
    return await takeSnapshot(service, { projectId }, recorded.includeCredentials !== false);
  } catch (error) {
    if (!isRefresh(recorded) || !isNotFound(error)) throw error;
    if (await isListed(service, projectId)) throw error;
    return undefined;
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

/** Returns the properties as the program sends them: without `undefined`. */
function withoutUndefined<T extends object>(properties: T): T {
  return JSON.parse(JSON.stringify(properties)) as T;
}
