import * as pulumi from "@pulumi/pulumi";
import { argumentInvalid, checkKeys } from "../provider/errors/projectServiceError.js";
import { projectFields } from "../provider/model/fields.js";
import type { Project, SnapshotCredentials } from "../provider/model/project.js";
import type { Settings } from "../provider/settings/resolveSettings.js";
import { defaultNamespace } from "../provider/settings/settingSources.js";
import type { Snapshot } from "../provider/snapshot/projectRecord.js";
import { projectSnapshotType, serializedProvider } from "../provider/snapshot/providerText.js";
import type { ProjectKey, ProjectOutputKey } from "./getProject.js";
import {
  checkNamespace,
  refuseConnection,
  checkProjectArguments,
  withPlace,
} from "./reading/checkArguments.js";
import { waitForErrors } from "./reading/inlineProgram.js";
import { loadProjectService, type ReadFunction, readOutput } from "./reading/runRead.js";
import { inputOf, resolveMissingOutputs } from "./reading/snapshotInputs.js";
import { resolveConnection } from "./reading/resolveConnection.js";

/** How a {@link ProjectSnapshot} reads its project. */
export interface ProjectSnapshotReadArgs<C extends boolean = boolean> {
  /** Whether the state contains `credentials`, encrypted. A literal. Default true. */
  includeCredentials?: C;
  /**
   * The config namespace of the service, not an object of settings: `pulumi refresh` does not run the
   * program, and uses the config that Pulumi keeps. Default `"project-service"`.
   */
  connection?: string | undefined;
}

/** Arguments of {@link ProjectSnapshot}: exactly one of `projectId` and `name`, and options. */
export type ProjectSnapshotArgs<C extends boolean = boolean> = ProjectOutputKey &
  ProjectSnapshotReadArgs<C>;

/**
 * The fields of a project that a snapshot records.
 *
 * @internal
 */
export const recordedFields = Object.keys(projectFields) as (keyof Project)[];

const outputKeys = [...recordedFields, "service", "credentials"];

/** The fields of the recorded project, without its credentials. */
type ProjectOutputs = { readonly [K in keyof Project]: pulumi.Output<Project[K]> };

/* eslint-disable @typescript-eslint/no-unsafe-declaration-merging -- the class of the SDK sets the properties */
// eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type -- as in the class
export interface ProjectSnapshot<C extends boolean = true> extends ProjectOutputs {}

/**
 * Records a project in the stack's state. Each `pulumi preview` then shows what has changed in the
 * service since the last `pulumi up` or `pulumi refresh`. A snapshot never changes the service.
 *
 * The program reads the project like {@link getProject}, with the same errors. `pulumi refresh` reads
 * it with the settings of the last `pulumi up`, or with environment variables. If the service has
 * deleted the project, `pulumi refresh` deletes the snapshot from the state. If the service cannot be
 * read, the command fails and the state stays as it is.
 *
 * Asset groups, databases and symlinks are recorded in a stable order. The fields of the project are
 * plain, and `credentials` are secret.
 *
 * Source: `GET /projects/{projectId}`.
 *
 * @example
 * const shop = new ProjectSnapshot("shop", { name: "shop" });
 * export const webroot = shop.environments[0].webroot;
 */
export class ProjectSnapshot<C extends boolean = true> extends pulumi.CustomResource {
  /** The address of the service that was read. Undefined in the result of `get`. */
  declare readonly service: pulumi.Output<string>;
  /** Secret as a whole. Undefined with `includeCredentials: false`. */
  declare readonly credentials: pulumi.Output<C extends false ? undefined : SnapshotCredentials>;

