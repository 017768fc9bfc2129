import type * as pulumi from "@pulumi/pulumi";
import type { ProjectService } from "../service/projectService.js";
import { displayText } from "../errors/displayText.js";
import { ProjectServiceError } from "../errors/projectServiceError.js";
import type { SnapshotScope } from "./fleetRecord.js";
import { projectsSnapshotId } from "./providerText.js";
import { checkAddress, printable, secretProperty, serviceIn } from "./refreshTools.js";

/** The recorded properties that the provider uses. */
interface Recorded extends SnapshotScope {
  readonly projects?: Readonly<Record<string, unknown>>;
  readonly service?: string;
  readonly connection?: string | undefined;
}

/**
 * Creates the dynamic provider of ProjectsSnapshot. The engine starts it in a separate process, from
 * the text in `serializedProjectsProvider`.
 */
export function createProjectsProvider(): pulumi.dynamic.ResourceProvider<Recorded, Recorded> {
  let config: pulumi.dynamic.Config | undefined;
  return {
    configure(request) {
      config = request.config;
      return Promise.resolve();
    },

    // The program has read the projects. A snapshot never changes the service.
    create: (inputs) => Promise.resolve({ id: projectsSnapshotId, outs: inputs }),
    update: (_id, _olds, news) => Promise.resolve({ outs: news }),
    // The engine compares the inputs itself. No change replaces the resource.
    diff: () => Promise.resolve({ replaces: [] }),

    /** For `pulumi refresh`, which does not run the program. */
    async read(id, recorded: Recorded = {}) {
      let service: ProjectService | undefined;
      try {
        if (recorded.service === undefined) throw neitherGetNorImport();
        service = await serviceIn(recorded.connection, config);
        checkAddress(service, recorded.service);
        const properties = await refreshed(recorded, service);
        return { id, props: properties, inputs: { ...properties } };
      } catch (error) {
        if (!(error instanceof ProjectServiceError)) throw error;
        throw printable(error, "projects", true, service?.warnings);
      }
    },
  };
}

/** Reads the recorded scope again. Returns the properties as the program sends them. */
async function refreshed(recorded: Recorded, service: ProjectService): Promise<Recorded> {
  const { filters, shard, fields, onInaccessible, includeCredentials, allowEmpty, connection } =
    recorded;
  const { takeProjectsSnapshot } = await import("./fleetRecord.js");
  const { listedIds, credentials, ...taken } = await takeProjectsSnapshot(service, recorded);
  await checkMissing(service, recorded, listedIds);
  const properties = {
    ...taken,
    credentials: secretProperty(credentials),
    ...{ filters, shard, fields, onInaccessible, includeCredentials, allowEmpty, connection },
  };
  return JSON.parse(JSON.stringify(properties)) as Recorded;
}

function neitherGetNorImport(): ProjectServiceError {
  return new ProjectServiceError(
    "ARGUMENT_INVALID",
    "ProjectsSnapshot supports neither get nor import: nothing is recorded yet. Create it in the program, with new ProjectsSnapshot.",
  );
}

/** A recorded project that the list omits counts as deleted only if its read returns 404. */
async function checkMissing(
  service: ProjectService,
  { projects = {} }: Recorded,
  listedIds: readonly string[],
): Promise<void> {
  const listed = new Set(listedIds);
  const missing = Object.keys(projects).filter((projectId) => !listed.has(projectId));
  const readable = await service.findReadable(missing);
  if (readable === undefined) return;
  throw new ProjectServiceError(
    "LIST_INCOMPLETE",
    `Listing the projects failed: the list omits project ${displayText(readable)}, which can be read. The state stays as it is. Check baseUrl and any proxy on the way, and try again.`,
  );
}
