/*
 * The dynamic provider behind ProjectSnapshot. The engine loads it in a process of its own by the
 * text in `serializedProvider`, which stands in the state of every snapshot: whatever version of
 * the package is installed, it must find this module and `createProvider` here.
 */
import type * as pulumi from "@pulumi/pulumi";
import { signatureKey, unknownSentinel } from "./checkOpaque.js";
import { ProjectServiceError } from "./errors.js";
import type { ProjectService } from "./projectService.js";
import { resolveSettings } from "./resolveSettings.js";
import { defaultNamespace, settingSources } from "./settingSources.js";
import { shown } from "./shown.js";
import { type Snapshot, takeSnapshot } from "./snapshot.js";

/** What the engine hands over of a snapshot: the facts, `credentials`, and how it was read. */
interface Recorded {
  readonly projectId?: string;
  readonly connection?: string | undefined;
  readonly includeCredentials?: boolean | undefined;
}

export function createProvider(): pulumi.dynamic.ResourceProvider<Recorded, Recorded> {
  let config: pulumi.dynamic.Config | undefined;

  function settingsIn(namespace: string) {
    return resolveSettings(settingSources(namespace, (key) => config?.get(`${namespace}:${key}`)));
  }

  function namesService(namespace = defaultNamespace): boolean {
    return config?.get(`${namespace}:baseUrl`) !== undefined;
  }

  return {
    configure(request) {
      config = request.config;
      return Promise.resolve();
    },

    // Nothing is created, changed or deleted in the service: the program has read what is recorded.
    create: (inputs) => Promise.resolve({ id: inputs.projectId as string, outs: inputs }),
    update: (_id, _olds, news) => Promise.resolve({ outs: news }),
    diff: (id, _olds, { projectId = id }) =>
      // Whether anything else has changed is the engine's to find, by comparing the inputs. An id
      // that is not known yet is most likely the same one.
      Promise.resolve({
        replaces: projectId === id || projectId === unknownSentinel ? [] : ["projectId"],
      }),

    /** For `pulumi refresh`, which does not run the program, and for `ProjectSnapshot.get`. */
    async read(id, recorded: Recorded = {}) {
      const { connection, includeCredentials } = recorded;
      try {
        const { connect } = await import("./projectService.js");
        const service = connect(settingsIn(connection ?? defaultNamespace), ignoreWaits);
        const snapshot = await takenOrGone(service, id, recorded, namesService(connection));
        if (snapshot === "gone") return { id: "", props: {} };
        const properties = toProperties(snapshot, { connection, includeCredentials });
        return { id, props: properties, inputs: { ...properties } };
      } catch (error) {
        if (!(error instanceof ProjectServiceError)) throw error;
        throw readable(error, id, isRefresh(recorded) ? adviceOnRefresh : "");
      }
    },
  };
}

/**
 * A project counts as deleted only if its read returns 404 and a successful list omits it.
 *
 * @param namesService whether the recorded config names the service. If the environment does, it may
 *   be another service today, which knows none of the projects.
 */
async function takenOrGone(
  service: ProjectService,
  projectId: string,
  recorded: Recorded,
  namesService: boolean,
): Promise<Snapshot | "gone"> {
  try {
    return await takeSnapshot(service, { projectId }, recorded.includeCredentials !== false);
  } catch (error) {
    if (!isRefresh(recorded) || !isNotFound(error)) throw error;
    if (await isListed(service, projectId)) throw error;
    if (namesService) return "gone";
    throw new ProjectServiceError(
      "NOT_FOUND",
      `${error.message} The project is not taken for deleted, because the config of the stack does not name the service: PROJECT_SERVICE_BASE_URL may name another one than before. Set it: pulumi config set ${defaultNamespace}:baseUrl <value>, then run pulumi up --refresh=false.`,
      { projectId, status: error.status, url: error.url },
    );
  }
}

/** A `ProjectSnapshot.get` has nothing recorded yet. */
function isRefresh({ projectId }: Recorded): boolean {
  return projectId !== undefined;
}

function isNotFound(error: unknown): error is ProjectServiceError {
  return error instanceof ProjectServiceError && error.code === "NOT_FOUND";
}

async function isListed(service: ProjectService, projectId: string): Promise<boolean> {
  return (await service.listProjects()).some((project) => project.projectId === projectId);
}

/** As the program would have sent them: no `undefined`, and the credentials one secret. */
function toProperties({ facts, credentials }: Snapshot, recorded: Recorded): Recorded {
  const secret = credentials && { [signatureKey]: secretSignature, value: credentials };
  return JSON.parse(JSON.stringify({ ...facts, ...recorded, credentials: secret })) as Recorded;
}

/** The engine shows nothing of what a dynamic provider says while it works. */
function ignoreWaits(): void {}

/** Marks a secret in what Pulumi's processes send each other. */
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";

/** Pulumi gives a provider the config that it had when the stack was last updated. */
const adviceOnRefresh =
  " A refresh reads with the settings of the last pulumi up: where they have changed, run pulumi up --refresh=false, or pulumi refresh --run-program.";

/** Pulumi prints `${error}: ${error.stack}` of what a dynamic provider throws, and then its message. */
function readable({ code, message }: ProjectServiceError, id: string, advice: string): Error {
  return Object.assign(new Error(message + advice), {
    stack: `project ${shown(id)}`,
    toString: () => code,
  });
}
