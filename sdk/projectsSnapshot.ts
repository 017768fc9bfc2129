import * as pulumi from "@pulumi/pulumi";
import { argumentInvalid, checkKeys } from "../provider/errors/projectServiceError.js";
import type { InaccessibleProject, SnapshotCredentials } from "../provider/model/project.js";
import type { ProjectFieldKey, RecordedProject } from "../provider/model/recordedFields.js";
import type { Settings } from "../provider/settings/resolveSettings.js";
import { defaultNamespace } from "../provider/settings/settingSources.js";
import type { RecordedProjects, SnapshotScope } from "../provider/snapshot/fleetRecord.js";
import type { Shard } from "../provider/snapshot/shard.js";
import {
  projectsSnapshotType,
  serializedProjectsProvider,
} from "../provider/snapshot/providerText.js";
import type { ProjectFilterInputs } from "./getProjects.js";
import {
  type Caller,
  checkNamespace,
  checkShape,
  refuseConnection,
  withPlace,
} from "./reading/checkArguments.js";
import { waitForErrors } from "./reading/inlineProgram.js";
import {
  loadProjectService,
  noMatchListener,
  progressListener,
  type ReadFunction,
  readOutput,
} from "./reading/runRead.js";
import { inputOf, resolveMissingOutputs } from "./reading/snapshotInputs.js";

/**
 * Arguments of {@link ProjectsSnapshot}. `C` stands for `includeCredentials`, `F` for `fields`, and is
 * `never` without them.
 */
export interface ProjectsSnapshotArgs<
  C extends boolean = boolean,
  F extends readonly ProjectFieldKey[] = never,
> {
  /** A project must match every filter, as in `getProjects` with `details`. Default: all projects. */
  filters?: ProjectFilterInputs[] | undefined;
  /**
   * Records only one of `count` parts of the fleet, the one with the number `index`, from 0. The part
   * of a project depends on its id alone. Default: the whole fleet.
   */
  shard?: Shard | undefined;
  /**
   * Records only these fields of each project, and its id and name. A literal list with the keys of
   * filters, the fields of unknown shape, such as `environments.initialized.code`, and starts of these
   * paths, such as `environments.branch`. Elements of lists keep what identifies them, and
   * `missingFields` the entries of recorded fields. Every project is still read. A change of `fields`
   * updates the resource. Default: all fields.
   */
  fields?: readonly [...F] | undefined;
  /**
   * Whether the program and a refresh fail if the service denies access to a listed project (403) or
   * cannot find it (404), or record the project in `inaccessible`. Default `"fail"`.
   */
  onInaccessible?: "fail" | "skip" | undefined;
  /**
   * Whether the state contains `credentials`, encrypted: those of all databases and repositories,
   * whatever `fields` names. A literal. Default false.
   */
  includeCredentials?: C;
  /**
   * Whether the program and a refresh accept a service that lists no projects at all. Otherwise they
   * fail, because everything that the program makes from the projects would be deleted. Filters that
   * match nothing are not an error. Default false.
   */
  allowEmpty?: boolean | undefined;
  /**
   * The config namespace of the service, not an object of settings: `pulumi refresh` does not run the
   * program, and uses the config that Pulumi keeps. Default `"project-service"`.
   */
  connection?: string | undefined;
}

/**
 * Records all projects, or those that match, in the stack's state as one resource. Each
 * `pulumi preview` then shows what has changed in the service since the last `pulumi up` or
 * `pulumi refresh`: changed fields, new projects and deleted ones. A snapshot never changes the
 * service.
 *
 * The program reads the projects like {@link getProjects} with `details`, with the same errors.
 * `pulumi refresh` reads them with the settings of the last `pulumi up`. It removes a project that no
 * longer matches, or that the list omits and whose read returns 404. If the service cannot be read
 * completely, the command fails and the state stays as it is.
 *
 * Source: all pages of `GET /projects`, and `GET /projects/{projectId}` for each project.
 *
 * @example
 * const fleet = new ProjectsSnapshot("fleet");
 * export const recorded = fleet.projects.apply((projects) => Object.keys(projects).length);
 *
 * @example
 * const watched = new ProjectsSnapshot("watched", {
 *   fields: ["status", "environments.webroot", "environments.branch"],
 * });
 */
export class ProjectsSnapshot<
  C extends boolean = false,
  F extends readonly ProjectFieldKey[] = never,
