import * as pulumi from "@pulumi/pulumi";
import type {
  InaccessibleProject,
  Project,
  ProjectCredentials,
} from "../provider/model/project.js";
import type { PartialProject, ProjectFieldKey } from "../provider/model/selectedFields.js";
import type { ProjectService } from "../provider/reading/projectService.js";
import {
  inaccessibleText,
  parseRecordText,
  readRecord,
  recordProjects,
  type RecordScope,
} from "../provider/snapshot/record.js";
import { projectsSnapshotType, serializedProvider } from "../provider/snapshot/resources.js";
import type { ProjectFilterInputs } from "./getProjects.js";
import { type Caller, checkShape } from "./reading/checkArguments.js";
import { callOf } from "./reading/programErrors.js";
import type { SnapshotArgs } from "./reading/publicTypes.js";
import { showReadProgress } from "./reading/runRead.js";
import { isResource, resolveOutputs, snapshotInputs } from "./reading/snapshotInputs.js";

/** Arguments of {@link ProjectsSnapshot}. `C` and `F` are those of {@link SnapshotArgs}. */
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
  onInaccessible?: "fail" | "keep" | undefined;
  /**
   * How many projects may leave the record at once, because they were deleted, no longer match, or have no environments
   * any more. `0` allows none. Default: three, or a twentieth of the recorded projects if that is more.
   */
  maxRemovals?: number | undefined;
}

/**
 * Records all projects, or those that match, in the stack's state as one resource. Each `pulumi preview` then
 * shows changed fields, new projects and deleted ones. A snapshot never changes the service.
 *
 * The program reads the projects like {@link getProjects} with `details`. `preview`, `up` and `pulumi refresh` fail, and
 * keep the record, with `LIST_INCOMPLETE` if a recorded project is missing, unless it was deleted (its own read returns
 * 404) or no longer matches, or if more projects leave than `maxRemovals`; with `RESPONSE_INVALID` if the service omits
 * a part of a recorded project; with `SETTINGS_INVALID` if something is missing from the record of another user or
 * service.
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
  /** The projects that could not be read, sorted by id. Empty unless `onInaccessible` is `"keep"`. */
  declare readonly inaccessible: pulumi.Output<InaccessibleProject[]>;
  /** The address that was read: `{baseUrl}/api/project/v5`. */
  declare readonly service: pulumi.Output<string>;
  /** Secret as a whole. The keys are the ids of the projects. Undefined unless `includeCredentials` is true. */
  declare readonly credentials: pulumi.Output<
    C extends true ? Record<string, ProjectCredentials> : undefined
  >;

  /**
   * Records projects.
   *
   * @param name the resource's name.
   * @param args {@link ProjectsSnapshotArgs}, all optional.
   * @param opts `dependsOn` must contain custom resources only. `import` and options that replace are not supported.
   * @throws ProjectServiceError `ARGUMENT_INVALID`, `SETTINGS_INVALID`. The outputs reject with the
   *   errors of {@link getProjects}, and with `NOT_FOUND` if there is no project to record.
   */
  constructor(
    name: string,
    args: ProjectsSnapshotArgs<C, F> = {},
    opts: pulumi.CustomResourceOptions = {},
  ) {
    const { inputs, recorded } = snapshotInputs(callOf(ProjectsSnapshot), recording, args, opts);
    const { filters, fields, onInaccessible, maxRemovals } = args;
    super(
      projectsSnapshotType,
      name,
      // A refresh applies the scope again.
      { ...inputs, filters, fields, onInaccessible, maxRemovals, __provider: serializedProvider },
      pulumi.mergeOptions(opts, { additionalSecretOutputs: ["credentials"] }),
    );
    resolveOutputs(this, recording.keys, recorded, parsers);
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
    const record = await showReadProgress((onProgress) =>
      recordProjects(service, scope, onProgress),
    );
    if (record.inaccessible.length > 0) {
      const text = inaccessibleText(record.inaccessible, service);
      void pulumi.log.warn(`ProjectsSnapshot: ${text}`);
    }
    return record;
  },
  keys: ["projects", "inaccessible", "service", "account", "credentials"],
} as const;

/** Only a program that reads these outputs pays for parsing them. */
const parsers = {
  projects: (records: unknown) => {
    const entries = Object.entries(records as object);
    return Object.fromEntries(entries.map(([id, record]) => [id, readRecord(id, record)]));
  },
  credentials: (text: unknown) =>
    text === undefined ? undefined : parseRecordText(text, "The record of the credentials"),
};