  /**
   * Records a project.
   *
   * @param name the resource's name.
   * @param args exactly one of `projectId` and `name`; `includeCredentials`, default true;
   *   `connection`, a config namespace, default `project-service`.
   * @param opts `dependsOn` must contain custom resources only. `import` is not supported.
   * @throws ProjectServiceError `ARGUMENT_INVALID`, `SETTINGS_INVALID`. The outputs reject with the
   *   errors of {@link getProject}.
   */
  constructor(name: string, args: ProjectSnapshotArgs<C>, opts: pulumi.CustomResourceOptions = {}) {
    waitForErrors();
    const inputs = opts.id === undefined ? readInputs(args, opts) : unreadInputs(args);
    super(
      projectSnapshotType,
      name,
      {
        ...inputs,
        // Defaults are not recorded, so that a program may write a default out without a change.
        connection: args.connection === defaultNamespace ? undefined : args.connection,
        includeCredentials: args.includeCredentials === false ? false : undefined,
        __provider: serializedProvider,
      },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["credentials"] }),
    );
    resolveMissingOutputs(this, outputKeys, inputs["projectId"] ?? this.id);
  }

  /**
   * Reads a project at each run as an external resource. The state contains it, but shows no drift.
   *
   * @param name the resource's name.
   * @param projectId the project.
   * @param args `includeCredentials` and `connection`, as for the constructor.
   */
  static get<C extends boolean = true>(
    name: string,
    projectId: pulumi.Input<pulumi.ID>,
    args: ProjectSnapshotReadArgs<C> = {},
    opts: pulumi.CustomResourceOptions = {},
  ): ProjectSnapshot<C> {
    return new ProjectSnapshot(name, args as ProjectSnapshotArgs<C>, { ...opts, id: projectId });
  }

  /** Whether an object is a snapshot, made by any copy of this package. */
  static override isInstance(value: unknown): value is ProjectSnapshot<boolean> {
    return (
      pulumi.CustomResource.isInstance(value) &&
      (value as { __pulumiType?: unknown }).__pulumiType === projectSnapshotType
    );
  }
}

/** Reads the project. Returns the inputs of the resource. */
function readInputs(args: ProjectSnapshotArgs, opts: pulumi.CustomResourceOptions): pulumi.Inputs {
  const { connection, ...readArgs } = args;
  withPlace(new Error(), () => {
    const caller = { name: "ProjectSnapshot", takesOutputs: true };
    checkProjectArguments(caller, args, "isProjectSnapshot");
    checkNamespace("ProjectSnapshot", connection);
    refuseConnection("ProjectSnapshot", opts, "arguments");
    if (opts.import === undefined) return;
    throw argumentInvalid(
      "ProjectSnapshot does not support import. Remove the option import: a snapshot always records an existing project, and does not change it.",
    );
  });
  const snapshot = readOutput(snapshotFunction, readArgs, {
    connection,
    dependsOn: opts.dependsOn as pulumi.Input<pulumi.CustomResource>,
  });
  return {
    ...Object.fromEntries(
      recordedFields.map((key) => [key, inputOf(snapshot, ({ project }) => project[key])]),
    ),
    service: inputOf(snapshot, ({ service }) => service),
    credentials: inputOf(snapshot, ({ credentials }) => credentials),
  };
}

type SnapshotArgs = ProjectKey & { includeCredentials?: boolean };
type SecretSnapshot = Omit<Snapshot, "credentials"> & {
  readonly service: string;
  readonly credentials: pulumi.Output<pulumi.Unwrap<SnapshotCredentials>> | undefined;
};

const snapshotFunction: ReadFunction<SnapshotArgs, SecretSnapshot> = {
  name: "ProjectSnapshot",
  outputName: "ProjectSnapshot",
  check: checkProjectArguments,
  read: readSnapshot,
};

async function readSnapshot(
  { includeCredentials = true, ...key }: SnapshotArgs,
  settings: Settings,
  isSecret: boolean,
): Promise<SecretSnapshot> {
  const service = await loadProjectService(settings);
  const { takeSnapshot } = await import("../provider/snapshot/projectRecord.js");
  const taken = await takeSnapshot(service, { ...key, isSecret }, includeCredentials);
  return {
    ...taken,
    service: service.address,
    credentials: taken.credentials && pulumi.secret(taken.credentials),
  };
}

/** Returns the inputs of a resource that the engine reads: every output, without a value. */
function unreadInputs(args: ProjectSnapshotReadArgs): pulumi.Inputs {
  withPlace(new Error(), () => {
    checkKeys("The arguments of ProjectSnapshot.get", args, ["includeCredentials", "connection"]);
    checkNamespace("ProjectSnapshot", args.connection);
  });
  resolveConnection(args.connection);
  return Object.fromEntries(outputKeys.map((key) => [key, undefined]));
}
