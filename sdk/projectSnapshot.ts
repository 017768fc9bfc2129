import * as pulumi from "@pulumi/pulumi";
import type {
  CodeRepository,
  Environment,
  Project,
  SnapshotCredentials,
} from "../provider/project.js";
import type { Settings } from "../provider/resolveSettings.js";
import { defaultNamespace } from "../provider/settingSources.js";
import type { Snapshot } from "../provider/snapshot.js";
import { projectSnapshotType, serializedProvider } from "../provider/snapshotResource.js";
import { argumentInvalid, checkKeys, checkProjectArguments } from "./checkArguments.js";
import { resolveConnection } from "./config.js";
import type { ProjectKey, ProjectOutputKey } from "./getProject.js";
import { openService } from "./openService.js";
import { type ReadFunction, readOutput } from "./readOptions.js";

/** How a {@link ProjectSnapshot} reads its project. */
export interface ProjectSnapshotReadArgs<C extends boolean = boolean> {
  /** Whether `credentials` are recorded, encrypted. A literal. Default true. */
  includeCredentials?: C;
  /**
   * The config namespace of the service. Default `"project-service"`. No settings object:
   * `pulumi refresh` reads without the program, with the config that Pulumi keeps.
   */
  connection?: string | undefined;
}

/** Arguments of {@link ProjectSnapshot}: exactly one of `projectId` and `name`, and how to read. */
export type ProjectSnapshotArgs<C extends boolean = boolean> = ProjectOutputKey &
  ProjectSnapshotReadArgs<C>;

const facts = [
  "projectId",
  "name",
  "type",
  "status",
  "domain",
  "hasCode",
  "hasDatabases",
  "hasAssets",
  "codeRepository",
  "environments",
] as const satisfies (keyof Project)[];

/**
 * A project recorded in the stack's state: each `pulumi preview` shows what has changed in the
 * service since the last `pulumi up` or `pulumi refresh`. Nothing is created, changed or deleted
 * in the service.
 *
 * The program reads the project, as {@link getProject} does and with its errors; `pulumi refresh`
 * reads it with the settings of the last `pulumi up`, or the environment that it runs in. A project that the service
 * has deleted is deleted from the state by `pulumi refresh`; while the service cannot be read, the
 * state stays and the command fails.
 *
 * Asset groups, databases and symlinks are recorded in a stable order. Facts are plain;
 * `credentials` are secret.
 *
 * Source: `GET /projects/{projectId}`.
 *
 * @example
 * const shop = new ProjectSnapshot("shop", { name: "shop" });
 * export const webroot = shop.environments[0].webroot;
 */
export class ProjectSnapshot<C extends boolean = true> extends pulumi.CustomResource {
  declare readonly projectId: pulumi.Output<string>;
  declare readonly name: pulumi.Output<string>;
  /** Kind of project. Open enumeration. */
  declare readonly type: pulumi.Output<string>;
  /** Open enumeration; `AWAITING_INITIAL_DEPLOYMENT` is the one value known. */
  declare readonly status: pulumi.Output<string>;
  /** Short domain label. */
  declare readonly domain: pulumi.Output<string>;
  declare readonly hasCode: pulumi.Output<boolean>;
  declare readonly hasDatabases: pulumi.Output<boolean>;
  declare readonly hasAssets: pulumi.Output<boolean>;
  declare readonly codeRepository: pulumi.Output<CodeRepository>;
  /** Sorted by `order`; databases without credentials. */
  declare readonly environments: pulumi.Output<Environment[]>;
  /** Secret as a whole. Undefined with `includeCredentials: false`. */
  declare readonly credentials: pulumi.Output<C extends false ? undefined : SnapshotCredentials>;

