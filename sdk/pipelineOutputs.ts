import * as pulumi from "@pulumi/pulumi";
import { argumentInvalid } from "../provider/errors/argumentInvalid.js";
import type {
  CodeRepository,
  Database,
  Project,
  SnapshotCredentials,
} from "../provider/model/project.js";
import { ProjectSnapshot, recordedFields } from "./projectSnapshot.js";
import { isPending, isPlainObject } from "./reading/checkArguments.js";
import { detach } from "./reading/detach.js";
import { waitForErrors, waitForOutput } from "./reading/inlineProgram.js";

/**
 * The outputs of a stack from which deploy jobs and other stacks read a project. `C` is false if the
 * project was read with `includeCredentials: false`.
 */
export interface PipelineOutputs<C extends boolean = true> {
  /** The project, not secret. Its databases and its repository have no credentials. */
  readonly project: pulumi.Output<Project>;
  /** The credentials, secret. Undefined with `includeCredentials: false`. */
  readonly credentials: pulumi.Output<C extends false ? undefined : SnapshotCredentials>;
}

/** A project whose credentials are secret Outputs, or known values in a secret Output. */
export type ProjectForPipeline = Project<
  CodeRepository & {
    /** The address from which the repository was imported. */
    readonly importRepository: unknown;
  },
  Database & {
    /** Database user. */
    readonly username: pulumi.Input<string>;
    /** Password of the database user. */
    readonly password: pulumi.Input<string>;
  }
>;

/**
 * Makes the two outputs of a stack from which deploy jobs and other stacks read a project: the project
 * in clear, and its credentials as one secret. `readPipelineOutputs` reads them in another stack, and
 * the command `project-service env` in a deploy job. schemas/pipeline-outputs.schema.json describes
 * them.
 *
 * Both have the shape of a `ProjectSnapshot`. The project is never secret, even if the project was
 * read with a secret argument. With `includeCredentials: false`, `credentials` is undefined, and
 * Pulumi exports no such output.
 *
 * @param source a `ProjectSnapshot`, the result of `getProject`, or an Output or a Promise of one.
 * @returns `project` and `credentials`. If the project is unknown in a preview, so are both.
 * @throws ProjectServiceError `ARGUMENT_INVALID` for another value. The outputs reject with the errors
 *   of the source.
 *
 * @example
 * const snapshot = new ProjectSnapshot("shop", { name: "shop" });
 * export const { project, credentials } = pipelineOutputs(snapshot);
 */
export function pipelineOutputs(
  source: pulumi.Input<ProjectSnapshot> | pulumi.Input<ProjectForPipeline>,
): PipelineOutputs;
export function pipelineOutputs(
  source: pulumi.Input<ProjectSnapshot<false>> | pulumi.Input<Project>,
): PipelineOutputs<false>;
export function pipelineOutputs(source: unknown): PipelineOutputs<boolean> {
  waitForErrors();
  if (!isPending(source)) checkSource(source);
  // pulumi.output(source) would make a whole result secret, because its credentials are.
  const parts = pulumi
    .output(undefined)
    .apply(() => source)
    .apply((known) => detach(() => partsOf(known)));
  waitForOutput(parts);
  return {
    project: pulumi.unsecret(parts.apply(({ project }) => project)),
    credentials: pulumi.unsecret(parts).apply(({ credentials }) => credentials),
  } as PipelineOutputs<boolean>;
}

interface Parts {
  readonly project: pulumi.Input<Project>;
  readonly credentials: pulumi.Output<unknown> | undefined;
}

async function partsOf(source: unknown): Promise<Parts> {
  checkSource(source);
  if (ProjectSnapshot.isInstance(source)) {
    const fields = recordedFields.map((key) => [key, source[key]]);
    const credentials: pulumi.Output<unknown> = pulumi.unsecret(source.credentials);
    return {
      project: pulumi.output(Object.fromEntries(fields)) as pulumi.Output<Project>,
      // A secret without a value would be exported as an output without a value.
      credentials: credentials.apply((value) =>
        value === undefined ? undefined : pulumi.secret(value),
      ),
    };
  }
  const { separate } = await import("../provider/snapshot/snapshot.js");
  // A credential may still be an Output, which `separate` only moves.
  const project = source as Parameters<typeof separate>[0];
  const separated = separate(project, hasCredentials(project));
  return {
    project: separated.project,
    credentials: separated.credentials && pulumi.secret(separated.credentials),
  };
}

/** Whether a project was read with credentials. A project that can have none counts as such. */
function hasCredentials({ codeRepository, environments }: Project): boolean {
  const databases = environments.flatMap(({ databases }) => databases);
  if (databases.length > 0) return databases.every((database) => "username" in database);
  return codeRepository === undefined || "importRepository" in codeRepository;
}

function checkSource(source: unknown): void {
  if (ProjectSnapshot.isInstance(source)) return;
  if (isPlainObject(source) && Array.isArray(source["environments"])) return;
  throw argumentInvalid(
    "pipelineOutputs needs a ProjectSnapshot or the result of getProject, which is a project with its environments.",
  );
}