>
  extends pulumi.CustomResource
{
  /** The projects without credentials, with `fields` only the named parts. The keys are the ids. */
  declare readonly projects: pulumi.Output<Record<string, RecordedProject<F>>>;
  /** The projects that could not be read, sorted by id. Empty unless `onInaccessible` is `"skip"`. */
  declare readonly inaccessible: pulumi.Output<InaccessibleProject[]>;
  /** The address of the service that was read. */
  declare readonly service: pulumi.Output<string>;
  /** Secret as a whole. The keys are the ids of the projects. Undefined unless `includeCredentials` is true. */
  declare readonly credentials: pulumi.Output<
    C extends true ? Record<string, SnapshotCredentials> : undefined
  >;

  /**
   * Records projects.
   *
   * @param name the resource's name.
   * @param args `filters`, default none; `shard`, default the whole fleet; `fields`, default all;
   *   `onInaccessible`, default `"fail"`; `includeCredentials`, default false; `allowEmpty`, default
   *   false; `connection`, a config namespace, default `project-service`.
   * @param opts `dependsOn` must contain custom resources only. `import` is not supported.
   * @throws ProjectServiceError `ARGUMENT_INVALID`, `SETTINGS_INVALID`. The outputs reject with the
   *   errors of {@link getProjects}, with `RESPONSE_INVALID` if Pulumi cannot carry an id as a key, and
   *   with `ARGUMENT_INVALID` if the projects are too many for the memory that Node may use.
   */
  constructor(
    name: string,
    args: ProjectsSnapshotArgs<C, F> = {},
    opts: pulumi.CustomResourceOptions = {},
  ) {
    waitForErrors();
    const inputs = readInputs(args, opts);
    super(
      projectsSnapshotType,
      name,
      { ...inputs, __provider: serializedProjectsProvider },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["credentials"] }),
    );
    resolveMissingOutputs(this, outputKeys, inputs["projects"]);
  }

  /** Whether an object is a ProjectsSnapshot, made by any copy of this package. */
  static override isInstance(value: unknown): value is ProjectsSnapshot<boolean> {
    return (
      pulumi.CustomResource.isInstance(value) &&
      (value as { __pulumiType?: unknown }).__pulumiType === projectsSnapshotType
    );
  }
}

const outputKeys = ["projects", "inaccessible", "service", "credentials"] as const;

/** Reads the projects. Returns the inputs of the resource. */
function readInputs(
  args: ProjectsSnapshotArgs<boolean, readonly ProjectFieldKey[]>,
  opts: pulumi.CustomResourceOptions,
): pulumi.Inputs {
  const { connection, ...scope } = args;
  withPlace(new Error(), () => {
    checkArguments({ name: "ProjectsSnapshot", takesOutputs: true }, args);
    checkNamespace("ProjectsSnapshot", connection);
    refuseConnection("ProjectsSnapshot", opts, "arguments");
    if (opts.import === undefined && opts.id === undefined) return;
    throw argumentInvalid(
      `ProjectsSnapshot does not support ${opts.id === undefined ? "import" : "id"}. Remove the option: a snapshot always records existing projects, and does not change them.`,
    );
  });
  const recorded = readOutput(snapshotFunction, scope, {
    connection,
    dependsOn: opts.dependsOn as pulumi.Input<pulumi.CustomResource>,
  });
  const { filters, shard, fields, onInaccessible, includeCredentials, allowEmpty } = scope;
  return {
    ...Object.fromEntries(outputKeys.map((key) => [key, inputOf(recorded, (all) => all[key])])),
    // A refresh applies the scope again. Defaults are not recorded, so that a program may write a
    // default out without a change.
    filters: filters?.length === 0 ? undefined : filters,
    shard,
    fields,
    onInaccessible: onInaccessible === "skip" ? "skip" : undefined,
    includeCredentials: includeCredentials === true ? true : undefined,
    allowEmpty: allowEmpty === true ? true : undefined,
    connection: connection === defaultNamespace ? undefined : connection,
  };
}

function checkArguments(caller: Caller, args: object): void {
  checkShape(caller, "isProjectsSnapshot", args);
  const { shard } = args as ProjectsSnapshotArgs;
  if (shard !== undefined) checkShard(shard);
}

function checkShard(shard: unknown): void {
  const { index, count } = checkKeys("shard", shard, ["index", "count"]);
  if (!isInteger(count) || count < 1) {
    throw argumentInvalid("count of shard must be a whole number, 1 or more.");
  }
  if (!isInteger(index) || index < 0 || index >= count) {
    throw argumentInvalid(
      `index of shard must be a whole number from 0 to ${count - 1}, which is count - 1.`,
    );
  }
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

type SecretSnapshot = Omit<RecordedProjects, "credentials"> & {
  readonly credentials: pulumi.Output<Record<string, SnapshotCredentials>> | undefined;
};

const snapshotFunction: ReadFunction<SnapshotScope, SecretSnapshot> = {
  name: "ProjectsSnapshot",
  outputName: "ProjectsSnapshot",
  check: checkArguments,
  read: readProjects,
};

async function readProjects(
  scope: SnapshotScope,
  settings: Settings,
  isSecret: boolean,
): Promise<SecretSnapshot> {
  const service = await loadProjectService(settings);
  const { takeProjectsSnapshot } = await import("../provider/snapshot/fleetRecord.js");
  const { listedIds: _, ...taken } = await takeProjectsSnapshot(service, scope, {
    onProgress: await progressListener(),
    onNoMatch: noMatchListener("ProjectsSnapshot", isSecret),
  });
  return { ...taken, credentials: taken.credentials && pulumi.secret(taken.credentials) };
}