  /**
   * Records a project.
   *
   * @param name the resource's name.
   * @param args exactly one of `projectId` and `name`; `includeCredentials`, default true;
   *   `connection`, a config namespace, default `project-service`.
   * @param opts `dependsOn` takes custom resources; there is nothing to `import`.
   * @throws ProjectServiceError `ARGUMENT_INVALID`, `SETTINGS_INVALID`; while the program runs, as
   *   {@link getProject}.
   */
  constructor(name: string, args: ProjectSnapshotArgs<C>, opts?: pulumi.CustomResourceOptions);
  /** @internal */
  constructor(
    name: string,
    args: ProjectSnapshotArgs<C> | ProjectSnapshotReadArgs<C>,
    opts?: pulumi.CustomResourceOptions,
  );
  constructor(
    name: string,
    args: ProjectSnapshotArgs<C> | ProjectSnapshotReadArgs<C>,
    opts: pulumi.CustomResourceOptions = {},
  ) {
    super(
      projectSnapshotType,
      name,
      {
        ...(opts.id === undefined ? read(args as ProjectSnapshotArgs<C>, opts) : unread(args)),
        // Recorded only where they differ from the default: writing the default out is no change.
        connection: args.connection === defaultNamespace ? undefined : args.connection,
        includeCredentials: args.includeCredentials === false ? false : undefined,
        __provider: serializedProvider,
      },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["credentials"] }),
    );
    if (pulumi.runtime.isDryRun()) resolveMissingFields(this);
  }

  /**
   * Reads a project anew at each run, as an external resource: in the state, but without drift.
   *
   * @param name the resource's name.
   * @param projectId the project.
   * @param args `includeCredentials` and `connection`, as of the constructor.
   */
  static get<C extends boolean = true>(
    name: string,
    projectId: pulumi.Input<pulumi.ID>,
    args: ProjectSnapshotReadArgs<C> = {},
    opts: pulumi.CustomResourceOptions = {},
  ): ProjectSnapshot<C> {
    return new ProjectSnapshot<C>(name, args, { ...opts, id: projectId });
  }

  /** Whether an object is a snapshot, of whatever copy of this package. */
  static override isInstance(value: unknown): value is ProjectSnapshot<boolean> {
    return (
      pulumi.CustomResource.isInstance(value) &&
      (value as { __pulumiType?: unknown }).__pulumiType === projectSnapshotType
    );
  }
}

/**
 * Makes the fields that the service leaves out undefined in a preview. The SDK takes an output for
 * unknown if the engine sends no value for it, although here it sends all values at once: as soon as
 * `projectId` is known, a field without a value has none.
 */
function resolveMissingFields(snapshot: ProjectSnapshot<boolean>): void {
  const { projectId } = snapshot;
  const outputs = snapshot as unknown as Record<string, MaybeKnown>;
  for (const key of [...facts.filter((fact) => fact !== "projectId"), "credentials"]) {
    const output = outputs[key] as MaybeKnown;
    outputs[key] = projectId.apply(async () =>
      (await output.isKnown) ? output : undefined,
    ) as MaybeKnown;
  }
}

/** What the SDK's types leave out. */
type MaybeKnown = pulumi.Output<unknown> & { readonly isKnown: Promise<boolean> };

/** What the program reads, field by field: the inputs of the resource. */
function read(args: ProjectSnapshotArgs, opts: pulumi.CustomResourceOptions): pulumi.Inputs {
  checkProjectArguments({ name: "ProjectSnapshot", takesOutputs: true }, args, ["connection"]);
  const { connection, ...readArgs } = args;
  checkNamespace(connection);
  if (opts.import !== undefined) {
    throw argumentInvalid(
      "ProjectSnapshot has nothing to import: without the option import, it records the existing project and changes nothing there.",
    );
  }
  const snapshot = readOutput(snapshotRead, readArgs, {
    connection,
    dependsOn: opts.dependsOn as pulumi.Input<pulumi.CustomResource>,
  });
  return {
    ...Object.fromEntries(facts.map((key) => [key, snapshot.apply((taken) => taken.facts[key])])),
    credentials: snapshot.apply(({ credentials }) => credentials),
  };
}

type SnapshotArgs = ProjectKey & { includeCredentials?: boolean };
type SecretSnapshot = Omit<Snapshot, "credentials"> & {
  readonly credentials: pulumi.Output<pulumi.Unwrap<SnapshotCredentials>> | undefined;
};

const snapshotRead: ReadFunction<SnapshotArgs, SecretSnapshot> = {
  name: "ProjectSnapshot",
  outputName: "ProjectSnapshot",
  check: checkProjectArguments,
  read: readSnapshot,
};

async function readSnapshot(args: SnapshotArgs, settings: Settings): Promise<SecretSnapshot> {
  const { includeCredentials = true, ...project } = args;
  const service = await openService(settings);
  const { takeSnapshot } = await import("../provider/snapshot.js");
  const { facts, credentials } = await takeSnapshot(service, project, includeCredentials);
  return { facts, credentials: credentials && pulumi.secret(credentials) };
}

/** What the engine has the provider read: every output, not known yet. */
function unread(args: ProjectSnapshotReadArgs): pulumi.Inputs {
  checkKeys("The arguments of ProjectSnapshot.get", args, ["includeCredentials", "connection"]);
  checkNamespace(args.connection);
  resolveConnection(args.connection);
  return Object.fromEntries([...facts, "credentials"].map((key) => [key, undefined]));
}

function checkNamespace(connection: unknown): void {
  if (connection === undefined || typeof connection === "string") return;
  throw argumentInvalid(
    "ProjectSnapshot takes a config namespace as connection, not settings: pulumi refresh reads without the program, with the config that Pulumi keeps.",
  );
}
