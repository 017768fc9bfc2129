import * as pulumi from "@pulumi/pulumi";
import { projectFields } from "../provider/model/projectFields.js";
import type { Project, ProjectKey, ProjectCredentials } from "../provider/model/project.js";
import type { PartialProject, ProjectFieldKey } from "../provider/model/selectedFields.js";
import type { ProjectService } from "../provider/reading/projectService.js";
import { recordProject, type RecordScope } from "../provider/snapshot/record.js";
import { projectSnapshotType, serializedProvider } from "../provider/snapshot/resources.js";
import type { ProjectKeyInputs } from "./getProject.js";
import { projectFunction } from "./reading/checkArguments.js";
import { callOf } from "./reading/programErrors.js";
import type { SnapshotArgs } from "./reading/publicTypes.js";
import { isResource, resolveOutputs, snapshotInputs } from "./reading/snapshotInputs.js";

/** Arguments of {@link ProjectSnapshot}. `C` and `F` are those of {@link SnapshotArgs}. */
export type ProjectSnapshotArgs<
  C extends boolean = boolean,
  F extends readonly ProjectFieldKey[] | undefined = undefined,
> = ProjectKeyInputs & SnapshotArgs<C, F>;

/** The fields of the recorded project, without its credentials. */
export type ProjectOutputs<F> = {
  readonly [K in keyof Project]: pulumi.Output<
    F extends undefined ? Project[K] : PartialProject[K]
  >;
};

/* eslint-disable @typescript-eslint/no-unsafe-declaration-merging -- the class of the SDK sets the properties */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- it adds the fields to the class
export interface ProjectSnapshot<
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- as in the class
  C extends boolean = false,
  out F extends readonly ProjectFieldKey[] | undefined = undefined,
> extends ProjectOutputs<F> {}

/**
 * Records a project in the stack's state. Each `pulumi preview` then shows what has changed in the
 * service since the last `pulumi up` or `pulumi refresh`. A snapshot never changes the service.
 *
 * The program reads the project like {@link getProject}. `pulumi refresh` reads it with the config in the state, usually
 * that of the last `pulumi up`, and its own environment variables, and removes a deleted project from the state. If the
 * service cannot be read, the command fails and the state stays as it is.
 *
 * The outputs are the fields of the project, `service` and `credentials`.
 *
 * Source: `GET /projects/{projectId}`.
 *
 * @example
 * const shop = new ProjectSnapshot("shop", { name: "shop" });
 * export const webroot = shop.environments[0].webroot;
 */
export class ProjectSnapshot<
  C extends boolean = false,
  out F extends readonly ProjectFieldKey[] | undefined = undefined,
>
  extends pulumi.CustomResource
{
  /** The address that was read: `{baseUrl}/api/project/v5`. */
  declare readonly service: pulumi.Output<string>;
  /** Secret as a whole. Undefined unless `includeCredentials` is true. */
  declare readonly credentials: pulumi.Output<C extends true ? ProjectCredentials : undefined>;

  /**
   * Records a project.
   *
   * @param name the resource's name.
   * @param args exactly one of `projectId` and `name`, and those of {@link SnapshotArgs}.
   * @param opts `dependsOn` must contain custom resources only. `import` and options that replace are not supported.
   * @throws ProjectServiceError `ARGUMENT_INVALID`, `SETTINGS_INVALID`. The outputs reject with the
   *   errors of {@link getProject}.
   */
  constructor(
    name: string,
    args: ProjectSnapshotArgs<C, F>,
    opts: pulumi.CustomResourceOptions = {},
  ) {
    const { inputs, recorded } = snapshotInputs(callOf(ProjectSnapshot), recording, args, opts);
    super(
      projectSnapshotType,
      name,
      // Only if it is given, so that every snapshot with it has the property.
      { ...inputs, ...(args.fields && { fields: args.fields }), __provider: serializedProvider },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["credentials"] }),
    );
    resolveOutputs(this, recording.keys, recorded);
  }

  /** Whether an object is a snapshot, made by any copy of this package. */
  static override isInstance(value: unknown): value is ProjectSnapshot<boolean> {
    return isResource(value, projectSnapshotType);
  }
}

const recording = {
  ...projectFunction("ProjectSnapshot", "isProjectSnapshot", readSnapshot),
  keys: [...(Object.keys(projectFields) as (keyof Project)[]), "service", "account", "credentials"],
} as const;

function readSnapshot(args: ProjectKey & RecordScope, service: ProjectService) {
  return recordProject(service, args, args);
}
