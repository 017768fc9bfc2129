import * as pulumi from "@pulumi/pulumi";
import type { Project, ProjectKey, SnapshotCredentials } from "../provider/model/project.js";
import type { ProjectService } from "../provider/service/projectService.js";
import { recordProject } from "../provider/snapshot/recordProjects.js";
import {
  projectSnapshotKeys,
  projectSnapshotType,
  serializedProvider,
} from "../provider/snapshot/resources.js";
import type { ProjectOutputKey } from "./getProject.js";
import { checkProjectArguments } from "./reading/checkArguments.js";
import type { SnapshotArgs } from "./reading/publicTypes.js";
import { isResource, resolveMissingOutputs, snapshotInputs } from "./reading/snapshotInputs.js";

/** Arguments of {@link ProjectSnapshot}. */
export type ProjectSnapshotArgs<C extends boolean = boolean> = ProjectOutputKey & SnapshotArgs<C>;

/** The fields of the recorded project, without its credentials. */
type ProjectOutputs = { readonly [K in keyof Project]: pulumi.Output<Project[K]> };

/* eslint-disable @typescript-eslint/no-unsafe-declaration-merging -- the class of the SDK sets the properties */
// eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type -- as in the class
export interface ProjectSnapshot<C extends boolean = false> extends ProjectOutputs {}

/**
 * Records a project in the stack's state. Each `pulumi preview` then shows what has changed in the
 * service since the last `pulumi up` or `pulumi refresh`. A snapshot never changes the service.
 *
 * The program reads the project like {@link getProject}. `pulumi refresh` reads it with the config of the last
 * command that ran the program and its own environment variables, and removes a deleted project from the state. If the service
 * cannot be read, the command fails and the state stays as it is.
 *
 * The outputs are the fields of the project, `service` and `credentials`.
 *
 * Source: `GET /projects/{projectId}`.
 *
 * @example
 * const shop = new ProjectSnapshot("shop", { name: "shop" });
 * export const webroot = shop.environments[0].webroot;
 */
export class ProjectSnapshot<C extends boolean = false> extends pulumi.CustomResource {
  /** The address of the service that was read. */
  declare readonly service: pulumi.Output<string>;
  /** Secret as a whole. Undefined unless `includeCredentials` is true. */
  declare readonly credentials: pulumi.Output<C extends true ? SnapshotCredentials : undefined>;

  /**
   * Records a project.
   *
   * @param name the resource's name.
   * @param args exactly one of `projectId` and `name`; `includeCredentials`, default false;
   *   `connection`, a config namespace, default `project-service`.
   * @param opts `dependsOn` must contain custom resources only. `import` is not supported.
   * @throws ProjectServiceError `ARGUMENT_INVALID`, `SETTINGS_INVALID`. The outputs reject with the
   *   errors of {@link getProject}.
   */
  constructor(name: string, args: ProjectSnapshotArgs<C>, opts: pulumi.CustomResourceOptions = {}) {
    const inputs = snapshotInputs(recording, args, opts, projectSnapshotKeys);
    super(
      projectSnapshotType,
      name,
      { ...inputs, __provider: serializedProvider },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["credentials"] }),
    );
    resolveMissingOutputs(this, projectSnapshotKeys);
  }

  /** Whether an object is a snapshot, made by any copy of this package. */
  static override isInstance(value: unknown): value is ProjectSnapshot<boolean> {
    return isResource(value, projectSnapshotType);
  }
}

const recording = {
  name: "ProjectSnapshot",
  check: checkProjectArguments("isProjectSnapshot"),
  read: (
    { includeCredentials = false, ...key }: ProjectKey & { includeCredentials?: boolean },
    service: ProjectService,
    isSecret: boolean,
  ) => recordProject(service, key, includeCredentials, isSecret),
};
