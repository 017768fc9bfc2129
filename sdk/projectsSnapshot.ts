import * as pulumi from "@pulumi/pulumi";
import type {
  InaccessibleProject,
  Project,
  SnapshotCredentials,
} from "../provider/model/project.js";
import { argumentInvalid } from "../provider/errors/projectServiceError.js";
import type { PartialProject, ProjectFieldKey } from "../provider/model/selectedFields.js";
import type { ProjectService } from "../provider/service/projectService.js";
import { isInsideText } from "../provider/snapshot/ignoredPaths.js";
import {
  leftOutText,
  parseRecordText,
  readRecord,
  recordProjects,
  type RecordScope,
} from "../provider/snapshot/recordProjects.js";
import {
  projectsSnapshotKeys,
  projectsSnapshotType,
  serializedProjectsProvider,
} from "../provider/snapshot/resources.js";
import type { ProjectFilterInputs } from "./getProjects.js";
import { type Caller, checkShape } from "./reading/checkArguments.js";
import type { SnapshotArgs } from "./reading/publicTypes.js";
import { runRead, showReadProgress } from "./reading/runRead.js";
import { defineLazyOutput } from "./reading/secretCredentials.js";
import { isResource, resolveMissingOutputs, snapshotInputs } from "./reading/snapshotInputs.js";

/**
 * Arguments of {@link ProjectsSnapshot}. `C` stands for `includeCredentials`, `F` for `fields`, and is
 * undefined without them.
 */
export interface ProjectsSnapshotArgs<
  C extends boolean = boolean,
  F extends readonly ProjectFieldKey[] | undefined = undefined,
> extends SnapshotArgs<C, F> {
  /** A project must match every filter, as in `getProjects` with `details`. Default: all projects. */
  filters?: ProjectFilterInputs[] | undefined;
  /**
   * Whether a listed project that cannot be read (403, 404, or fields that break the contract) fails the program or
   * the refresh, or is added to `inaccessible` and keeps what is recorded of it. Default `"fail"`.
   */
  onInaccessible?: "fail" | "skip" | undefined;
}

/**
 * Records all projects, or those that match, in the stack's state as one resource. Each `pulumi preview` then
 * shows changed fields, new projects and deleted ones. A snapshot never changes the service.
 *
 * The program reads the projects like {@link getProjects} with `details`. A recorded project that the service no longer
 * gives fails `preview`, `up` and `pulumi refresh` with `LIST_INCOMPLETE`, unless it was proven to be deleted, or no
 * longer matches.
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
  out F extends readonly ProjectFieldKey[] | undefined = undefined,
>
  extends pulumi.CustomResource
{
  /** The projects without credentials, with `fields` only the named parts. The keys are the ids. */
  declare readonly projects: pulumi.Output<
    Record<string, F extends undefined ? Project : PartialProject>
  >;
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
   * @param args `filters`, default none; `fields`, default all; `onInaccessible`, default `"fail"`;
   *   `includeCredentials`, default false; `connection`, a config namespace, default `project-service`.
   * @param opts `dependsOn` must contain custom resources only. `import` is not supported.
   * @throws ProjectServiceError `ARGUMENT_INVALID`, `SETTINGS_INVALID`. The outputs reject with the
   *   errors of {@link getProjects}, and with `NOT_FOUND` if there is no project to record.
   */
  constructor(
    name: string,
    args: ProjectsSnapshotArgs<C, F> = {},
    opts: pulumi.CustomResourceOptions = {},
  ) {
    const inputs = snapshotInputs(recording, args, opts);
    const { filters, fields, onInaccessible } = args;
    super(
      projectsSnapshotType,
      name,
      {
        ...inputs,
        // A refresh applies the scope again. A default that the program writes out is no change.
        filters: filters?.length === 0 ? undefined : filters,
        fields,
        onInaccessible: onInaccessible === "skip" ? "skip" : undefined,
        __provider: serializedProjectsProvider,
      },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["credentials"] }),
    );
    resolveMissingOutputs(this, projectsSnapshotKeys);
    parseOutput(this, "projects", (records) => {
      const entries = Object.entries(records as object);
      return Object.fromEntries(entries.map(([id, record]) => [id, readRecord(id, record)]));
    });
    parseOutput(this, "credentials", (text) =>
      text === undefined ? undefined : parseRecordText(text, "The record of the credentials"),
    );
  }

  /** Whether an object is a ProjectsSnapshot, made by any copy of this package. */
  static override isInstance(value: unknown): value is ProjectsSnapshot<boolean> {
    return isResource(value, projectsSnapshotType);
  }
}

const recording = {
  name: "ProjectsSnapshot",
  check: (caller: Caller, args: object) => checkShape(caller, "isProjectsSnapshot", args),
  read: async (scope: RecordScope, service: ProjectService) => {
    const { selected, ...record } = await showReadProgress((onProgress) =>
      recordProjects(service, scope, { onProgress }),
    );
    const { inaccessible } = record;
    if (inaccessible.length > 0) {
      const text = leftOutText(inaccessible, selected, service);
      void pulumi.log.warn(`ProjectsSnapshot ${text}`);
    }
    return record;
  },
  keys: projectsSnapshotKeys,
  ignoresOther: isInsideText,
  reason: "the engine sees each project and each environment as one text",
};

/** Replaces an output by its parsed value. Only a program that reads it pays for that. */
function parseOutput(
  resource: pulumi.CustomResource,
  key: string,
  parse: (recorded: unknown) => unknown,
): void {
  const recorded = (resource as unknown as Record<string, pulumi.Output<unknown>>)[key];
  const parsed = (value: unknown) =>
    runRead(() => {
      try {
        return parse(value);
      } catch (error) {
        const { message } = error as Error;
        throw argumentInvalid(`${message} A mock of Pulumi must return the inputs that it gets.`);
      }
    });
  defineLazyOutput(resource, key, () => recorded!.apply(parsed));
}
